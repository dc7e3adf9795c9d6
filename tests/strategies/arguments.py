"""Arguments near the boundary of a core schema: valid ones, and what a few edits make of them.

Imports: nothing of admit.
"""

from __future__ import annotations

import copy
import math
import unicodedata
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from .core_schemas import Schema
from .foreign import FOREIGN, disguised
from .payloads import PAYLOADS, PLAIN

STRINGS = ("", "a", "README.md", "1", "true", "null", "\ud800", "\x00", "é", "\U0001f600", "x" * 300)
INTEGERS = (0, 1, -1, 2, 1.0, -0.0, 2.0**53, 2**53 + 1, -(2**63) - 1, 2**64, 10**400, 1e22, 1e308)
NUMBERS = (*INTEGERS, 0.5, -1.5, 1e-300, 5e-324)
JSON: tuple[Any, ...] = (
    *(None, True, 0, -1.5, 10**400, "a", [], {}),
    *([None, [1, {"a": []}]], {"a": {"b": [1.5]}, "": None, "1": False}),
)
"""Values for places that nothing constrains."""
OTHERS: tuple[Any, ...] = (None, True, False, 0, 1, 1.0, 1.5, "", "1", [], {}, [None], {"value": 1})
"""Values to put in the place of any other."""
STEPS = (0, 0, 1, 2, 10**6, 2**64)
"""How far above its bound a number lies."""


@st.composite
def arguments(draw: st.DrawFn, schema: Schema, bases: int, edited: int) -> list[Any]:
    """`bases` arguments that are made valid where the schema allows any, and `edited` ones that start from them."""
    made = [_make(draw, {"type": "object", **schema}, pure=False) for _ in range(bases)]
    for index in range(edited):
        value = made[index % bases]
        for _ in range(draw(st.sampled_from((1, 1, 1, 1, 2, 4)))):
            value = _edited(draw, schema, value, foreign=draw(st.integers(0, 3)) == 0)
        made.append(value)
    return made


@st.composite
def cases(draw: st.DrawFn, schemas: st.SearchStrategy[Schema], bases: int, edited: int) -> tuple[Schema, list[Any]]:
    """A schema, and arguments for it."""
    schema = draw(schemas)
    return schema, draw(arguments(schema, bases, edited))


def _make(draw: st.DrawFn, schema: Schema, pure: bool) -> Any:
    """A value that `schema` accepts, as far as one branch of each union decides; `pure`: no foreign value in it."""
    if "oneOf" in schema:
        return _make(draw, draw(st.sampled_from(schema["oneOf"])), pure=pure or draw(st.integers(0, 9)) != 0)
    match schema["type"]:
        case "object":
            return _object(draw, schema, pure)
        case "array" if "items" in schema:
            some = [_make(draw, schema["items"], pure) for _ in range(draw(st.sampled_from((1, 2, 0, 3))))]
            return some * draw(st.sampled_from((1, 1, 1, 1, 7)))
        case "array":
            return [_anything(draw, pure) for _ in range(draw(st.integers(0, 2)))]
        case "string":
            return draw(st.sampled_from(STRINGS))
        case "boolean":
            return draw(st.booleans())
        case kind:
            return _number(draw, kind, schema.get("minimum"))


def _object(draw: st.DrawFn, schema: Schema, pure: bool) -> dict[str, Any]:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    present = draw(st.sampled_from((-1, 0))) or draw(st.integers(0, 2 ** len(properties) - 1))
    made = {
        name: _make(draw, member, pure)
        for index, (name, member) in enumerate(properties.items())
        if present >> index & 1 or name in required
    }
    made.update((name, _anything(draw, pure)) for name in required if name not in properties)
    if _is_open(schema):
        for name in draw(st.sampled_from(((), (), ("colour",), ("value", "\u2028"), ("e\u0301", "check_1", "")))):
            if name not in properties:
                made[name] = _anything(draw, pure)
    return made if draw(st.booleans()) else dict(reversed(made.items()))


def _is_open(schema: Schema) -> bool:
    return schema.get("additionalProperties", schema.get("additional_properties", True)) is True


def _anything(draw: st.DrawFn, pure: bool) -> Any:
    return draw(st.sampled_from(JSON if pure else JSON + FOREIGN))


def _number(draw: st.DrawFn, kind: str, bound: Any) -> Any:
    if bound is None:
        return draw(st.sampled_from(INTEGERS if kind == "integer" else NUMBERS))
    step = draw(st.sampled_from(STEPS))
    if kind == "number" and draw(st.booleans()):
        near = _as_float(bound)
        return bound if near is None or step == 0 else max(bound, near, math.nextafter(near, math.inf))
    whole = math.ceil(bound) + step
    real = _as_float(whole)
    return real if real is not None and real == whole and draw(st.booleans()) else whole


def _as_float(number: int | float) -> float | None:
    """The nearest float, where it is finite."""
    try:
        real = float(number)
    except OverflowError:
        return None
    return real if math.isfinite(real) else None


def _edited(draw: st.DrawFn, schema: Schema, value: Any, foreign: bool) -> Any:
    """`value` with one change at some place in it; `foreign`: a foreign value is put there."""
    if "oneOf" in schema:
        schema, foreign = draw(st.sampled_from(schema["oneOf"])), foreign or not draw(st.integers(0, 3))
    inner = _parts(schema, value)
    if inner and draw(st.sampled_from((True, True, False))):
        token, subschema = draw(st.sampled_from(inner))
        copied = copy.copy(value)
        copied[token] = _edited(draw, subschema, value[token], foreign)
        return copied
    if foreign:
        return draw(st.sampled_from([*disguised(value), *FOREIGN]))
    return draw(st.sampled_from(_neighbours(draw, schema, value) if draw(st.integers(0, 3)) else OTHERS))


def _parts(schema: Schema, value: Any) -> list[tuple[Any, Schema]]:
    """The places inside `value`, each with the schema for it."""
    if type(value) is dict:
        properties = schema.get("properties", {})
        return [(name, properties.get(name, {})) for name in value]
    if type(value) is list:
        return [(index, schema.get("items", {})) for index in sorted({0, len(value) - 1})] if value else []
    return []


def _neighbours(draw: st.DrawFn, schema: Schema, value: Any) -> Sequence[Any]:
    """Values next to `value`: other spellings of it, one step away, one member more, less or by another name."""
    kind = type(value)
    if kind is dict:
        return draw(st.sampled_from((_less, _less, _more, _renamed)))(schema, value) or OTHERS
    if kind is list:
        return [value[:-1], [*value, None], [*value, 1], [*value, *value], value[::-1], {"0": value}]
    if kind is str:
        return [value + "x", value[:-1], [value], {"a": value}, None, len(value)]
    if kind is bool or value is None:
        return [int(bool(value)), float(bool(value)), not value, str(value), None, [value]]
    if kind in (int, float):
        near = draw(st.sampled_from((_numbers_near, _spellings)))
        return list(near(schema.get("minimum", 0), value))
    return OTHERS


def _less(_: Schema, value: dict[Any, Any]) -> list[Any]:
    return [{other: member for other, member in value.items() if other != name} for name in value]


def _more(schema: Schema, value: dict[Any, Any]) -> list[Any]:
    strangers = (*schema.get("properties", {}), *PLAIN[:3], *PAYLOADS[::20])
    return [{**value, name: 0} for name in strangers if name not in value]


def _renamed(_: Schema, value: dict[Any, Any]) -> list[Any]:
    return [
        {near if other == name else other: member for other, member in value.items()}
        for name in value
        for near in _names_near(name)
    ]


def _names_near(name: Any) -> list[str]:
    if type(name) is not str or len(name) > 100:
        return []
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD", "NFKC")]
    return [near for near in (*forms, name.swapcase(), name + " ", name + "\x00", name[:-1]) if near != name]


def _numbers_near(bound: int | float, value: int | float) -> list[Any]:
    others: list[Any] = [bound, bound - 1, bound + 1, math.floor(bound), math.ceil(bound) - 1, -value]
    for number in (bound, value):
        real = _as_float(number)
        if real is not None:
            others += [real, real + 0.5, math.nextafter(real, -math.inf), math.nextafter(real, math.inf)]
    return others


def _spellings(_: int | float, value: int | float) -> list[Any]:
    return [True, False, str(value), [value], {"a": value}, None, _as_float(value)]

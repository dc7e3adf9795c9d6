"""Schemas that profile `core` accepts: every keyword of its table, at every nesting.

Imports: nothing of admit.
"""

from __future__ import annotations

import enum
import math
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from .payloads import LONG, PAYLOADS, PLAIN

Schema = dict[str, Any]

NAMES = st.one_of(st.sampled_from(PLAIN), st.sampled_from(PAYLOADS), st.text(max_size=6), st.just(LONG))
"""Property names."""

BOUNDS = st.one_of(
    st.sampled_from((0, 1, -1, 2, 10, 0.0, -0.0, 0.5, -0.5, 1.0, 1.5, -1.5, 0.1, 100)),
    st.sampled_from((2**53, 2**53 + 1, 2.0**53, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 1e16, 1e22)),
    st.sampled_from((10**308, 10**400, -(10**400), 1e308, -1e308, 5e-324, -5e-324, math.nextafter(1, 2))),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
)
"""Values of `minimum`."""

DESCRIPTIONS = st.sampled_from((*PAYLOADS, "The file to read.", LONG))


@lru_cache(None)
def subschemas(depth: int) -> st.SearchStrategy[Schema]:
    """Schemas that may stand anywhere but at the root, at most `depth` levels below themselves."""
    scalars = st.one_of(_scalars("string"), _scalars("boolean"), _numbers("integer"), _numbers("number"))
    if not depth:
        return scalars
    return st.one_of(scalars, objects(depth), _arrays(depth), unions(depth), unions(depth))


@lru_cache(None)
def _scalars(kind: str) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({"type": st.just(kind)}, optional={"description": DESCRIPTIONS})


@lru_cache(None)
def _numbers(kind: str) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({"type": st.just(kind)}, optional={"minimum": BOUNDS, "description": DESCRIPTIONS})


@lru_cache(None)
def _arrays(depth: int) -> st.SearchStrategy[Schema]:
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": subschemas(depth - 1)}),
        st.fixed_dictionaries({"type": st.just("array")}, optional={"description": DESCRIPTIONS}),
    )


@lru_cache(None)
def objects(depth: int) -> st.SearchStrategy[Schema]:
    """Object schemas: open, closed and undecided; names required that are declared, and some that are not."""
    return _objects(depth)


@st.composite
def _objects(draw: st.DrawFn, depth: int) -> Schema:
    properties = draw(_wide() if draw(st.integers(0, 24)) == 0 else st.dictionaries(NAMES, subschemas(depth - 1), max_size=5))
    required = _chosen(draw, list(properties))
    if draw(st.integers(0, 5)) == 0:
        required += [name for name in draw(st.lists(NAMES, max_size=2, unique=True)) if name not in properties]
    schema: Schema = {"type": "object"}
    if properties or draw(st.booleans()):
        schema["properties"] = properties
    if required or draw(st.integers(0, 3)) == 0:
        schema["required"] = required
    extra = draw(st.sampled_from((None, False, False, True)))
    if extra is not None:
        schema[draw(st.sampled_from(("additionalProperties", "additional_properties")))] = extra
    return _rotated(schema, draw(st.integers(0, 4)))


def _chosen(draw: st.DrawFn, names: list[str]) -> list[str]:
    """Some of `names`, last first now and then."""
    mask = draw(st.integers(0, 2 ** len(names) - 1))
    chosen = [name for index, name in enumerate(names) if mask >> index & 1]
    return chosen[::-1] if draw(st.booleans()) else chosen


def _rotated(schema: Schema, by: int) -> Schema:
    """The same members in another order."""
    rows = list(schema.items())
    return dict(rows[by:] + rows[:by])


@st.composite
def _wide(draw: st.DrawFn) -> dict[str, Schema]:
    """More properties than a machine word has bits, of a few kinds in turn."""
    stem, kinds = draw(NAMES), draw(st.lists(subschemas(0), min_size=1, max_size=3))
    return {f"{stem}{index}": kinds[index % len(kinds)] for index in range(draw(st.integers(60, 75)))}


@lru_cache(None)
def unions(depth: int) -> st.SearchStrategy[Schema]:
    """`oneOf`: branches of other types, branches that overlap, unions of unions."""
    branches = st.one_of(
        st.lists(subschemas(depth - 1), min_size=2, max_size=4, unique_by=_kind),
        st.lists(subschemas(depth - 1), min_size=1, max_size=3, unique_by=_kind),
        st.lists(subschemas(depth - 1), min_size=1, max_size=2),
        st.lists(st.one_of(_numbers("integer"), _numbers("number")), min_size=2, max_size=3),
        _relatives(depth),
    )
    return st.fixed_dictionaries({"oneOf": branches}, optional={"description": DESCRIPTIONS})


def _kind(schema: Schema) -> str:
    kind = schema.get("type", "oneOf")
    return "number" if kind == "integer" else str(kind)


@st.composite
def _relatives(draw: st.DrawFn, depth: int) -> list[Schema]:
    """Object branches that only their required names, their closure or one property tell apart."""
    first = draw(objects(depth - 1) if depth > 1 else _objects(1))
    properties: dict[str, Schema] = first.get("properties", {})
    second = {key: value for key, value in first.items() if key not in ("additionalProperties", "additional_properties")}
    second["required"] = _chosen(draw, list(properties))
    if properties and draw(st.booleans()):
        second["properties"] = {**properties, draw(st.sampled_from(list(properties))): draw(subschemas(0))}
    if draw(st.booleans()):
        second["additionalProperties"] = draw(st.booleans())
    return [first, second]


@st.composite
def _roots(draw: st.DrawFn) -> Schema:
    schema = draw(objects(3))
    if draw(st.booleans()):
        schema = {"description": draw(DESCRIPTIONS), **schema}
    if draw(st.integers(0, 5)) == 0:
        del schema["type"]
    return schema


core_schemas = _roots()
"""Whole tool schemas."""


def symbolic(schema: Any) -> Any:
    """`schema` with every member name, and every value of `type`, as a member of an `enum.Enum`."""
    if isinstance(schema, list):
        return [symbolic(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    names = enum.Enum("Names", {f"name_{index}": name for index, name in enumerate(schema)})  # type: ignore[misc]
    symbols = {
        name: member if name.value != "type" or not isinstance(member, str) else enum.Enum("Types", {"one": member})["one"]
        for name, member in zip(names, map(symbolic, schema.values()), strict=True)
    }
    return symbols

"""Anything that a stranger may pass as a schema: JSON that is nearly one, JSON that is none, and no JSON at all.

Imports: nothing of admit.
"""

from __future__ import annotations

import copy
import math
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from .core_schemas import core_schemas, names, symbolic
from .foreign import FOREIGN, Text, TouchyDict, TouchyFloat, TouchyInt, TouchyList, Word, disguised

KEYWORDS = (
    *("type", "properties", "required", "additionalProperties", "additional_properties", "description", "minimum"),
    *("items", "oneOf", "$ref", "$schema", "$id", "$defs", "enum", "const", "anyOf", "allOf", "not", "pattern"),
    *("title", "minLength", "maxItems", "maximum", "exclusiveMinimum", "default", "format", "nullable", "Type", ""),
)
TYPES = ("object", "array", "string", "integer", "number", "boolean", "null", "float", "dict", "Object")


@st.composite
def anything(draw: st.DrawFn) -> Any:
    """JSON, and Python objects, with keywords where names go."""
    return draw(_ANYTHING)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(st.one_of(st.sampled_from(KEYWORDS), _KEYS), inner, max_size=4)
    return st.one_of(st.lists(inner, max_size=3), members, members.map(_subclassed))


def _subclassed(members: dict[Any, Any]) -> Any:
    return disguised(members)[len(members) % 3]


_SUBCLASSED = (Text("string"), TouchyInt(3), TouchyFloat(0.5), TouchyList(["a"]), TouchyDict(type="string"))
_KEYS = st.one_of(names(), st.sampled_from((Word.PATH, Text("type"), 1, None, (), b"type", 1.5, True, ...)))
_ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.sampled_from(TYPES),
        names(),
        st.sampled_from((*FOREIGN, *_SUBCLASSED)),
        st.sampled_from((10**400, -(10**4_000), math.nan, math.inf, Decimal("0.1"))),
    ),
    _containers,
    max_leaves=8,
)


@st.composite
def nearly_core(draw: st.DrawFn) -> Any:
    """A schema of profile `core` in which one thing is changed at some place."""
    return _changed(draw, draw(core_schemas()))


def _changed(draw: st.DrawFn, value: Any) -> Any:
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    place = draw(st.integers(0, len(keys)))
    if place:
        changed = copy.copy(value)
        changed[keys[place - 1]] = _changed(draw, value[keys[place - 1]])
        return changed
    if not isinstance(value, dict):
        return draw(anything())
    match draw(st.integers(0, 4)):
        case 0:
            return draw(anything())
        case 1:
            return {**value, draw(st.sampled_from(KEYWORDS)): draw(anything())}
        case 2:
            return {draw(st.sampled_from(KEYWORDS)): draw(anything()), **value}
        case 3 if value:
            gone = draw(st.sampled_from(list(value)))
            return {key: member for key, member in value.items() if key != gone}
        case _:
            return draw(st.sampled_from((symbolic(value), MappingProxyType(value), TouchyDict(value))))


@st.composite
def towers(draw: st.DrawFn) -> Any:
    """Schemas that are deep, that contain themselves, or that are small only because they share their parts."""
    height = draw(st.sampled_from((2, 40, 63, 64, 126, 127, 128, 129, 130, 260, 2_000)))
    keyword = draw(st.sampled_from(("properties", "items", "oneOf", "twice", "itself", "lists", "plain")))
    schema: Any = {"type": "string"}
    for _ in range(height):
        match keyword:
            case "properties" | "itself":
                schema = {"type": "object", "properties": {"a": schema}}
            case "items":
                schema = {"type": "array", "items": schema}
            case "oneOf":
                schema = {"oneOf": [schema]}
            case "twice":
                schema = {"type": "object", "properties": {"a": schema, "b": schema}}
            case "lists":
                schema = [schema]
            case "plain":
                schema = {"a": schema, "b": schema}
    if keyword == "itself":
        innermost = schema
        while innermost["properties"]["a"]["type"] == "object":
            innermost = innermost["properties"]["a"]
        innermost["properties"]["a"] = schema
    return schema if draw(st.booleans()) else {"type": "object", "properties": {"a": schema}}

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

_BOUNDS = (
    *(0, 1, -1, 2, 10, 0.0, -0.0, 0.5, -0.5, 1.0, 1.5, -1.5, 0.1, 100, math.nextafter(1, 2), 5e-324, -5e-324),
    *(2**53, 2**53 + 1, 2.0**53, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 1e16, 1e22),
    *(10**308, 10**400, -(10**400), 1e308, -1e308),
)


@st.composite
def names(draw: st.DrawFn) -> str:
    """Property names."""
    return draw(st.one_of(st.sampled_from(PLAIN), st.sampled_from((*PAYLOADS, LONG)), st.text(max_size=6)))


@st.composite
def bounds(draw: st.DrawFn) -> int | float:
    """Values of `minimum`."""
    reals = st.floats(allow_nan=False, allow_infinity=False)
    return draw(st.one_of(st.sampled_from(_BOUNDS), st.integers(-(2**70), 2**70), reals))


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    """Values of `description`."""
    return draw(st.sampled_from(("The file to read.", LONG, *PAYLOADS)))


@st.composite
def subschemas(draw: st.DrawFn, depth: int) -> Schema:
    """Schemas that may stand anywhere but at the root, at most `depth` levels below themselves."""
    return draw(_subschemas(depth))


@lru_cache(None)
def _subschemas(depth: int) -> st.SearchStrategy[Schema]:
    scalars = st.sampled_from(("string", "boolean", "integer", "number")).flatmap(_scalars)
    return st.one_of(scalars, objects(depth), _arrays(depth), unions(depth), unions(depth)) if depth else scalars


@lru_cache(None)
def _scalars(kind: str) -> st.SearchStrategy[Schema]:
    bound = {"minimum": bounds()} if kind in ("integer", "number") else {}
    return st.fixed_dictionaries({"type": st.just(kind)}, optional={**bound, "description": descriptions()})


@lru_cache(None)
def _arrays(depth: int) -> st.SearchStrategy[Schema]:
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": subschemas(depth - 1)}),
        st.fixed_dictionaries({"type": st.just("array")}, optional={"description": descriptions()}),
    )


@st.composite
def objects(draw: st.DrawFn, depth: int) -> Schema:
    """Object schemas: open, closed and undecided; names required that are declared, and some that are not."""
    few = st.dictionaries(names(), subschemas(depth - 1), max_size=5)
    is_wide = draw(st.integers(0, 24)) == 0
    properties = draw(_many_properties() if is_wide else few)
    required = _some(draw, list(properties))
    if draw(st.integers(0, 5)) == 0:
        required += [name for name in draw(st.lists(names(), max_size=2, unique=True)) if name not in properties]
    schema: Schema = {"type": "object"}
    if draw(st.booleans()) or properties:
        schema["properties"] = properties
    if required or draw(st.integers(0, 3)) == 0:
        schema["required"] = required
    extra = draw(st.sampled_from((None, False, False, True)))
    if extra is not None:
        schema[draw(st.sampled_from(("additionalProperties", "additional_properties")))] = extra
    return _rotated(schema, draw(st.integers(0, 4)))


def _some(draw: st.DrawFn, names: list[str]) -> list[str]:
    """Some of `names`, last first now and then."""
    mask = draw(st.integers(0, 2 ** len(names) - 1))
    chosen = [name for index, name in enumerate(names) if mask >> index & 1]
    return chosen[::-1] if draw(st.booleans()) else chosen


def _rotated(schema: Schema, by: int) -> Schema:
    """The same members in another order."""
    rows = list(schema.items())
    return dict(rows[by:] + rows[:by])


@st.composite
def _many_properties(draw: st.DrawFn) -> dict[str, Schema]:
    """About as many properties as a machine word has bits, of a few kinds in turn."""
    stem, kinds = draw(names()), draw(st.lists(subschemas(0), min_size=1, max_size=3))
    return {f"{stem}{index}": kinds[index % len(kinds)] for index in range(draw(st.integers(60, 75)))}


@lru_cache(None)
def unions(depth: int) -> st.SearchStrategy[Schema]:
    """`oneOf`: branches of other types, branches that overlap, unions of unions."""
    branches = st.one_of(
        st.lists(subschemas(depth - 1), min_size=2, max_size=4, unique_by=_kind),
        st.lists(subschemas(depth - 1), min_size=1, max_size=3, unique_by=_kind),
        st.lists(subschemas(depth - 1), min_size=1, max_size=2),
        st.lists(st.sampled_from(("integer", "number")).flatmap(_scalars), min_size=2, max_size=3),
        _kindred(depth),
    )
    return st.fixed_dictionaries({"oneOf": branches}, optional={"description": descriptions()})


def _kind(schema: Schema) -> str:
    kind = str(schema.get("type", "oneOf"))
    return "number" if kind == "integer" else kind


@st.composite
def _kindred(draw: st.DrawFn, depth: int) -> list[Schema]:
    """Object branches that only their required names, their closure or one property tell apart."""
    first = draw(objects(max(depth - 1, 1)))
    properties: dict[str, Schema] = first.get("properties", {})
    second: Schema = {"type": "object", "properties": properties, "required": _some(draw, list(properties))}
    if draw(st.booleans()) and properties:
        name = draw(st.sampled_from(list(properties)))
        second["properties"] = {**properties, name: draw(subschemas(0))}
    if draw(st.booleans()):
        second["additionalProperties"] = draw(st.booleans())
    return [first, second]


@st.composite
def core_schemas(draw: st.DrawFn) -> Schema:
    """Whole tool schemas."""
    schema = draw(objects(3))
    if draw(st.booleans()):
        schema = {"description": draw(descriptions()), **schema}
    if draw(st.integers(0, 5)) == 0:
        del schema["type"]
    return schema


def symbolic(schema: Any) -> Any:
    """`schema` with each member name, and each value of `type`, as a member of an `enum.Enum`."""
    if isinstance(schema, list):
        return [symbolic(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kind = {"type": _symbol(schema["type"])} if isinstance(schema.get("type"), str) else {}
    return {_symbol(name): kind.get(name) or symbolic(value) for name, value in schema.items()}


def _symbol(text: str) -> Any:
    return enum.Enum("Symbol", [("ONE", text)])["ONE"]  # type: ignore[index]

"""The keywords, a function each, as the specification reads: sections of 2020-12 core and validation beside them.

A function records violations with `place.fail` and yields the evaluations it needs done. `KEYWORDS` is in the order in
which keywords are judged: type, what is missing, what is unknown, then the members in declared order.

Imports: place, semantics, limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..limits import reached
from ..semantics import foreign_path, is_type
from .place import Place, Rule


def type_(place: Place, expected: str) -> Iterable[Place]:
    """`type` (validation, 6.1.1)."""
    if not is_type(place.kind, expected):
        place.fail("type", expected=(expected,))
    return ()


def minimum(place: Place, bound: int | float) -> Iterable[Place]:
    """`minimum` (validation, 6.2.4): inclusive."""
    if is_type(place.kind, "number") and place.instance < bound:
        place.fail("minimum", bound=bound)
    return ()


def required(place: Place, names: list[str]) -> Iterable[Place]:
    """`required` (validation, 6.5.3)."""
    if place.kind == "object":
        for name in names:
            if name not in place.instance:
                place.fail("required", name=name, schema=place.subschema.values.get("properties", {}).get(name))
    return ()


def additional_properties(place: Place, allowed: bool) -> Iterable[Place]:
    """`additionalProperties` (core, 10.3.2.3): every member that `properties` does not name."""
    declared = place.subschema.values.get("properties", {})
    if not allowed and place.kind == "object":
        for name, member in place.instance.items():
            if name not in declared:
                top = place.depth == 0
                place.fail("additionalProperties", at=(name,), instance=member, declared=tuple(declared), top=top)
            if place.is_full:
                break
    return ()


def properties(place: Place, declared: Mapping[str, Any]) -> Iterator[Place]:
    """`properties` (core, 10.3.2.1)."""
    if place.kind == "object":
        for name, schema in declared.items():
            if name in place.instance:
                yield place.member("properties", name, schema=schema, at=name)


def items(place: Place, schema: Any) -> Iterable[Place]:
    """`items` (core, 10.3.1.2)."""
    return place.members("items", schema=schema, members=_elements(place))


def _elements(place: Place) -> Iterator[tuple[int, Any]]:
    if place.kind == "array":
        for element in enumerate(place.instance):
            if place.is_full:
                break
            yield element


def one_of(place: Place, alternatives: list[Any]) -> Iterator[Place]:
    """`oneOf` (core, 10.2.1.3): a foreign value anywhere under it fails it, since a failure inside may be wanted."""
    limit = place.evaluation.contract.limits.instance_depth
    try:
        foreign = foreign_path(place.instance, limit)
    except RecursionError:
        raise reached("instance_depth", limit, "the nesting of the arguments") from None
    if foreign is not None:
        value = place.instance
        for token in foreign:
            value = value[token]
        place.fail("oneOf", at=foreign, instance=value, schemas=() if foreign else alternatives)
        return
    branches = [place.branch("oneOf", index, schema) for index, schema in enumerate(alternatives)]
    yield from branches
    matched = tuple(index for index, branch in enumerate(branches) if not branch.found)
    if len(matched) != 1:
        violated = tuple(tuple(branch.found) for branch in branches)
        place.fail("oneOf", schemas=alternatives, matched=matched, branches=violated)


KEYWORDS: dict[str, Rule] = {
    "type": type_,
    "minimum": minimum,
    "required": required,
    "additionalProperties": additional_properties,
    "properties": properties,
    "items": items,
    "oneOf": one_of,
}

"""Turns a union into a choice by the value's type, where the alternatives say their types.

    ExactlyOne(TypeIs(string), OfType(object, …))  →  TypeSwitch(string: Always, object: …)

A type that one alternative takes leaves only that one to judge; a type that several take leaves the union of those.

Imports: program.
"""

from __future__ import annotations

from dataclasses import replace

from ..program import JSON_TYPES, Always, Case, ExactlyOne, Node, OfType, Program, TypeIs, Types, TypeSwitch, bottom_up


def narrow_unions(program: Program) -> Program:
    """The program with its unions narrowed by type."""
    return replace(program, root=bottom_up(program.root, _narrow))


def _narrow(node: Node) -> Node:
    if not isinstance(node, ExactlyOne):
        return node
    known = [(_types(alternative), alternative) for alternative in node.alternatives]
    if any(types is None for types, _ in known):
        return node
    takers: dict[tuple[int, ...], list[str]] = {}
    for name in JSON_TYPES:  # "number" stands here for the numbers that are no integers
        taking = tuple(index for index, (types, _) in enumerate(known) if types and _takes(types, name))
        if taking:
            takers.setdefault(taking, []).append(name)
    cases = [Case(_as_types(names), _union(node, taking, known)) for taking, names in takers.items()]
    return TypeSwitch(node.at, tuple(sorted(cases, key=lambda case: "number" in case.types)))


def _union(node: ExactlyOne, taking: tuple[int, ...], known: list[tuple[Types | None, Node]]) -> Node:
    alternatives = tuple(_rest(known[index][1]) for index in taking)
    return alternatives[0] if len(taking) == 1 else ExactlyOne(node.at, alternatives)


def _types(node: Node) -> Types | None:
    """The types that a value must have for the node to hold, where the node says so."""
    if isinstance(node, (TypeIs, OfType)):
        return node.types
    if isinstance(node, TypeSwitch):
        return tuple(name for name in JSON_TYPES if any(name in case.types for case in node.cases))
    return None


def _rest(node: Node) -> Node:
    """What is left to judge of a node for a value of a type that it takes."""
    if isinstance(node, TypeIs):
        return Always(node.at)
    return node.then if isinstance(node, OfType) else node


def _takes(types: Types, name: str) -> bool:
    return name in types or (name == "integer" and "number" in types)


def _as_types(names: list[str]) -> Types:
    return tuple(name for name in names if not (name == "integer" and "number" in names))

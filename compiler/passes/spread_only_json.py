"""Lets the parts of a value prove that it is JSON, where they look at it anyway.

    AllOf(OnlyJson, OfType(object, ObjectMembers(…, other=Always)))  →  OfType(object, ObjectMembers(…, other=OnlyJson))

A value that must be a string is JSON when it holds; only what is left open still has to be searched.

Imports: program.
"""

from __future__ import annotations

from dataclasses import replace

from ..program import (
    AllOf,
    Always,
    ArrayItems,
    Case,
    ExactlyOne,
    Never,
    Node,
    ObjectMembers,
    OfType,
    OnlyJson,
    Program,
    TypeIs,
    Types,
    TypeSwitch,
    bottom_up,
)

CONTAINERS = {"object", "array"}


def spread_only_json(program: Program) -> Program:
    """The program with each search for foreign values moved to where nothing else looks."""
    return replace(program, root=bottom_up(program.root, _spread))


def _spread(node: Node) -> Node:
    if isinstance(node, AllOf) and len(node.parts) == 2 and isinstance(node.parts[0], OnlyJson):
        return _proving(node.parts[1], None)
    return node


def _proving(node: Node, known: Types | None) -> Node:
    """A node that holds where `node` does and the value is JSON throughout; `known` are the types it may have."""
    match node:
        case Never() | OnlyJson():
            return node
        case TypeIs(types=types) if CONTAINERS.isdisjoint(types):
            return node
        case OfType(types=types, then=then):
            return replace(node, then=_proving(then, types))
        case TypeSwitch(cases=cases):
            return replace(node, cases=tuple(Case(case.types, _proving(case.then, case.types)) for case in cases))
        case _ if known and CONTAINERS.isdisjoint(known):
            return node
        case ObjectMembers(members=members, other=other) if known == ("object",):
            proved = tuple(replace(member, then=_proving(member.then, None)) for member in members)
            return replace(node, members=proved, other=_proving(other, None))
        case ArrayItems(then=then) if known == ("array",):
            return replace(node, then=_proving(then, None))
        case ExactlyOne(alternatives=alternatives):  # one that holds proves it; none does where the value is no JSON
            return replace(node, alternatives=tuple(_proving(alternative, known) for alternative in alternatives))
        case Always(at=at):
            return OnlyJson(at)
        case AllOf(parts=(OnlyJson(), *_)):
            return node
        case _:
            return AllOf(node.at, (OnlyJson(node.at), node))

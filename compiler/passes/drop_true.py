"""Drops what always holds, and the nodes that are left with nothing to say.

    AllOf(Always, x)  →  x        OfType(array, ArrayItems(Always))  →  TypeIs(array)

Imports: program.
"""

from __future__ import annotations

from dataclasses import replace

from ..program import (
    AllOf,
    Always,
    ArrayItems,
    ExactlyOne,
    Node,
    ObjectMembers,
    OfType,
    Program,
    TypeIs,
    TypeSwitch,
    bottom_up,
)


def drop_true(program: Program) -> Program:
    """The program without what always holds."""
    return replace(program, root=bottom_up(program.root, _simplified))


def _simplified(node: Node) -> Node:
    match node:
        case AllOf(at=at, parts=parts):
            flat = [inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))]
            kept = tuple(part for part in flat if not isinstance(part, Always))
            return AllOf(at, kept) if len(kept) > 1 else kept[0] if kept else Always(at)
        case ExactlyOne(alternatives=(only,)):
            return only
        case ObjectMembers(members=members, other=Always()):
            return replace(node, members=tuple(m for m in members if m.required or not isinstance(m.then, Always)))
        case OfType(at=at, types=types, then=then) if _says_nothing(then):
            return TypeIs(at, types)
        case TypeSwitch(at=at, cases=(only,)):
            return _simplified(OfType(at, only.types, only.then))
        case _:
            return node


def _says_nothing(node: Node) -> bool:
    """Whether a node holds for every value whose type is known to be its own."""
    match node:
        case Always() | ArrayItems(then=Always()) | ObjectMembers(members=(), other=Always()):
            return True
        case _:
            return False

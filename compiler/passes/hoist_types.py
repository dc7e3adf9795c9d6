"""Puts what belongs to a type under the test of the type, so that it is tested once.

    AllOf(TypeIs(object), ObjectMembers(…))  →  OfType(object, ObjectMembers(…))

Imports: program.
"""

from __future__ import annotations

from dataclasses import replace

from ..program import AllOf, Node, OfType, Program, TypeIs, bottom_up


def hoist_types(program: Program) -> Program:
    """The program with leading type tests wrapped around what follows them."""
    return replace(program, root=_under_known(bottom_up(program.root, _hoist)))


def _hoist(node: Node) -> Node:
    if isinstance(node, AllOf) and isinstance(node.parts[0], TypeIs):
        rest = node.parts[1:]
        return OfType(node.parts[0].at, node.parts[0].types, rest[0] if len(rest) == 1 else AllOf(node.at, rest))
    return node


def _under_known(root: Node) -> Node:
    """The condition on the root and the root's own `type` are one test."""
    if isinstance(root, OfType) and isinstance(root.then, OfType) and root.then.types == root.types:
        return root.then
    return root

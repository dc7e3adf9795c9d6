"""Asks small objects for each of their names, instead of going through the members that are there.

In plain Python `dict.get` costs less than a turn of a loop with a choice in it, as long as few names are asked for in
vain. Figures: `python -m benchmarks.strategies`.

Imports: program.
"""

from __future__ import annotations

from dataclasses import replace

from ..program import Node, ObjectMembers, Program, bottom_up

MOST_NAMES = 12
"""Members that an object may name to be asked for each."""


def look_up_small_objects(program: Program) -> Program:
    """The program with small objects read by name."""
    return replace(program, root=bottom_up(program.root, _look_up))


def _look_up(node: Node) -> Node:
    if isinstance(node, ObjectMembers) and len(node.members) <= MOST_NAMES:
        return replace(node, strategy="look_up")
    return node

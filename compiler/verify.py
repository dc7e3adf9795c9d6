"""Checks that a program is well formed: run after each pass under tests.

Imports: program.
"""

from __future__ import annotations

from .program import JSON_TYPES, AllOf, ExactlyOne, Node, ObjectMembers, OfType, Program, TypeIs, TypeSwitch, children


class MalformedProgramError(Exception):
    """A pass or the lowering broke a rule that the emitter relies on."""


def verify(program: Program) -> Program:
    """The program itself. Raises MalformedProgramError where a node breaks a rule."""
    stack: list[Node] = [program.root]
    while stack:
        node = stack.pop()
        for problem in problems(node):
            raise MalformedProgramError(f"{type(node).__name__} at {node.at!r}: {problem}")
        stack.extend(children(node))
    return program


def problems(node: Node) -> list[str]:
    """What is wrong with one node."""
    found = []
    if not isinstance(node, Node.__args__):  # type: ignore[attr-defined]
        found.append("is no node of the closed set")
    if type(node.at) is not str or (node.at and not node.at.startswith("/")):
        found.append("its location is no JSON Pointer")
    if isinstance(node, (TypeIs, OfType)):
        found += type_problems(node.types)
    if isinstance(node, TypeSwitch):
        found += [problem for case in node.cases for problem in type_problems(case.types)]
        covered = [name for case in node.cases for name in case.types]
        if len(set(covered)) != len(covered):
            found.append("two cases take one type")
    if isinstance(node, ObjectMembers):
        names = [member.name for member in node.members]
        if len(set(names)) != len(names) or any(type(name) is not str for name in names):
            found.append("its member names are not distinct strings")
        if node.strategy not in ("walk", "look_up"):
            found.append(f"has no strategy {node.strategy!r}")
    if isinstance(node, (AllOf, ExactlyOne)):
        parts = node.parts if isinstance(node, AllOf) else node.alternatives
        if not parts or not all(isinstance(part, Node.__args__) for part in parts):  # type: ignore[attr-defined]
            found.append("its parts are not nodes, or none")
    return found


def type_problems(types: tuple[str, ...]) -> list[str]:
    """What is wrong with a list of types."""
    if not types:
        return ["has no type"]
    if any(name not in JSON_TYPES for name in types) or list(types) != sorted(set(types), key=JSON_TYPES.index):
        return ["its types are not distinct JSON types in their order"]
    return []

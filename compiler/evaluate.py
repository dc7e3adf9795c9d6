"""Runs a program by walking it: the meaning of the nodes, a line or two each.

Slow and plain. A differential test runs it after each pass, so that a disagreement names the stage that made it; it
also serves where text may not be executed.

Imports: program; errors and semantics of admit.
"""

from __future__ import annotations

from typing import Any

from ..errors import ExecutionError
from ..semantics import foreign_path, is_type, json_type
from .program import (
    AllOf,
    Always,
    ArrayItems,
    ExactlyOne,
    Never,
    Node,
    NumberAtLeast,
    ObjectMembers,
    OfType,
    OnlyJson,
    Program,
    TypeIs,
    TypeSwitch,
)


def evaluate(program: Program, arguments: object) -> bool:
    """Whether the program holds for the arguments. Raises ExecutionError where they are nested too deep."""
    try:
        return holds(program.root, arguments, program.depth_limit)
    except RecursionError as error:
        raise ExecutionError("the arguments are nested too deep", limit="instance_depth") from error


def holds(node: Node, value: Any, limit: int) -> bool:
    """Whether one node holds for a value. Loops, not generators: one frame a node keeps deep programs in reach."""
    kind = json_type(value)
    match node:
        case Always():
            return True
        case Never():
            return False
        case AllOf(parts=parts):
            for part in parts:
                if not holds(part, value, limit):
                    return False
            return True
        case _ if kind is None:
            return False
        case TypeIs(types=types):
            return is_one_of(kind, types)
        case OfType(types=types, then=then):
            return is_one_of(kind, types) and holds(then, value, limit)
        case TypeSwitch(cases=cases):
            chosen = next((case.then for case in cases if is_one_of(kind, case.types)), None)
            return chosen is not None and holds(chosen, value, limit)
        case NumberAtLeast(bound=bound):
            return not is_type(kind, "number") or not value < bound
        case ArrayItems(then=then):
            for item in value if kind == "array" else ():
                if not holds(then, item, limit):
                    return False
            return True
        case ObjectMembers(members=members, other=other):
            named = {member.name: member for member in members}
            for name, part in value.items() if kind == "object" else ():
                if not holds(named[name].then if name in named else other, part, limit):
                    return False
            return kind != "object" or all(member.name in value for member in members if member.required)
        case ExactlyOne(alternatives=alternatives):
            held = 0
            for alternative in alternatives:
                held += holds(alternative, value, limit)
            return held == 1
        case OnlyJson():
            return foreign_path(value, limit) is None


def is_one_of(kind: str | None, types: tuple[str, ...]) -> bool:
    """Whether a JSON type is one of some JSON Schema types."""
    return any(is_type(kind, expected) for expected in types)

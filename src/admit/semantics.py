"""Leaf semantics: what JSON values are among Python objects.

Arguments are what `json.loads` gives: exact `dict` with exact `str` names, `list`, `str`, `int`, finite `float`, `bool`
and `None`. Every other object is *foreign*. Types are those of draft 2020-12: `1.0` is an integer, `True` is no number.

Imports: nothing of admit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def json_type(value: object) -> str | None:
    """The JSON type of a value: `integer` also for `2.0`, `number` for other finite floats; None where it is foreign.

    Looks at the names of a `dict`, not at its members.
    """
    kind = type(value)
    if kind is dict:
        for name in value:  # type: ignore[attr-defined]
            if type(name) is not str:
                return None
        return "object"
    if kind is float:
        real: float = value  # type: ignore[assignment]
        return None if not math.isfinite(real) else "integer" if real.is_integer() else "number"
    return _TYPES.get(kind)


_TYPES: dict[type, str] = {list: "array", str: "string", int: "integer", bool: "boolean", type(None): "null"}


def type_name(value: object) -> str:
    """The name of a value's Python type, whatever its metaclass makes of it."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


def is_type(kind: str | None, expected: str) -> bool:
    """Whether a value of the JSON type `kind` is of the JSON Schema type `expected`; an integer is also a number."""
    return kind == expected or (kind == "integer" and expected == "number")


def foreign_path(value: object, depth_limit: int) -> Path | None:
    """Where the first foreign value at or under `value` is, in document order; None where all of it is JSON.

    Raises RecursionError where containers are nested deeper than `depth_limit`, or in themselves. A container that is
    shared is looked into once: the work is linear in the distinct containers.
    """
    if json_type(value) is None:
        return ()
    if type(value) not in (dict, list):
        return None
    heights: dict[int, int] = {}  # finished containers: levels of containers in them, themselves included
    stack: list[_Level] = []
    entered: tuple[str | int, object] | None = ("", value)
    while entered or stack:
        if entered:
            token, container = entered
            if len(stack) >= depth_limit:
                raise RecursionError
            stack.append(_Level(token, container))
            entered = None
        level = stack[-1]
        for token, member in level.members:
            if len(stack) >= depth_limit and type(member) in (dict, list) and id(member) not in heights:
                raise RecursionError
            kind = json_type(member)
            if kind is None:
                return (*(inner.token for inner in stack[1:]), token)
            if kind in ("object", "array"):
                known = heights.get(id(member))
                if known is None:
                    entered = (token, member)
                    break
                if len(stack) + known > depth_limit:
                    raise RecursionError
                level.height = max(level.height, known + 1)
        else:
            stack.pop()
            heights[id(level.container)] = level.height
            if stack:
                stack[-1].height = max(stack[-1].height, level.height + 1)
    return None


class _Level:
    """A container on the way down: how it was reached, what is left of it, its height so far."""

    __slots__ = ("container", "height", "members", "token")

    def __init__(self, token: str | int, container: Any) -> None:
        self.token, self.container, self.height = token, container, 1
        self.members: Iterator[tuple[str | int, object]] = (
            iter(container.items()) if type(container) is dict else enumerate(container)
        )

"""What validators made by admit share. Stands alone: the standard library is all it needs.

A JSON value is what `json.loads` gives: an exact dict with exact str names, list, str, int, finite float, bool or None.

Imports: nothing of admit.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

FORMAT = 1

_SCALARS = frozenset((str, int, bool, type(None)))


def is_object(value: object) -> bool:
    """Whether a value is an exact dict, and every member name of it an exact str."""
    if type(value) is not dict:
        return False
    members: Any = value  # a dict in C, too
    for name in members:
        if type(name) is not str:
            return False
    return True


def has_string_names(value: dict[Any, Any]) -> bool:
    """Whether every member name of a dict is an exact str."""
    for name in value:
        if type(name) is not str:
            return False
    return True


def is_json(value: Any) -> bool:
    """Whether a value is of a JSON type, member names included; what is under it is not looked at."""
    kind = type(value)
    if kind is dict:
        return has_string_names(value)
    return kind in _SCALARS or kind is list or (kind is float and isfinite(value))


def is_only_json(value: Any, depth_limit: int) -> bool:
    """Whether a value and all under it are JSON.

    RecursionError where containers are nested deeper than `depth_limit`, or in themselves. A shared container is gone
    through once: its height is remembered, so that it can be judged again at another depth.
    """
    if type(value) not in (dict, list):
        return is_json(value)
    return _height(value, depth_limit, {}) > 0


def _height(container: Any, room: int, heights: dict[int, int]) -> int:
    """Levels of containers in a container, itself included; 0 where something foreign is in it."""
    if room < 1:
        raise RecursionError("nested too deep")
    if type(container) is dict and not has_string_names(container):
        return 0
    height = 1
    for member in container.values() if type(container) is dict else container:
        if type(member) is dict or type(member) is list:
            inner = heights.get(id(member))
            if inner is None:
                inner = heights[id(member)] = _height(member, room - 1, heights)
            elif inner >= room:
                raise RecursionError("nested too deep")
            if inner == 0:
                return 0
            if inner >= height:
                height = inner + 1
        elif not is_json(member):
            return 0
    return height

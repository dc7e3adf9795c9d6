"""Lowers the keywords that combine subschemas on one value.

Imports: program, scope.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..program import ExactlyOne, Node, OnlyJson
from .scope import Scope


def lower(scope: Scope) -> Iterator[Node]:
    """A union; where a failed alternative can mean a pass, the value is made sure to be JSON first."""
    if "oneOf" in scope:
        at = scope.location("oneOf")
        yield OnlyJson(at)
        alternatives: list[Node] = []
        for index in range(len(scope.get("oneOf"))):
            alternatives.append(scope.inner("oneOf", index))
        yield ExactlyOne(at, tuple(alternatives))

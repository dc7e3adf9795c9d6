"""Lowers the keywords of numbers.

Imports: program, scope.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Node, NumberAtLeast
from .scope import Scope


def lower(scope: Scope) -> Iterator[Node]:
    """The bounds of a number."""
    if "minimum" in scope:
        yield NumberAtLeast(scope.location("minimum"), scope.get("minimum"))

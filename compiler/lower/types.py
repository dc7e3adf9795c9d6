"""Lowers `type`.

Imports: program, scope.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Node, TypeIs
from .scope import Scope


def lower(scope: Scope) -> Iterator[Node]:
    """The value's type."""
    if "type" in scope:
        yield TypeIs(scope.location("type"), (scope.get("type"),))

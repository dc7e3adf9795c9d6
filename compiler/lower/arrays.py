"""Lowers the keywords of arrays.

Imports: program, scope.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..program import ArrayItems, Node
from .scope import Scope


def lower(scope: Scope) -> Iterator[Node]:
    """What holds for every item."""
    if "items" in scope:
        yield ArrayItems(scope.location("items"), scope.inner("items"))

"""Lowers the keywords of objects: `properties`, `required` and `additionalProperties` together make one node.

Imports: program, scope.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Always, Member, Never, Node, ObjectMembers
from .scope import Scope


def lower(scope: Scope) -> Iterator[Node]:
    """The members that must be there, those that may, and what holds for the others."""
    if not any(keyword in scope for keyword in ("properties", "required", "additionalProperties")):
        return
    required = dict.fromkeys(scope.get("required", ()))
    declared: dict[str, Member] = {}
    for name in scope.get("properties", ()):
        declared[name] = Member(name, name in required, scope.inner("properties", name))
    at = scope.location("additionalProperties")
    other = Always(at) if scope.get("additionalProperties", True) else Never(at)
    undeclared = [Member(name, True, other) for name in required if name not in declared]
    yield ObjectMembers(scope.at, (*declared.values(), *undeclared), other)

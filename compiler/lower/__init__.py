"""Lowering: from a contract to the program that asserts the same.

Each subschema becomes the conjunction of what its keywords assert, in the order in which they are judged: type, then
what belongs to a type, then unions. Keywords that assert nothing leave no node.

Imports: the contract; program; scope, types, objects, arrays, numbers, unions.
"""

from __future__ import annotations

from ...contract import Contract
from ..program import AllOf, Always, Node, OfType, Program
from . import arrays, numbers, objects, types, unions
from .scope import Scope

RULES = (types.lower, objects.lower, arrays.lower, numbers.lower, unions.lower)
"""Each gives the nodes of its keywords at a subschema; they are judged in this order."""


def lower(contract: Contract) -> Program:
    """The program of a contract."""
    root = subschema(Scope(contract, contract.document, "", subschema))
    if contract.root == "object":
        root = OfType("", ("object",), root)
    return Program(contract.digest, contract.limits.instance_depth, root)


def subschema(scope: Scope) -> Node:
    """What one subschema asserts."""
    nodes: list[Node] = []
    for rule in RULES:  # no comprehension: each would be one more frame a level
        nodes += rule(scope)
    parts = tuple(nodes)
    return parts[0] if len(parts) == 1 else AllOf(scope.at, parts) if parts else Always(scope.at)

"""Walks a contract and an instance together and collects what is violated, in the order in which it is judged.

Every evaluation is a generator that yields the evaluations it needs done; a loop with a stack of its own drives them,
so what may be nested is bounded by the limit `instance_depth` and not by the interpreter's recursion limit.

Imports: place, keywords, contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..contract import Contract
from .keywords import KEYWORDS
from .place import Evaluation, Place, Violation


def judge(contract: Contract, arguments: Any, found: list[Violation], *, most: int) -> None:
    """Add to `found` what `arguments` violate, until there are `most`.

    Raises ExecutionError where a limit is reached; what was found before stays found.
    """
    evaluation = Evaluation(contract, KEYWORDS, most)
    root = Place(evaluation, evaluation.subschema(contract.document), arguments, found)
    if contract.root == "object" and root.kind != "object":
        root.fail("type", expected=("object",))
        return
    stack = [evaluate(root)]
    while stack:
        place = next(stack[-1], None)
        if place is None:
            stack.pop()
        else:
            stack.append(evaluate(place))


def evaluate(place: Place) -> Iterator[Place]:
    """Judge one place: yields the evaluations that it needs done before it goes on."""
    if place.subschema.rules and place.kind is None:
        place.fail(place.subschema.rules[0][0])  # a foreign value fails every keyword
        return
    for _, rule, value in place.subschema.rules:
        if place.is_full:
            return
        yield from rule(place, value)

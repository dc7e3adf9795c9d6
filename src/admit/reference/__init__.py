"""The reference interpreter: judges arguments by walking the contract keyword by keyword, as the specification reads.

It is the oracle of the compiled tiers, with which it shares no code but leaf semantics, and it explains refusals.

Imports: contract, semantics, messages, errors, limits, pointer; nothing of the compiler.
"""

from __future__ import annotations

from ..contract import Contract
from ..errors import ExecutionError, Failure
from .explain import cut_short, explained
from .interpreter import judge
from .place import Violation

MOST_CONSIDERED = 64
"""Violations that are collected, in document order, before the likeliest of them are chosen."""


def verdict(contract: Contract, arguments: object) -> bool:
    """Whether the arguments keep the contract. Raises ExecutionError where a limit is reached."""
    found: list[Violation] = []
    _judge(contract, arguments, found, 1)
    return not found


def explain(contract: Contract, arguments: object, limit: int = 3) -> list[Failure]:
    """At most `limit` reasons for a refusal, likeliest root cause first; empty where the arguments are valid.

    A limit that is met on the way raises ExecutionError where nothing wrong was found before it; otherwise the
    refusal stands and what was found is explained.
    """
    found: list[Violation] = []
    try:
        _judge(contract, arguments, found, max(limit, MOST_CONSIDERED))
    except ExecutionError:
        if not found:
            raise
    return explained(found, limit)


def _judge(contract: Contract, arguments: object, found: list[Violation], most: int) -> None:
    try:
        judge(contract, arguments, found, most=most)
    except (RuntimeError, LookupError) as error:  # as in generated code
        raise ExecutionError("the arguments are nested too deep, or were changed while they were read") from error


__all__ = ["cut_short", "explain", "verdict"]

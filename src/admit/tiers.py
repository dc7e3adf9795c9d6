"""The tiers of a validator: what a compiled function is, and the two tiers that need no C compiler.

Imports: contract, cache, reference; compiler (when first needed).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .cache import MemoryCache
from .contract import Contract
from .reference import verdict

Verdict = Callable[[object], bool]

KEPT = 4096
"""Contracts whose functions are kept in memory, those used last."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A verdict function, the tier it belongs to and why it is that one, and the text it was made from."""

    tier: str
    is_valid: Verdict
    source: str | None
    reason: str


_python: MemoryCache[Compiled] = MemoryCache(KEPT)


def reference(contract: Contract, reason: str) -> Compiled:
    """The interpreter."""
    return Compiled("reference", lambda arguments: verdict(contract, arguments), None, reason)


def python(contract: Contract, reason: str) -> Compiled:
    """Plain Python, made once for a contract; the interpreter where it cannot be compiled on this stack."""

    def build() -> Compiled:
        from .compiler import compile_python

        return Compiled("python", *compile_python(contract), reason)

    try:
        return replace(_python.get_or_build(contract.digest, build), reason=reason)
    except (RecursionError, MemoryError) as error:
        return reference(contract, f"Python cannot compile the validator here: {type(error).__name__}")


def evict(digest: str) -> None:
    """Forget what was made for a contract that is no longer used; whoever holds its function keeps it."""
    _python.evict(digest)

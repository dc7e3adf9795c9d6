"""Values of a strategy, each made anew.

Imports: nothing of admit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import given, seed, settings
from hypothesis import strategies as st

T = TypeVar("T")

RUN = 10
"""Examples in a row. Hypothesis makes most of those after the tenth by repeating parts of the ones before."""


def each(strategy: st.SearchStrategy[T], count: int, test: Callable[[T], None], **changed: Any) -> None:
    """Call `test` with `count` values, the same in every run; one that fails is shrunk. `changed`: other settings."""

    @settings(max_examples=RUN, database=None, **changed)
    @given(strategy)
    def run(value: T) -> None:
        test(value)

    for number in range(-(-count // RUN)):
        seed(number)(run)()


def sample(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """`count` values, for what has to be built all at once."""
    found: list[T] = []
    each(strategy, count, found.append)
    return found[:count]

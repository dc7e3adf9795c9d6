"""Generated values as a list: for what has to be built all at once.

Imports: nothing of admit.
"""

from __future__ import annotations

from typing import TypeVar

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

T = TypeVar("T")


def sample(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """`count` values of a strategy, the same in every run."""
    found: list[T] = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    collect()
    return found

"""Limits are a third outcome: an engine gives up only beyond them, and never says the wrong thing there."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings

from strategies.arguments import cases
from strategies.core_schemas import core_schemas
from support.engines import Trial, assert_agree
from support.samples import each

OPEN_UNION = {"properties": {"a": {"oneOf": [{"type": "object"}, {"type": "array"}]}}}


def test_engines_agree_where_the_depth_limit_is_near() -> None:
    verdicts = Counter[bool | None]()

    def agree(case: tuple[dict[str, Any], list[Any]]) -> None:
        schema, arguments = case
        verdicts.update(map(Trial(schema, limits={"instance_depth": 2}).judge, arguments))

    each(cases(core_schemas(), bases=4, edited=4), settings().max_examples // 10, agree)
    assert all(verdicts[outcome] for outcome in (True, False, None)), verdicts


@pytest.mark.parametrize("kind", ["objects", "arrays"])
def test_the_documented_depth_is_reached(kind: str) -> None:
    nested: Any = []
    for _ in range(254):
        nested = [nested] if kind == "arrays" else {"a": nested}
    assert assert_agree(OPEN_UNION, [{"a": nested}, {"a": nested, "b": object()}]) == [True, True]


@pytest.mark.parametrize("levels", [300, 5_000, 100_000])
def test_what_is_deeper_is_neither_valid_nor_invalid(levels: int) -> None:
    nested: Any = []
    for _ in range(levels):
        nested = [nested]
    assert assert_agree(OPEN_UNION, [{"a": nested}, {"b": nested}]) == [None, True]


def test_what_contains_itself_is_neither_valid_nor_invalid() -> None:
    itself: Any = {}
    itself["a"] = [itself]
    assert assert_agree(OPEN_UNION, [itself, {"b": itself}]) == [None, True]

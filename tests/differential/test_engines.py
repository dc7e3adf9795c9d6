"""Generated schemas, and arguments near their boundary: every engine and every pass must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import settings

from strategies.arguments import cases
from strategies.core_schemas import core_schemas
from support.engines import Stages, Trial
from support.samples import each
from support.voice import Voice

TYPES = ("object", "array", "string", "integer", "number", "boolean")
BOTH_WAYS = (*(f"type {name}" for name in TYPES), "properties", "required", "items", "minimum")
OUTCOMES = (
    *(f"{keyword}: {outcome}" for keyword in BOTH_WAYS for outcome in ("pass", "fail")),
    *("additionalProperties true: pass", "additionalProperties false: pass", "additionalProperties false: fail"),
    *("oneOf: pass", "oneOf: fail (none matches)", "oneOf: fail (several match)", "oneOf: fail (foreign)"),
)
"""What each keyword can come to."""

FULL = 1_300
"""Examples from which on chance leaves no outcome out; profile `ci` has as many."""


def test_engines_agree(summary: Callable[[str], None]) -> None:
    voice, pairs, schemas, verdicts = Voice(), set[int](), set[str](), Counter[bool | None]()

    def agree(case: tuple[dict[str, Any], list[Any]]) -> None:
        schema, arguments = case
        trial = Trial(schema, Stages(voice=voice))
        schemas.add(trial.contract.digest)
        for value in arguments:
            pair = hash((trial.contract.digest, repr(value)))
            if pair not in pairs:
                pairs.add(pair)
                verdicts[trial.judge(value)] += 1

    examples = settings().max_examples
    each(cases(core_schemas(), bases=5, edited=7), examples, agree)
    share = verdicts[True] / len(pairs)
    summary(f"{len(schemas)} schemas, {len(pairs)} pairs, {share:.0%} valid, {verdicts[None]} beyond a limit")
    for outcome in OUTCOMES:
        summary(f"{outcome:40} {voice.census[outcome]:7}")
    assert set(voice.census) <= set(OUTCOMES), "an outcome that is not listed"
    if examples >= FULL:
        assert len(pairs) >= 10_000
        assert 0.3 <= share <= 0.7
        rare = {outcome: voice.census[outcome] for outcome in OUTCOMES if voice.census[outcome] < 50}
        assert not rare, f"met too seldom: {rare}"

"""Generated schemas built as one native module, beside all other engines; and bugs planted in its printer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from admit.compiler.print_cython import print_cython
from admit.contract import check
from strategies.arguments import cases
from strategies.core_schemas import core_schemas, objects
from support.engines import Disagreement, Trial
from support.native import build_module
from support.samples import sample

pytestmark = pytest.mark.native


def judged(found: list[tuple[Any, list[Any]]], directory: Path) -> tuple[int, Counter[bool | None], dict[str, str]]:
    """How many schemas are native, the verdicts on all their arguments, and why the other schemas are not native."""
    contracts = {contract.digest: contract for contract in (check(schema) for schema, _ in found)}
    functions, too_large = build_module(contracts.values(), directory)
    verdicts = Counter[bool | None]()
    for schema, arguments in found:
        digest = check(schema).digest
        if contracts.pop(digest, None) and digest in functions:
            trial = Trial(schema, native=functions[digest])
            verdicts.update(map(trial.judge, {repr(value): value for value in arguments}.values()))
    return len(functions), verdicts, too_large


@pytest.mark.slow
def test_one_module_of_many_schemas(tmp_path: Path, summary: Callable[[str], None]) -> None:
    count, verdicts, too_large = judged(sample(cases(core_schemas(), bases=10, edited=20), 280), tmp_path)
    pairs, share = verdicts.total(), verdicts[True] / verdicts.total()
    summary(f"{count} schemas in one native module, {pairs} pairs, {share:.0%} valid; {len(too_large)} too large")
    assert count >= 200
    assert pairs >= 5_000
    assert 0.3 <= share <= 0.7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        pytest.param(r"(admit_below_small\(\w+), -?\d+\)", r"\1, 0)", id="wrong_bound"),
        pytest.param(r"index(\w*) = 0\n", r"index\1 = 1\n", id="skipped_item"),
        pytest.param(r"seen(\w*) != \d+:", r"seen\1 < 0:", id="dropped_required"),
        pytest.param(r"(admit_is_integer)(\(\w+\))", r"(\1\2 or admit_is_boolean\2)", id="true_for_one"),
    ],
)
def test_bug_in_the_cython_printer(pattern: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("admit.compiler.print_cython", lambda units: re.sub(pattern, wrong, print_cython(units)))
    with pytest.raises(Disagreement) as caught:
        judged(sample(cases(objects(2), bases=4, edited=20), 40), tmp_path)
    assert caught.value.stage == "native"

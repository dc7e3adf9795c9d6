"""Every hostile case has its right outcome at every tier, in a process with limits of time and memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache

import pytest

from .cases import SHARED, core_cases, shared_cases
from .runner import UnavailableTierError, run

CASES = {case["id"]: case for case in core_cases()}
TIERS = ["reference", "python", pytest.param("native", marks=pytest.mark.native)]

pytestmark = pytest.mark.slow


def judged(tier: str, cases: list[dict[str, object]]) -> dict[str, list[str]]:
    try:
        return run(tier, cases)
    except UnavailableTierError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest) -> Callable[[str], dict[str, list[str]]]:
    """The problems found at a tier, by case; all the cases that this session asks for are judged at once."""
    wanted = [item.callspec.params for item in request.session.items if item.name.startswith("test_case[")]

    @cache
    def at(tier: str) -> dict[str, list[str]]:
        return judged(tier, [CASES[asked["case"]] for asked in wanted if asked["tier"] == tier])

    return at


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("case", CASES)
def test_case(case: str, tier: str, outcomes: Callable[[str], dict[str, list[str]]]) -> None:
    assert outcomes(tier)[case] == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared cases are not beside this repository")
@pytest.mark.parametrize("tier", TIERS)
def test_shared_cases(tier: str) -> None:
    cases = shared_cases()
    outcomes = judged(tier, cases)
    assert len(outcomes) == len(cases) > 0
    assert {case: found for case, found in outcomes.items() if found} == {}

"""Whatever is given as a schema: `check` accepts it or raises one of its own errors, and what it accepts compiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import admit
from admit import reference
from admit.contract import Contract, check
from admit.errors import ExecutionError, SchemaError, UnsupportedCapabilityError
from strategies.any_schemas import anything, nearly_core, towers
from strategies.core_schemas import core_schemas, symbolic
from strategies.foreign import TOUCHED
from support.engines import fingerprint
from support.native import build_module
from support.pointers import resolve
from support.samples import sample

ARGUMENTS: tuple[Any, ...] = ({}, {"a": "x"}, {"a": {"a": {}}, "path": "x"}, None, [])


def checked(schema: Any) -> Contract | type[Exception]:
    """The contract, or the class of the error, one of the three that there may be; its location resolves."""
    before = fingerprint(schema)
    TOUCHED.clear()
    try:
        return check(schema)
    except (SchemaError, UnsupportedCapabilityError, ExecutionError) as error:
        resolve(schema, error.details.get("location", ""))
        assert error.message.isprintable()
        assert len(error.message) < 2_000
        return type(error)
    finally:
        assert not TOUCHED
        assert fingerprint(schema) == before


def test_any_schema_is_accepted_or_refused(summary: Callable[[str], None]) -> None:
    outcomes = Counter[str]()

    @given(st.one_of(anything(), nearly_core(), nearly_core(), towers()))
    def judged(schema: Any) -> None:
        contract = checked(schema)
        if isinstance(contract, Contract):
            validator = admit.compile(contract, tier="python")
            for arguments in ARGUMENTS:
                assert validator.is_valid(arguments) is reference.verdict(contract, arguments)
            outcomes[f"accepted, {validator.tier} tier"] += 1
        else:
            outcomes[contract.__name__] += 1

    judged()
    for outcome, count in outcomes.most_common():
        summary(f"{outcome:40} {count:7}")
    assert {"accepted, python tier", "SchemaError", "UnsupportedCapabilityError"} <= set(outcomes)


@pytest.mark.native
@pytest.mark.slow
def test_what_is_accepted_is_built(tmp_path: Path) -> None:
    found = [checked(schema) for schema in sample(st.one_of(nearly_core(), towers()), 60)]
    contracts = {contract.digest: contract for contract in found if isinstance(contract, Contract)}
    functions, too_large = build_module(contracts.values(), tmp_path)
    assert functions.keys() | too_large.keys() == contracts.keys()
    for digest, function in functions.items():
        for arguments in ARGUMENTS:
            assert function(arguments) is reference.verdict(contracts[digest], arguments)


@settings(max_examples=100)
@given(core_schemas())
def test_symbols_mean_their_values(schema: dict[str, Any]) -> None:
    assert check(symbolic(schema)).digest == check(schema).digest

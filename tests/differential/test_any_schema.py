"""Whatever is given as a schema: `check` accepts it or raises one of its own errors, and what it accepts is compiled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.any_schemas import anything, nearly_core, towers
from strategies.core_schemas import core_schemas, symbolic
from support.pointers import resolve

from admit.contract import Contract, check
from admit.errors import AdmitError, ExecutionError, SchemaError, UnsupportedCapabilityError


def checked(schema: Any) -> Contract | None:
    """The contract; None where the schema was refused as it may be refused."""
    try:
        return check(schema)
    except (SchemaError, UnsupportedCapabilityError, ExecutionError) as error:
        if "location" in error.details:
            resolve(schema, error.details["location"])
        assert error.message.isprintable() and len(error.message) < 2_000
        return None


@given(st.one_of(anything(), nearly_core(), nearly_core(), towers()))
def test_any_schema_is_accepted_or_refused(schema: Any) -> None:
    checked(schema)


@settings(max_examples=100)
@given(core_schemas())
def test_symbols_mean_their_values(schema: dict[str, Any]) -> None:
    assert check(symbolic(schema)).digest == check(schema).digest

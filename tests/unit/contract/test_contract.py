"""What a contract promises: it is a copy, it never changes, its digests say what is the same."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admit import SchemaError, ValidationError, check, compile
from admit.contract import canonical_json, decimal_digits
from strategies.core_schemas import core_schemas

SCHEMA = {
    "type": "object",
    "description": "d",
    "properties": {"description": {"type": "string", "description": "inner"}, "b": {"oneOf": [{"type": "integer"}]}},
    "additional_properties": False,
}


def test_a_changed_schema_changes_nothing() -> None:
    schema = copy.deepcopy(SCHEMA)
    contract = check(schema)
    digest = contract.digest
    schema["properties"].clear()  # type: ignore[attr-defined]
    contract.schema["properties"].clear()
    assert contract.schema == SCHEMA
    assert check(SCHEMA).digest == digest
    with pytest.raises(dataclasses.FrozenInstanceError):
        contract.root = "any"  # type: ignore[misc]


def test_digests() -> None:
    first = check(SCHEMA)
    turned = check(dict(reversed(SCHEMA.items())))
    assert turned.schema_digest == first.schema_digest
    assert turned.digest != first.digest
    edited = copy.deepcopy(SCHEMA)
    edited["description"] = "other"
    edited["properties"]["description"]["description"] = "other"  # type: ignore[index]
    assert check(edited).schema_digest != first.schema_digest
    assert check(edited).assertion_digest == first.assertion_digest
    renamed = copy.deepcopy(SCHEMA)
    del renamed["properties"]["description"]  # type: ignore[attr-defined]
    assert check(renamed).assertion_digest != first.assertion_digest, "a property may be called description"
    canonical = {**{k: v for k, v in SCHEMA.items() if k != "additional_properties"}, "additionalProperties": False}
    assert check(canonical).assertion_digest == first.assertion_digest
    assert check(SCHEMA, limits={"instance_depth": 9}).digest != first.digest
    assert all(text.startswith("sha256:") and len(text) == 71 for text in (first.digest, first.schema_digest))


def test_one_is_not_one_point_zero_to_a_digest() -> None:
    def bounded(bound: Any) -> Any:
        return check({"properties": {"a": {"type": "integer", "minimum": bound}}})

    assert bounded(1).digest != bounded(1.0).digest


@given(core_schemas())
def test_accepted_schemas_come_back_as_json(schema: Any) -> None:
    contract = check(schema)
    assert json.loads(contract.text) == contract.schema
    assert check(contract.schema).digest == contract.digest


@given(st.integers(min_value=0, max_value=10**3000))
def test_decimal_digits(number: int) -> None:
    assert decimal_digits(number) == str(number)


def test_canonical_json_has_integers_of_any_size() -> None:
    number = 10**20_000
    assert canonical_json({"b": [-number], "a": 1.5}, sort_keys=True) == '{"a":1.5,"b":[-1' + "0" * 20_000 + "]}"


def test_errors_travel_between_processes() -> None:
    with pytest.raises(SchemaError) as caught:
        check(5)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (again.to_dict(), type(again)) == (caught.value.to_dict(), SchemaError)
    with pytest.raises(ValidationError) as refused:
        compile(SCHEMA, tier="reference").validate([])
    again = pickle.loads(pickle.dumps(refused.value))  # noqa: S301
    assert again.to_dict() == refused.value.to_dict()

"""The reference interpreter: verdicts, the order of failures, their places."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest

from admit import ExecutionError, check
from admit.messages import SENTENCES
from admit.profiles import PROFILES, core
from admit.reference import explain, verdict
from admit.reference.keywords import KEYWORDS

ASK = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "options": {
            "type": "array",
            "items": {
                "oneOf": [
                    {"type": "string"},
                    {"type": "object", "properties": {"label": {"type": "string"}}, "required": ["label"]},
                ]
            },
        },
        "count": {"type": "integer", "minimum": 1},
    },
    "required": ["question"],
    "additionalProperties": False,
}


def found(schema: Any, arguments: Any, limit: int = 9) -> list[tuple[str, str, str]]:
    failures = explain(check(schema), arguments, limit)
    assert verdict(check(schema), arguments) is not bool(failures)
    return [(failure.keyword, failure.instance_location, failure.keyword_location) for failure in failures]


def test_keywords_are_complete() -> None:
    """Every keyword of the profile is judged, explained and documented, or asserts nothing."""
    profile = PROFILES["core"]
    asserting = set(core.RULES) - profile.annotations
    assert set(KEYWORDS) == asserting
    assert set(SENTENCES) == asserting - {"properties", "items"}, "these fail by their subschemas alone"
    assert set(profile.applicators) <= asserting
    table = (Path(__file__).parents[3] / "docs/core-profile.md").read_text("utf-8").partition("\nThe root")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(core.RULES)


def test_type_comes_first_then_missing_then_unknown_then_members() -> None:
    assert found(ASK, {"count": 0, "colour": 1}) == [
        ("required", "", "/required"),
        ("additionalProperties", "/colour", "/additionalProperties"),
        ("minimum", "/count", "/properties/count/minimum"),
    ]
    assert found(ASK, []) == [("type", "", "/type")]


def test_a_union_is_explained_by_the_alternative_that_was_meant() -> None:
    place = "/properties/options/items/oneOf"
    assert found(ASK, {"question": "q", "options": [{}]}) == [("required", "/options/0", f"{place}/1/required")]
    assert found(ASK, {"question": "q", "options": [3]}) == [("oneOf", "/options/0", place)]


def test_several_alternatives_match() -> None:
    schema = {"properties": {"n": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}}
    assert found(schema, {"n": 1.5}) == []
    assert found(schema, {"n": 1}) == [("oneOf", "/n", "/properties/n/oneOf")]
    assert "2 of the alternatives" in explain(check(schema), {"n": 2.0})[0].message


def test_the_alias_is_found_where_it_stands() -> None:
    assert found({"additional_properties": False}, {"a": 1}) == [
        ("additionalProperties", "/a", "/additional_properties")
    ]


def test_a_required_name_that_is_not_declared() -> None:
    assert found({"required": ["a"]}, {}) == [("required", "", "/required")]
    assert found({"required": ["a"], "additionalProperties": False}, {"a": 1}) == [
        ("additionalProperties", "/a", "/additionalProperties")
    ]


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (1, {"integer", "number"}),
        (2.0, {"integer", "number"}),
        (1.5, {"number"}),
        (-0.0, {"integer", "number"}),
        (10**400, {"integer", "number"}),
        (1e308, {"integer", "number"}),
        (float("nan"), set()),
        (float("inf"), set()),
        (True, {"boolean"}),
        ("", {"string"}),
        ([], {"array"}),
        ({}, {"object"}),
        (None, set()),
        ({1: 2}, set()),
        ((), set()),
        (b"", set()),
        (datetime.date(2026, 1, 1), set()),
        (type("S", (str,), {})("a"), set()),
        (type("D", (dict,), {})(), set()),
    ],
)
def test_types(value: Any, fits: set[str]) -> None:
    for name in core.TYPES:
        contract = check({"properties": {"a": {"type": name}}})
        assert verdict(contract, {"a": value}) is (name in fits), name


@pytest.mark.parametrize(
    ("bound", "value", "valid"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (1, 0.9999, False),
        (2**53 + 1, 2.0**53, False),
        (2**53 + 1, 2**53 + 1, True),
        (1e308, 10**309, True),
        (1e308, 10**307, False),
        (10**400, 1.7e308, False),
        (-(10**400), -1.7e308, True),
        (0, -0.0, True),
        (0.5, 0, False),
    ],
)
def test_bounds_are_exact(bound: Any, value: Any, valid: bool) -> None:
    assert verdict(check({"properties": {"a": {"type": "number", "minimum": bound}}}), {"a": value}) is valid


def test_foreign_values_under_a_union() -> None:
    schema = {"properties": {"a": {"oneOf": [{"type": "object"}, {"type": "array"}]}, "b": {"type": "object"}}}
    today = datetime.date(2026, 1, 1)
    assert found(schema, {"a": {"x": [today]}}) == [("oneOf", "/a/x/0", "/properties/a/oneOf")]
    assert found(schema, {"b": {"x": [today]}, "c": today}) == [], "what nothing constrains is not looked at"


def test_nesting_beyond_the_limit_is_no_verdict() -> None:
    schema = {"properties": {"a": {"oneOf": [{"type": "array"}]}}}
    deep: Any = []
    for _ in range(255):
        deep = [deep]
    assert verdict(check(schema), {"a": deep})
    with pytest.raises(ExecutionError):
        verdict(check(schema), {"a": [deep]})
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(ExecutionError):
        verdict(check(schema), {"a": cycle})


def test_shared_containers_cost_what_they_are() -> None:
    shared: Any = []
    for _ in range(200):
        shared = [shared, shared]
    assert verdict(check({"properties": {"a": {"oneOf": [{"type": "array"}]}}}), {"a": shared})


def test_explanations_are_bounded() -> None:
    schema = {"properties": {"a": {"type": "array", "items": {"type": "string"}}}}
    failures = explain(check(schema), {"a": [1] * 10_000}, 3)
    assert [failure.instance_location for failure in failures] == ["/a/0", "/a/1", "/a/2"]


def test_sentences_are_bounded_and_plain() -> None:
    name = "\x1b[31m\r\n" + "n" * 9_000
    schema = {"properties": {name: {"type": "integer", "minimum": 10**9_000}}, "required": [name, "b"]}
    for arguments in ({}, {name: "x"}, {name: 10**8_000}, {"b": {name: 1}}):
        for failure in explain(check({**schema, "additionalProperties": False}), arguments, 3):
            assert failure.message.isprintable()
            assert len(failure.message) < 2_000

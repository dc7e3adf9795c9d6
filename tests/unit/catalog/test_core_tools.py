"""The nine coding tools, and the calls of the example catalog, decided and located as listed by every tier."""

from __future__ import annotations

import copy
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import admit

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "cases" / "core-tools.json"
FIXTURE = ROOT / "tests" / "cases" / "core_tools.json"
EXAMPLES = ROOT / "examples"


def load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def without_descriptions(schema: Any) -> Any:
    """`schema` without its annotations; a property that is called `description` stays."""
    kept = {keyword: value for keyword, value in schema.items() if keyword != "description"}
    if "properties" in kept:
        kept["properties"] = {name: without_descriptions(member) for name, member in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = without_descriptions(kept["items"])
    if "oneOf" in kept:
        kept["oneOf"] = [without_descriptions(branch) for branch in kept["oneOf"]]
    return kept


@cache
def admitted(path: Path, tier: str) -> admit.AdmittedCatalog:
    try:
        return admit.load_catalog(path).admit(tier=tier)
    except admit.UnavailableError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(error.message)


SETS = {
    "core_tools": (FIXTURE, load(FIXTURE)["calls"]),
    "examples": (EXAMPLES / "catalog.json", load(EXAMPLES / "calls.json")["calls"]),
}


@pytest.mark.parametrize("tier", ["reference", "python", pytest.param("native", marks=pytest.mark.native)])
@pytest.mark.parametrize(
    ("catalog", "call"),
    [
        pytest.param(path, call, id=f"{name}-{index}-{call['tool']}")
        for name, (path, calls) in SETS.items()
        for index, call in enumerate(calls)
    ],
)
def test_calls(catalog: Path, call: dict[str, Any], tier: str) -> None:
    validator = admitted(catalog, tier)[call["tool"]]
    arguments, text = copy.deepcopy(call["arguments"]), json.dumps(call["arguments"])
    assert validator.tier == tier
    assert validator.is_valid(arguments) is call["valid"]
    assert validator.is_valid_json(text) is validator.is_valid_json(text.encode()) is call["valid"]
    failures = validator.failures(arguments)
    assert failures == validator.failures_json(text)
    if call["valid"]:
        assert failures == []
        assert validator.validate(arguments) is arguments
        assert validator.validate_json(text) == arguments
    else:
        assert failures[0].instance_location == call["instance_location"]
        assert failures[0].keyword == call["keyword"]
        for validate, data in ((validator.validate, arguments), (validator.validate_json, text)):
            with pytest.raises(admit.ValidationError) as caught:
                validate(data)
            assert list(caught.value.failures) == failures
    assert arguments == call["arguments"]


def test_the_fixture_is_the_issues_with_descriptions() -> None:
    if not SHARED.is_file():
        pytest.skip("../shared/cases/core-tools.json is not here")
    ours, theirs = load(FIXTURE), load(SHARED)
    assert [
        {"name": tool["name"], "inputSchema": without_descriptions(tool["inputSchema"])} for tool in ours["tools"]
    ] == theirs["tools"]
    assert ours["calls"] == theirs["calls"]
    assert len(ours["tools"]) == 9
    assert len(ours["calls"]) == 23


def test_every_tool_and_property_of_the_example_is_described() -> None:
    tools = load(EXAMPLES / "catalog.json")["tools"]
    assert tools[:9] == load(FIXTURE)["tools"]

    def described(schema: Any, root: bool = False) -> bool:
        return (root or bool(schema.get("description"))) and all(map(described, schema.get("properties", {}).values()))

    assert all(tool["description"] and described(tool["inputSchema"], root=True) for tool in tools)


def test_the_example_calls_reach_every_tool_both_ways() -> None:
    calls = load(EXAMPLES / "calls.json")["calls"]
    names = {tool["name"] for tool in load(EXAMPLES / "catalog.json")["tools"]}
    for valid in (True, False):
        assert {call["tool"] for call in calls if call["valid"] is valid} == names
    refused_for = {call["keyword"] for call in calls if not call["valid"]}
    assert refused_for == {"type", "required", "minimum", "additionalProperties"}

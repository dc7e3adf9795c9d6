"""What `Catalog.admit` does with tools that cannot be admitted, and with a listing that changes."""

from __future__ import annotations

import os
import pickle
import threading
import traceback
from typing import Any

import pytest

from admit import AdmitError, SchemaError, UnavailableError, UnsupportedCapabilityError, load_catalog
from admit.catalog import DeferredValidator

TEXT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
COUNT = {"type": "object", "properties": {"a": {"type": "integer"}}}
TITLED = {"type": "object", "title": "T"}
MALFORMED = {"type": "object", "required": "a"}


def tool(name: str, schema: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": schema}


MIXED = load_catalog(
    [
        tool("first", TEXT),
        tool("titled", TITLED),
        tool("twice", TEXT),
        tool("malformed", MALFORMED),
        tool("twice", COUNT),
        tool("bare", None),
        {"name": "two", "parameters": TEXT, "input_schema": COUNT},
        tool("deep", {"type": "object", "properties": {"a": {"type": "array", "items": TEXT}}}),
        tool("last", COUNT),
    ]
)
WHY = {
    "titled": (UnsupportedCapabilityError, "/title"),
    "twice": (SchemaError, None),
    "malformed": (SchemaError, "/required"),
    "bare": (UnsupportedCapabilityError, ""),
    "two": (SchemaError, None),
}
OPEN = {"first": {"a": "x"}, "deep": {"a": [{"a": "x"}]}, "last": {"a": 2.0}}


def reasons(rejected: Any) -> dict[str, Any]:
    return {name: (type(error), error.details.get("location")) for name, error in rejected.items()}


def test_reject_admits_all() -> None:
    admitted = load_catalog({"b": TEXT, "a": COUNT}).admit()
    assert list(admitted) == ["b", "a"]
    assert not admitted.rejected
    assert [tool.name for tool in admitted.tools] == ["b", "a"]
    assert admitted["b"].validate({"a": "x"}) == {"a": "x"}
    assert not admitted["a"].is_valid({"a": "x"})
    assert "c" not in admitted
    with pytest.raises(KeyError):
        admitted["c"]


def test_reject_is_one_error_with_every_tools() -> None:
    with pytest.raises(UnsupportedCapabilityError) as caught:  # the class of the first
        MIXED.admit()
    error = caught.value
    assert error.message.startswith('5 of 9 tools were refused: "titled": ')
    assert error.message.endswith("; and 2 more")
    assert (error.details["tool"], error.details["location"], error.details["keyword"]) == ("titled", "/title", "title")
    assert list(error.details["tools"]) == list(WHY)
    assert error.details["tools"]["malformed"] == {
        "code": "validation",
        "message": error.details["tools"]["malformed"]["message"],
        "details": {"location": "/required", "keyword": "required", "tool": "malformed"},
    }
    assert "2 tools" in error.details["tools"]["twice"]["message"]
    assert pickle.loads(pickle.dumps(error)).to_dict() == error.to_dict()  # noqa: S301 - its own


def test_quarantine_leaves_out_and_keeps_why() -> None:
    admitted = MIXED.admit("quarantine")
    assert list(admitted) == ["first", "deep", "last"]
    assert [tool.name for tool in admitted.tools] == ["first", "deep", "last"]
    assert list(admitted.rejected) == list(WHY)
    assert reasons(admitted.rejected) == WHY
    assert all(error.details["tool"] == name for name, error in admitted.rejected.items())
    assert all(admitted[name].is_valid(arguments) for name, arguments in OPEN.items())


def test_quarantine_takes_limits_for_reasons_too() -> None:
    admitted = MIXED.admit("quarantine", limits={"schema_depth": 1})
    assert list(admitted) == ["first", "last"]
    assert admitted.rejected["deep"].details["limit"] == "schema_depth"


def test_defer_registers_and_every_call_raises() -> None:
    admitted = MIXED.admit("defer")
    assert list(admitted) == ["first", "titled", "twice", "malformed", "bare", "two", "deep", "last"]
    assert [tool.descriptor for tool in admitted.tools] == [tool.descriptor for tool in MIXED]
    assert reasons(admitted.rejected) == WHY
    assert all(admitted[name].is_valid(arguments) for name, arguments in OPEN.items())
    for name in WHY:
        deferred = admitted[name]
        assert isinstance(deferred, DeferredValidator)
        for call in ("is_valid", "validate", "failures", "is_valid_json", "validate_json", "failures_json"):
            for arguments in ({}, {"a": "x"}, object(), b"{", None):
                with pytest.raises(AdmitError) as caught:
                    getattr(deferred, call)(arguments)
                assert caught.value.to_dict() == admitted.rejected[name].to_dict()


def test_a_deferred_error_is_raised_anew_each_time() -> None:
    deferred = MIXED.admit("defer")["titled"]
    depths = []
    for _ in range(3):
        with pytest.raises(AdmitError) as caught:
            deferred.is_valid({})
        depths.append(len(traceback.extract_tb(caught.value.__traceback__)))
    assert depths[0] == depths[1] == depths[2]


@pytest.mark.parametrize("policy", ["reject", "quarantine", "defer"])
def test_wrong_options_are_the_callers_mistake(policy: Any) -> None:
    with pytest.raises(TypeError):
        MIXED.admit(policy, limits={"no such limit": 1})
    with pytest.raises(ValueError, match="one of reject, quarantine, defer, not 'drop'"):
        MIXED.admit("drop")  # type: ignore[arg-type]


def test_catalog_and_admitted_stay_as_they_are() -> None:
    descriptor = tool("first", {"type": "object", "properties": {"a": {"type": "string"}}})
    catalog = load_catalog([descriptor])
    admitted = catalog.admit()
    descriptor["inputSchema"]["properties"]["a"]["type"] = "integer"
    assert admitted["first"].is_valid({"a": "x"})
    with pytest.raises((TypeError, AttributeError)):
        admitted.rejected["first"] = SchemaError("no")  # type: ignore[index]


@pytest.mark.parametrize("tier", ["auto", "reference", "python"])
def test_the_tier_is_the_one_asked_for(tier: str) -> None:
    admitted = load_catalog({"a": TEXT, "b": COUNT}).admit(tier=tier)
    assert {validator.tier for validator in admitted.values()} <= ({"python", "native"} if tier == "auto" else {tier})


@pytest.mark.native
def test_build_makes_every_validator_native_in_place() -> None:
    admitted = MIXED.admit("defer", tier="python")
    before = dict(admitted)
    held = admitted["first"].is_valid
    try:
        admitted.build()
    except UnavailableError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(error.message)
    assert dict(admitted) == before
    assert {name: validator.tier for name, validator in admitted.items() if name not in WHY} == dict.fromkeys(
        OPEN, "native"
    )
    assert {admitted[name].tier for name in WHY} == {"deferred"}
    assert admitted["first"].is_valid is not held
    for name, arguments in OPEN.items():
        assert admitted[name].is_valid(arguments)
        assert not admitted[name].is_valid({"a": None})
    assert held({"a": "x"})
    assert not held({"a": 1})

    compiled = admitted["first"].is_valid
    admitted.build()  # nothing is left to do
    assert admitted["first"].is_valid is compiled
    admitted.refresh(load_catalog([tool("first", TEXT), tool("changed", {**COUNT, "required": ["b", "a"]})]))
    assert admitted["first"].is_valid is compiled


def test_refresh_keeps_what_is_the_same_and_replaces_what_changed() -> None:
    admitted = load_catalog([tool("a", TEXT), tool("b", COUNT), tool("gone", TEXT)]).admit()
    kept, replaced = admitted["a"], admitted["b"]
    admitted.refresh(load_catalog([tool("new", TEXT), tool("b", {**COUNT, "required": ["a"]}), tool("a", TEXT)]))
    assert list(admitted) == ["new", "b", "a"]
    assert admitted["a"] is kept
    assert admitted["b"] is not replaced
    assert not admitted["b"].is_valid({})
    assert replaced.is_valid({})  # who holds the old one keeps its verdicts
    assert [tool.name for tool in admitted.tools] == ["new", "b", "a"]


def test_refresh_follows_the_first_policy_and_options() -> None:
    admitted = MIXED.admit("quarantine", limits={"schema_depth": 1})
    admitted.refresh(load_catalog([tool("titled", TEXT), tool("first", TITLED), tool("deep", MIXED.tools[-2].schema)]))
    assert list(admitted) == ["titled"]
    assert list(admitted.rejected) == ["first", "deep"]


def test_a_refresh_that_is_refused_changes_nothing() -> None:
    admitted = load_catalog({"a": TEXT}).admit()
    before = admitted["a"]
    with pytest.raises(UnsupportedCapabilityError):
        admitted.refresh(load_catalog({"a": TEXT, "b": TITLED}))
    assert list(admitted) == ["a"]
    assert admitted["a"] is before
    assert not admitted.rejected


def test_readers_see_the_old_listing_or_the_new_one() -> None:
    """Two listings that disagree on a call are swapped while threads decide it: never a gap, never a mixture."""
    listings = [load_catalog({"a": TEXT, "b": TEXT}), load_catalog({"b": COUNT, "a": COUNT})]
    admitted = listings[0].admit()
    stop, seen = threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            validators = list(admitted.values())
            seen.add((len(validators), *(validator.is_valid({"a": "x"}) for validator in validators)))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for turn in range(1, 200):
        admitted.refresh(listings[turn % 2])
    stop.set()
    for reader in readers:
        reader.join()
    assert seen == {(2, True, True), (2, False, False)}

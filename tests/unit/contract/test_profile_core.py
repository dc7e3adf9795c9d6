"""Profile `core`, by the rows of docs/core-profile.md."""

from __future__ import annotations

import enum
import json
import sys
from collections import OrderedDict, UserDict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from admit import AdmitError, ExecutionError, Limits, SchemaError, UnsupportedCapabilityError, check
from support.pointers import resolve

CASES = json.loads((Path(__file__).parents[2] / "cases/core_profile.json").read_text("utf-8"))["cases"]


class Key(enum.Enum):
    TYPE = "type"
    OBJECT = "object"
    PROPERTIES = "properties"
    STRING = "string"
    NUMBER = 5


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_row(case: dict[str, Any]) -> None:
    if case["code"] is None:
        assert check(case["schema"]).schema == case["schema"]
        return
    with pytest.raises(AdmitError) as caught:
        check(case["schema"])
    error = caught.value
    assert isinstance(error, UnsupportedCapabilityError if error.code == "unsupported_capability" else SchemaError)
    assert (error.code, error.details["location"]) == (case["code"], case["location"])
    assert error.details.get("keyword") == case.get("keyword")
    resolve(case["schema"], error.details["location"])
    if "keyword" in case:
        assert f"`{case['keyword']}`" in error.message or case["keyword"] in error.message


def test_the_way_out_is_named() -> None:
    def profiles(schema: Any) -> list[str]:
        with pytest.raises(UnsupportedCapabilityError) as caught:
            check(schema)
        assert all(name in caught.value.message for name in caught.value.details["profiles"])
        found: list[str] = caught.value.details["profiles"]
        return found

    assert profiles({"properties": {"a": {"enum": [1]}}}) == ["2020-12", "draft-07"]
    assert profiles({"unevaluatedProperties": False}) == ["2020-12"]
    assert profiles({"additionalItems": False}) == ["draft-07"]
    assert profiles({"properties": {"a": {"type": "array", "items": [{}]}}}) == ["draft-07"]
    assert profiles({"x-order": 1}) == ["2020-12", "draft-07"]
    assert profiles({"frobnicate": 1}) == []
    assert profiles({"properties": {"a": {"type": "float"}}}) == []


def test_symbolic_keys_and_types() -> None:
    schema = {Key.TYPE: Key.OBJECT, Key.PROPERTIES: {"a": {Key.TYPE: Key.STRING}}}
    assert check(schema).schema == {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "location"),
    [
        ({"type": "object", Key.TYPE: "object"}, "/type"),
        ({"properties": {1: {"type": "string"}}}, "/properties"),
        ({None: 1}, ""),
        ({Key.NUMBER: 1}, ""),
        ({"properties": {"a": {"type": "string", ("b",): 1}}}, "/properties/a"),
        ({"properties": {"a": {"type": b"string"}}}, "/properties/a/type"),
        ({"required": ("a",)}, "/required"),
        ({"properties": {"a": {"type": "integer", "minimum": float("nan")}}}, "/properties/a/minimum"),
        ({"properties": {"a": {"type": "integer", "minimum": float("inf")}}}, "/properties/a/minimum"),
        ({"description": object()}, "/description"),
    ],
)
def test_what_is_no_json_is_malformed(schema: Any, location: str) -> None:
    with pytest.raises(SchemaError) as caught:
        check(schema)
    assert caught.value.details["location"] == location


def test_what_is_no_json_waits_for_its_turn() -> None:
    with pytest.raises(UnsupportedCapabilityError):
        check({"title": "T", "properties": {1: {}}})


def test_mappings_and_subclasses_are_read_as_what_they_are() -> None:
    class Text(str):
        def __repr__(self) -> str:
            raise AssertionError("nothing of a stranger's is called")

        __str__ = __hash__ = __repr__  # type: ignore[assignment]

    schema = OrderedDict(properties=MappingProxyType({"a": OrderedDict(type=Text("string"))}))
    contract = check(schema)
    assert contract.schema == {"properties": {"a": {"type": "string"}}}
    assert type(contract.schema["properties"]["a"]["type"]) is str


def test_a_dict_is_read_past_what_it_overrides() -> None:
    class Odd(OrderedDict[str, Any]):
        def __iter__(self) -> Any:
            raise RuntimeError

        keys = items = __iter__  # type: ignore[assignment]

    assert check(Odd(type="object")).schema == {"type": "object"}


def lying(about: type) -> Any:
    """An object that says that it is of another class."""
    return type("Lying", (), {"__class__": property(lambda self: about)})()


@pytest.mark.parametrize("about", [dict, str, int, float, list, Key], ids=lambda about: about.__name__)
def test_objects_that_lie_about_their_class(about: type) -> None:
    for schema in (lying(about), {"properties": lying(about)}, {lying(about): 1}, {"description": lying(about)}):
        with pytest.raises(SchemaError):
            check(schema)


def test_names_of_classes_are_bounded_and_escaped() -> None:
    class Meta(type):
        @property
        def __name__(cls) -> str:
            raise KeyboardInterrupt

    for odd in (type("\x1b[31m" + "A" * 100_000, (), {})(), Meta("Odd", (), {})()):
        with pytest.raises(SchemaError) as caught:
            check({"properties": odd})
        assert len(caught.value.message) < 300
        assert caught.value.message.isprintable()


def test_a_mapping_that_cannot_be_read_is_malformed() -> None:
    class Broken(UserDict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise RuntimeError

    with pytest.raises(SchemaError, match="cannot be read"):
        check(Broken(type="object"))


def test_a_schema_that_contains_itself() -> None:
    schema: dict[str, Any] = {"properties": {}}
    schema["properties"]["again"] = schema
    with pytest.raises(SchemaError, match="contains itself"):
        check(schema)


def nested(depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_limits() -> None:
    check(nested(128))
    for schema, limits, name in (
        (nested(129), {}, "schema_depth"),
        (nested(5), {"schema_depth": 4}, "schema_depth"),
        ({"description": "x" * 1_048_600}, {}, "schema_bytes"),
        (nested(3), {"schema_nodes": 3}, "schema_nodes"),
        ({"properties": {f"p{i}": {"type": "string"} for i in range(20_000)}}, {}, "schema_nodes"),
    ):
        with pytest.raises(ExecutionError, match=name) as caught:
            check(schema, limits=limits)
        assert caught.value.details["limit"] == name


def test_a_schema_on_a_deep_stack() -> None:
    def deeper(frames: int) -> None:
        if frames:
            deeper(frames - 1)
        else:
            check(nested(100))

    with pytest.raises((ExecutionError, RecursionError)) as caught:
        deeper(sys.getrecursionlimit())
    assert caught.type is RecursionError, "the frames of the caller"
    depth = 0
    for frames in range(sys.getrecursionlimit() - 400, sys.getrecursionlimit(), 20):
        try:
            deeper(frames)
        except ExecutionError as error:
            depth += 1
            assert error.details["limit"] == "stack"
        except RecursionError:
            break
    assert depth


def test_integers_cost_what_it_takes_to_write_them() -> None:
    check({"properties": {"a": {"type": "integer", "minimum": 10**5_000}}})
    with pytest.raises(ExecutionError):
        check({"properties": {"a": {"type": "integer", "minimum": 1 << 1_000_000}}})


def test_shared_objects_count_as_often_as_they_occur() -> None:
    schema: Any = {"type": "integer"}
    for _ in range(40):
        schema = {"type": "object", "properties": {"a": schema, "b": schema}}
    with pytest.raises(ExecutionError):
        check(schema)


@pytest.mark.parametrize(
    "limits",
    [
        {"speed": 1},
        {"schema_depth": 0},
        {"schema_depth": True},
        {"schema_depth": "1"},
        {"instance_depth": 2**63},
        {"schema_depth": 129},
        Limits(instance_depth=1_000_000),
    ],
)
def test_unknown_limits(limits: Any) -> None:
    with pytest.raises(TypeError):
        check({}, limits=limits)


@pytest.mark.parametrize(
    "options",
    [
        {"profile": "2020-12"},
        {"profile": "nope"},
        {"root": "any"},
        {"annotations": {"x"}},
        {"assert_format": True},
        {"resources": {"a": {}}},
    ],
)
def test_options_of_wider_profiles_are_not_ignored(options: Any) -> None:
    with pytest.raises(UnsupportedCapabilityError):
        check({}, **options)

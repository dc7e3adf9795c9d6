"""Every published MCP schema of the corpus is accepted by `core`, or refused for the right reason at the right place.

What is right is read from the schema by `first_fault`, written here from the table of the profile and nothing else.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import admit

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of published catalogs, ../shared/corpus, is not here"
)

UNSUPPORTED, MALFORMED = "unsupported_capability", "validation"
BESIDE = {
    "properties": ["object"],
    "required": ["object"],
    "additionalProperties": ["object"],
    "items": ["array"],
    "minimum": ["integer", "number"],
}
TYPES = ["object", "array", "string", "integer", "number", "boolean"]


class Fault(NamedTuple):
    code: str
    location: str
    keyword: str | None


def first_fault(schema: Any, location: str = "", root: bool = True) -> Fault | None:
    """The first fault in document order, by the table of profile `core`; None where there is none."""
    return next(faults(schema, location, root), None)


def faults(schema: Any, location: str, root: bool) -> Iterator[Fault]:
    if isinstance(schema, bool) or (schema is None and root):
        yield Fault(UNSUPPORTED, location, None)
    elif not isinstance(schema, dict):
        yield Fault(MALFORMED, location, None)
    else:
        for key, value in schema.items():
            place = f"{location}/{escaped(key)}"
            keyword = "additionalProperties" if key == "additional_properties" else key
            if is_malformed(keyword, value) or (key != keyword and keyword in schema):
                yield Fault(MALFORMED, place, keyword)
            elif is_outside(keyword, value, root) or is_misplaced(keyword, schema, root):
                yield Fault(UNSUPPORTED, place, keyword)
            else:
                for inner, subschema in inside(keyword, value):
                    yield from faults(subschema, place + inner, False)
        if not root and "type" not in schema and "oneOf" not in schema:
            yield Fault(UNSUPPORTED, location, "type")


def escaped(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")


def inside(keyword: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The subschemas in a well-formed value, each with its pointer from there."""
    match keyword:
        case "properties":
            yield from ((f"/{escaped(name)}", member) for name, member in value.items())
        case "items":
            yield "", value
        case "oneOf":
            yield from ((f"/{index}", branch) for index, branch in enumerate(value))


def is_malformed(keyword: str, value: Any) -> bool:
    """Whether JSON Schema itself, older drafts included, has no such value."""
    match keyword:
        case "type":
            return not isinstance(value, (str, list))
        case "properties":
            return not isinstance(value, dict)
        case "required":
            names = value if isinstance(value, list) else None
            bad = names is None or not all(isinstance(name, str) for name in names) or len({*names}) < len(names)
            return bad and not isinstance(value, bool)
        case "additionalProperties":
            return not isinstance(value, (bool, dict))
        case "description":
            return not isinstance(value, str)
        case "minimum":
            return isinstance(value, bool) or not isinstance(value, (int, float))
        case "items":
            return not isinstance(value, (dict, list, bool))
        case "oneOf":
            return not isinstance(value, list) or not value
    return False


def is_outside(keyword: str, value: Any, root: bool) -> bool:
    """Whether a well-formed value is more than `core` has, whatever stands beside it."""
    match keyword:
        case "type":
            return value not in (["object"] if root else TYPES)
        case "required":
            return isinstance(value, bool)
        case "additionalProperties":
            return isinstance(value, dict)
        case "items":
            return isinstance(value, list)
        case "oneOf":
            return root
    return keyword not in ("description", *BESIDE)


def is_misplaced(keyword: str, schema: dict[str, Any], root: bool) -> bool:
    """Whether a keyword stands beside `oneOf`, or on a type that it does not go with."""
    beside_one_of = "oneOf" in schema and keyword not in ("oneOf", "description") and not root
    declared = schema.get("type", "object" if root else None)
    return beside_one_of or (declared in TYPES and declared not in BESIDE.get(keyword, TYPES))


def schemas() -> dict[str, Any]:
    """The distinct schemas of MCP tools, each under a name that says where it is from."""
    distinct: dict[str, tuple[str, Any]] = {}
    for path in sorted(CORPUS.glob("*.json")):
        catalog = json.loads(path.read_bytes())
        for index, tool in enumerate(catalog["tools"] if catalog["class"] == "mcp" else ()):
            schema = tool.get("inputSchema")
            distinct.setdefault(json.dumps(schema), (f"{path.stem}/{index}", schema))
    return dict(distinct.values())


def outcome(schema: Any) -> Fault | None:
    try:
        admit.check(schema)
    except (admit.UnsupportedCapabilityError, admit.SchemaError) as error:
        return Fault(error.code, error.details["location"], error.details.get("keyword"))
    return None


def test_the_oracle_on_schemas_whose_outcome_is_plain() -> None:
    leaf = {"type": "string"}
    for schema, fault in [
        ({}, None),
        ({"properties": {"a": leaf}, "required": ["b"], "additional_properties": False}, None),
        ({"title": "t", "type": "nope"}, Fault(UNSUPPORTED, "/title", "title")),
        ({"required": ["a", "a"], "title": "t"}, Fault(MALFORMED, "/required", "required")),
        (
            {"properties": {"a/b": {"minimum": 1, "type": "string"}}},
            Fault(UNSUPPORTED, "/properties/a~1b/minimum", "minimum"),
        ),
        ({"properties": {"a": {"description": "d"}}}, Fault(UNSUPPORTED, "/properties/a", "type")),
        ({"properties": {"a": {"oneOf": [leaf, True]}}}, Fault(UNSUPPORTED, "/properties/a/oneOf/1", None)),
        (
            {"properties": {"a": {"minimum": 1, "type": "string"}}},
            Fault(UNSUPPORTED, "/properties/a/minimum", "minimum"),
        ),
        ({"properties": {"a": {"type": "string", "oneOf": [leaf]}}}, Fault(UNSUPPORTED, "/properties/a/type", "type")),
        (
            {"properties": {"a": {"type": "string", "required": True}}},
            Fault(UNSUPPORTED, "/properties/a/required", "required"),
        ),
        ({"type": "object", "oneOf": [leaf]}, Fault(UNSUPPORTED, "/oneOf", "oneOf")),
        ({"properties": {"a": {"items": [leaf], "type": "array"}}}, Fault(UNSUPPORTED, "/properties/a/items", "items")),
    ]:
        assert first_fault(schema) == fault


def test_every_schema_is_accepted_or_refused_for_the_right_reason(summary: Callable[[str], None]) -> None:
    found = {name: (outcome(schema), first_fault(schema)) for name, schema in schemas().items()}
    assert {name: pair for name, pair in found.items() if pair[0] != pair[1]} == {}

    refused = Counter(fault.keyword for fault, _ in found.values() if fault)
    accepted = 1 - refused.total() / len(found)
    common = ", ".join(f"{keyword} {times}" for keyword, times in refused.most_common(8))
    summary(f"{len(found)} schemas, {accepted:.1%} accepted; refused for {common}")
    assert len(found) > 2_500
    assert 0.20 < accepted < 0.32


@pytest.mark.native
@pytest.mark.slow
def test_what_is_accepted_is_truly_native_once_built(summary: Callable[[str], None]) -> None:
    accepted = {name: schema for name, schema in schemas().items() if first_fault(schema) is None}
    admitted = admit.load_catalog(accepted).admit()
    try:
        admitted.build()
    except admit.UnavailableError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(error.message)
    native = [name for name, validator in admitted.items() if validator.tier == "native"]
    others = {name: validator.tier_reason for name, validator in admitted.items() if validator.tier != "native"}
    summary(f"{len(native)} of {len(admitted)} native; otherwise: {others or 'none'}")
    for name in native:
        compiled = admitted[name].is_valid
        assert type(compiled).__name__ == "builtin_function_or_method" or "cython" in type(compiled).__name__.lower()
        assert compiled({}) == ("required" not in accepted[name] or accepted[name]["required"] == [])
        assert not compiled([])
    assert len(native) >= 0.99 * len(accepted)

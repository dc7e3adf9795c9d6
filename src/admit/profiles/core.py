"""Profile `core`: exactly the keywords of its table, each in exactly its supported use.

The table is in `docs/core-profile.md`. A fault is raised at once, and the walk goes in document order, so the first
fault is the one reported; what a schema lacks is known, and reported, where it ends.

Imports: document, errors, limits, pointer, vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ..document import Document, Flaw, shown
from ..errors import SchemaError, UnsupportedCapabilityError
from ..limits import Limits, reached
from ..pointer import escape, plain, preview
from .vocabulary import WIDER, profiles_that_take

APPLICATORS = {"properties": "members", "items": "one", "oneOf": "list"}
"""Keywords that hold schemas, and how."""
TYPES = ("object", "array", "string", "integer", "number", "boolean")
ALIASES = {"additional_properties": "additionalProperties"}
"""Other spellings of a keyword, accepted on input and kept as written."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk is: the location of a schema, how deep it lies, and whether it is the root."""

    location: str
    depth: int

    @property
    def is_root(self) -> bool:
        """Whether this is the whole schema."""
        return self.depth == 0

    def member(self, *tokens: str | int) -> str:
        """The location of something inside this schema."""
        return self.location + "".join(f"/{escape(token) if isinstance(token, str) else token}" for token in tokens)


Subschemas = Iterator[tuple[Any, str]]
"""The schemas directly inside a keyword's value, with their locations, in document order."""


def check(document: Document, limits: Limits) -> None:
    """Accept the whole schema or raise the first fault in document order.

    Raises UnsupportedCapabilityError, SchemaError, or ExecutionError where a limit is passed.
    """
    if document.root is None:
        raise UnsupportedCapabilityError("a tool schema is required, and none was given", location="")
    _Walk(limits).schema(document.root, Place("", 0))
    for flaw in document.flaws:
        raise flaw.error()


class _Walk:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes = 0

    def schema(self, schema: Any, place: Place) -> None:
        self.nodes += 1
        if self.nodes > self.limits.schema_nodes:
            raise reached("schema_nodes", self.limits.schema_nodes, "the schema")
        if place.depth > self.limits.schema_depth:
            raise reached("schema_depth", self.limits.schema_depth, "the schema", location=place.location)
        if isinstance(schema, bool):
            unsupported("a boolean schema", place.location, profiles=WIDER)
        if not isinstance(schema, dict):
            malformed("a schema must be an object", place.location, schema)
        present = _keywords(schema)
        for key, value in schema.items():
            self.keyword(key, value, present, place)
        if "type" not in present and "oneOf" not in present and not place.is_root:
            unsupported("a schema without `type` (type is required there)", place.location, "type", WIDER)

    def keyword(self, key: str | Flaw, value: Any, present: dict[str, Any], place: Place) -> None:
        if isinstance(key, Flaw):
            raise key.error()
        location = place.member(key)
        name = ALIASES.get(key, key)
        rule = RULES.get(name)
        if rule is None:
            unsupported(f"keyword `{plain(key)}`", location, keyword=key, profiles=profiles_that_take(key))
        if present[name][0] != key:
            first = present[name][0]
            raise SchemaError(
                f"`{first}` and `{key}` are two spellings of one keyword, at {shown(location)}",
                location=location,
                keyword=name,
            )
        inside = rule.read(value, location)
        _applies(name, location, present, place)
        for subschema, inner in inside:
            self.schema(subschema, Place(inner, place.depth + 1))


def _keywords(schema: dict[Any, Any]) -> dict[str, tuple[str, Any]]:
    """Keyword to its key as written and its value; the first spelling wins here, the second is reported."""
    present: dict[str, tuple[str, Any]] = {}
    for key, value in schema.items():
        if isinstance(key, str):
            present.setdefault(ALIASES.get(key, key), (key, value))
    return present


def _applies(name: str, location: str, present: dict[str, Any], place: Place) -> None:
    """Refuse a keyword where the schema's other keywords leave it no supported use."""
    rule = RULES[name]
    if place.is_root and name == "oneOf":
        unsupported("`oneOf` at the root (only object roots are supported)", location, name, WIDER)
    if not place.is_root and "oneOf" in present and name not in ("oneOf", "description"):
        unsupported(f"`{name}` beside `oneOf`", location, name, WIDER)
    declared = present["type"][1] if "type" in present else "object" if place.is_root else None
    if place.is_root and name == "type" and declared != "object":
        unsupported(f"a root of type `{declared}` (only object roots are supported)", location, name, WIDER)
    if rule.types and isinstance(declared, str) and declared in TYPES and declared not in rule.types:
        unsupported(f"`{name}` on type `{declared}`", location, name, WIDER)


# Readers: each refuses a malformed or unsupported value of its keyword and gives the schemas inside it.


def _type(value: Any, location: str) -> Subschemas:
    if isinstance(value, list):
        unsupported("a list of types", location, "type", WIDER)
    if not isinstance(value, str):
        malformed("`type` must be a string", location, value, "type")
    if value not in TYPES:
        unsupported(f"type `{plain(value)}`", location, "type", WIDER if value == "null" else ())
    return iter(())


def _properties(value: Any, location: str) -> Subschemas:
    if not isinstance(value, dict):
        malformed("`properties` must be an object", location, value, "properties")
    return _members(value, location)


def _members(value: dict[Any, Any], location: str) -> Subschemas:
    for name, subschema in value.items():
        if isinstance(name, Flaw):
            raise name.error()
        yield subschema, f"{location}/{escape(name)}"


def _required(value: Any, location: str) -> Subschemas:
    if isinstance(value, bool):  # draft-03 marked a single property so
        unsupported("a boolean `required`", location, "required", ())
    if not isinstance(value, list):
        malformed("`required` must be a list of distinct strings", location, value, "required")
    seen = set()
    for name in value:
        if not isinstance(name, str):
            malformed("`required` must be a list of distinct strings", location, name, "required")
        if name in seen:
            raise SchemaError(
                f"`required` names {preview(name)} twice, at {shown(location)}", location=location, keyword="required"
            )
        seen.add(name)
    return iter(())


def _additional_properties(value: Any, location: str) -> Subschemas:
    if isinstance(value, dict):
        unsupported("`additionalProperties` that is a schema", location, "additionalProperties", WIDER)
    if not isinstance(value, bool):
        malformed("`additionalProperties` must be a boolean", location, value, "additionalProperties")
    return iter(())


def _description(value: Any, location: str) -> Subschemas:
    if not isinstance(value, str):
        malformed("`description` must be a string", location, value, "description")
    return iter(())


def _minimum(value: Any, location: str) -> Subschemas:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        malformed("`minimum` must be a number", location, value, "minimum")
    return iter(())


def _items(value: Any, location: str) -> Subschemas:
    if isinstance(value, list):
        unsupported("`items` that is a list of schemas", location, "items", ("draft-07",))
    return iter([(value, location)])


def _one_of(value: Any, location: str) -> Subschemas:
    if not isinstance(value, list) or not value:
        malformed("`oneOf` must be a non-empty list of schemas", location, value, "oneOf")
    return ((branch, f"{location}/{index}") for index, branch in enumerate(value))


@dataclass(frozen=True, slots=True)
class Rule:
    """One keyword of the table: how its value is read, and the types it may stand beside (none: any)."""

    read: Callable[[Any, str], Subschemas]
    types: frozenset[str] = frozenset()


RULES: dict[str, Rule] = {
    "type": Rule(_type),
    "properties": Rule(_properties, frozenset({"object"})),
    "required": Rule(_required, frozenset({"object"})),
    "additionalProperties": Rule(_additional_properties, frozenset({"object"})),
    "description": Rule(_description),
    "minimum": Rule(_minimum, frozenset({"integer", "number"})),
    "items": Rule(_items, frozenset({"array"})),
    "oneOf": Rule(_one_of),
}


def unsupported(what: str, location: str, keyword: str | None = None, profiles: tuple[str, ...] = ()) -> NoReturn:
    """Raise the error for a well-formed schema that asks for more than this profile."""
    way_out = f"profile {' or '.join(profiles)}, planned, would take it" if profiles else "no profile takes it"
    raise UnsupportedCapabilityError(
        f"{what} is outside profile core, at {shown(location)} ({way_out})",
        location=location,
        keyword=keyword,
        profiles=list(profiles),
    )


_GIVEN = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}


def malformed(rule: str, location: str, value: Any, keyword: str | None = None) -> NoReturn:
    """Raise the error for a value that is malformed where it stands."""
    if isinstance(value, Flaw):
        raise value.error(keyword)
    given = "null" if value is None else _GIVEN.get(type(value), "a number")
    raise SchemaError(
        f"{rule}, at {shown(location)}; {given} was given",
        location=location,
        keyword=keyword,
    )

"""The sentences of refusals: one table from keyword and parameters to what the caller reads.

The reader is a language model that knows its arguments and not the schema: a sentence names the argument, says what
was received and what is permitted.

Imports: pointer, semantics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .pointer import named_in, plain
from .semantics import json_type, type_name

NAMES_LISTED = 8
"""Names that a sentence lists before it says how many more there are."""

Sentence = tuple[str, str, str]
"""What was received, what is permitted, and the sentence made of both."""


def sentence(keyword: str, argument: str, instance: Any, parameters: Mapping[str, Any]) -> Sentence:
    """What was received, what is permitted, and the sentence made of both."""
    if json_type(instance) is None:
        received = _described(instance)
        return received, "JSON values", f"{_named(argument)} must be {_wanted(parameters)}; {received} was given."
    return SENTENCES[keyword](argument, instance, parameters)


def _type(argument: str, instance: Any, parameters: Mapping[str, Any]) -> Sentence:
    received, permitted = _described(instance), _wanted(parameters)
    if type(instance) is float and parameters["expected"] == ("integer",):
        received = _number(instance)
    return received, permitted, f"{_named(argument)} must be {permitted}; {received} was given."


def _minimum(argument: str, instance: Any, parameters: Mapping[str, Any]) -> Sentence:
    received, permitted = _number(instance), f"at least {_number(parameters['bound'])}"
    return received, permitted, f"{_named(argument)} must be {permitted}; {received} was given."


def _required(argument: str, instance: Any, parameters: Mapping[str, Any]) -> Sentence:
    name = parameters["name"]
    kind = _schema_types(parameters["schema"])
    asked = f"`{named_in(argument, name)}`", f" ({' or '.join(kind)})" if kind else ""
    return "nothing", "".join(asked), " is required".join(asked) + " and was not given."


def _additional_properties(argument: str, instance: Any, parameters: Mapping[str, Any]) -> Sentence:
    declared = parameters["declared"]
    permitted = _listed([f"`{named_in('', name)}`" for name in declared]) if declared else "no arguments"
    owner, its = ("of this tool", "its arguments are") if parameters["top"] else ("allowed there", "allowed are")
    return _described(instance), permitted, f"`{argument}` is not an argument {owner}; {its} {permitted}."


def _one_of(argument: str, instance: Any, parameters: Mapping[str, Any]) -> Sentence:
    schemas, matched = parameters["schemas"], parameters["matched"]
    if matched:
        received = f"matches {len(matched)} of the alternatives"
        return received, "exactly 1", f"{_named(argument)} {received} where exactly 1 is allowed."
    received, permitted = _described(instance), _alternatives(schemas)
    return received, permitted, f"{_named(argument)} must be {permitted}; {received} was given."


SENTENCES: dict[str, Callable[[str, Any, Mapping[str, Any]], Sentence]] = {
    "type": _type,
    "minimum": _minimum,
    "required": _required,
    "additionalProperties": _additional_properties,
    "oneOf": _one_of,
}


def _named(argument: str) -> str:
    return f"`{argument}`" if argument else "the arguments"


def _wanted(parameters: Mapping[str, Any]) -> str:
    if "expected" in parameters:
        return " or ".join(_articled(name) for name in parameters["expected"])
    return _alternatives(parameters.get("schemas", ())) or "a JSON value"


def _alternatives(schemas: Sequence[Mapping[str, Any]]) -> str:
    kinds: dict[str, None] = {}
    for schema in schemas:
        for name in _schema_types(schema):
            needed = schema.get("required") if name == "object" else None
            with_names = " with " + _listed([f"`{named_in('', inner)}`" for inner in needed]) if needed else ""
            kinds[_articled(name) + with_names] = None
        if len(kinds) >= NAMES_LISTED:
            break
    return " or ".join(list(kinds)[:NAMES_LISTED])


def _schema_types(schema: Any) -> list[str]:
    if not isinstance(schema, Mapping):
        return []
    if "oneOf" in schema:
        return list(dict.fromkeys(name for inner in schema["oneOf"] for name in _schema_types(inner)))
    declared = schema.get("type", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _articled(name: str) -> str:
    return name if name == "null" else f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _described(value: Any) -> str:
    """A value by its kind: never by its content."""
    kind = json_type(value)
    if kind is not None:
        return _articled(kind)
    if type(value) is dict:
        return "an object with a member name that is no string"
    if type(value) is float:
        return "a number that is not finite"
    return f"a Python `{plain(type_name(value), 64)}`"


def _number(value: int | float) -> str:
    if type(value) is int and value.bit_length() > 256:
        return f"an integer of about {value.bit_length() * 3 // 10} digits"
    return repr(value)


def _listed(phrases: Sequence[str]) -> str:
    more = len(phrases) - NAMES_LISTED
    return ", ".join(phrases[:NAMES_LISTED]) + (f" and {more} more" if more > 0 else "")

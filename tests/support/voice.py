"""The outside voice: python-jsonschema, bent where profile `core` says more than the specification.

It shares no code with admit, so it can tell which side of a disagreement is wrong; and it counts how often each keyword
was met and missed.

Imports: pointers; nothing of admit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]

from .pointers import pointer

Schema = dict[str, Any]
Violations = set[tuple[str, str]]
"""Where in the arguments, and which keyword."""


def _is_number(_: object, value: object) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _is_integer(_: object, value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def _is_object(_: object, value: Any) -> bool:
    return type(value) is dict and all(type(name) is str for name in value)


_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
    {
        "object": _is_object,
        "array": lambda _, value: type(value) is list,
        "string": lambda _, value: type(value) is str,
        "boolean": lambda _, value: type(value) is bool,
        "integer": _is_integer,
        "number": _is_number,
    }
)
_KEYWORDS = {
    "type": None,
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "items": "array",
    "minimum": "number",
    "oneOf": None,
}
"""The asserting keywords of `core`, and the type of instance that each looks at."""
_TOLD_APART = ("type", "additionalProperties")
"""Keywords whose values are counted each for itself."""


def is_json(value: Any) -> bool:
    """Whether there is no foreign value in `value`."""
    left, seen = [value], set()
    while left:
        item = left.pop()
        if _is_object(None, item) or type(item) is list:
            if id(item) not in seen:
                seen.add(id(item))
                left.extend(item.values() if type(item) is dict else item)
        elif not (item is None or type(item) in (bool, str) or _is_number(None, item)):
            return False
    return True


class Voice:
    """Judges arguments by a core schema; `census` counts the outcomes, keyword by keyword."""

    def __init__(self) -> None:
        self.census: Counter[str] = Counter()
        judges = {**jsonschema.Draft202012Validator.VALIDATORS, "type": _type, "oneOf": _one_of}
        counted = {keyword: self._counted(keyword, judges[keyword]) for keyword in _KEYWORDS}
        self._judge = jsonschema.validators.extend(jsonschema.Draft202012Validator, counted, type_checker=_TYPES)

    def violations(self, schema: Schema, arguments: object) -> Violations:
        """What is violated; every keyword is looked at, whatever failed before it."""
        errors = self._judge(standard(schema)).iter_errors(arguments)
        return {(pointer(error.absolute_path), str(error.validator)) for error in errors}

    def _counted(self, keyword: str, judge: Callable[..., Any]) -> Callable[..., Any]:
        def judged(validator: Any, value: Any, instance: Any, schema: Schema) -> Any:
            errors = list(judge(validator, value, instance, schema) or ())
            looked_at = _KEYWORDS[keyword]
            if looked_at is None or validator.is_type(instance, looked_at):
                what = f"{keyword} {str(value).lower()}" if keyword in _TOLD_APART else keyword
                why = f" ({errors[0].message})" if errors and keyword == "oneOf" else ""
                self.census[f"{what}: {'fail' if errors else 'pass'}{why}"] += 1
            return errors

        return judged


def _type(validator: Any, expected: str, instance: Any, _: Schema) -> Iterator[Any]:
    if not validator.is_type(instance, expected):
        yield jsonschema.ValidationError("type")  # jsonschema's own message holds all of the instance


def _one_of(validator: Any, branches: list[Schema], instance: Any, _: Schema) -> Iterator[Any]:
    matches = sum(validator.evolve(schema=branch).is_valid(instance) for branch in branches)
    if not is_json(instance):
        yield jsonschema.ValidationError("foreign")
    elif matches != 1:
        yield jsonschema.ValidationError("several match" if matches else "none matches")


def standard(schema: Schema) -> Schema:
    """A core schema in the specification's own spelling, its implied root type written out."""
    return _spelled({"type": "object", **schema})


def _spelled(schema: Schema) -> Schema:
    spelled: Schema = {}
    for keyword, value in schema.items():
        match keyword:
            case "properties":
                value = {name: _spelled(member) for name, member in value.items()}
            case "items":
                value = _spelled(value)
            case "oneOf":
                value = [_spelled(branch) for branch in value]
            case "additional_properties":
                keyword = "additionalProperties"
        spelled[keyword] = value
    return spelled

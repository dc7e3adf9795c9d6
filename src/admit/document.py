"""Reads a stranger's schema object once, into a private copy of exact built-in types.

Nothing that a stranger can override is called on the way: subclasses of the built-in types are read through the base
type. What is no JSON is kept as a `Flaw` in its place, so that the first fault in document order can be reported.

Imports: limits, pointer, errors, semantics.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import SchemaError
from .limits import Limits, reached
from .pointer import escape, plain
from .semantics import type_name

QUADRATIC = 10_000
"""An integer of as many digits counts twice: what it costs to write one in decimal grows with the square."""
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class Flaw:
    """A value or a member name that is no JSON, kept where it stood."""

    location: str
    reason: str

    def error(self, keyword: str | None = None) -> SchemaError:
        """The flaw as the error to raise; `keyword` is the one whose value it stands in."""
        where = shown(self.location)
        return SchemaError(f"the schema is not JSON at {where}: {self.reason}", location=self.location, keyword=keyword)


@dataclass(frozen=True, slots=True)
class Document:
    """A schema as exact `dict`, `list`, `str`, `int`, `float`, `bool` and `None`, and the flaws left in it."""

    root: Any
    flaws: tuple[Flaw, ...]


def shown(location: str) -> str:
    """A JSON Pointer as an error message names it."""
    return plain(location) if location else "its root"


def read(value: object, limits: Limits) -> Document:
    """Copy `value`; raises ExecutionError where it is larger or deeper than the limits."""
    reader = _Reader(limits)
    root = reader.copy(value, "", 0)
    return Document(root, tuple(reader.flaws))


@dataclass(slots=True)
class _Reader:
    limits: Limits
    flaws: list[Flaw] = field(default_factory=list)
    size: int = 0
    path: set[int] = field(default_factory=set)

    def copy(self, value: Any, location: str, depth: int) -> Any:
        """The copy of a value. One frame a level, so that the deepest schema is read on a deep stack too."""
        if value is None or value is True or value is False:
            return self.spend(5, value)
        if is_a(value, enum.Enum) and type(symbol(value)) is str:
            value = symbol(value)
        if is_a(value, str):
            return self.text(str.__str__(value), location)
        if is_a(value, int):
            number = int.__index__(value)
            digits = number.bit_length() // 3 + 1
            return self.spend(digits + digits * digits // QUADRATIC, number)
        if is_a(value, float):
            real = float.__float__(value)
            return self.spend(20, real) if math.isfinite(real) else self.flaw(location, "a JSON number is finite")
        if not is_a(value, Mapping) and not is_a(value, list):
            return self.flaw(location, f"a Python {plain(type_name(value), 64)} is no JSON value")
        if depth > 2 * self.limits.schema_depth + 2:
            raise reached("schema_depth", self.limits.schema_depth, "the schema", location=location)
        if id(value) in self.path:
            return self.flaw(location, "the object contains itself")
        self.path.add(id(value))
        copied: Any
        if is_a(value, list):
            copied = []
            for index, item in enumerate(list.__iter__(value)):
                self.spend(1, None)
                copied.append(self.copy(item, f"{location}/{index}", depth + 1))
        else:
            copied = {}
            for key, member in items(value):
                self.spend(1, None)
                name, place = self.name(key, location, copied)
                copied[name] = None if isinstance(name, Flaw) else self.copy(member, place, depth + 1)
        self.path.discard(id(value))
        return copied

    def name(self, key: Any, location: str, taken: Container[object]) -> tuple[str | Flaw, str]:
        """A member's name and location."""
        text = symbol(key) if is_a(key, enum.Enum) else key
        if not is_a(text, str):
            name = plain(type_name(key), 64)
            return self.flaw(location, f"a member name is a Python {name}, not a string"), location
        place = f"{location}/{escape(str.__str__(text))}"
        name = self.text(str.__str__(text), place)
        return (self.flaw(place, "two member names are the same string") if name in taken else name), place

    def text(self, text: str, location: str) -> Any:
        """A string. Two surrogates that make one character are a flaw: JSON text cannot tell them from it."""
        if _SURROGATE_PAIR.search(text):
            return self.flaw(location, "a string has a character in two halves")
        return self.spend(len(text) + 3, text)

    def flaw(self, location: str, reason: str) -> Flaw:
        self.flaws.append(Flaw(location, reason))
        return self.flaws[-1]

    def spend(self, size: int, value: Any) -> Any:
        self.size += size
        if self.size > self.limits.schema_bytes:
            raise reached("schema_bytes", self.limits.schema_bytes, "the schema")
        return value


def items(value: Any) -> Iterator[tuple[Any, Any]]:
    """The members of a mapping; a `dict` subclass is read as the dict it is."""
    if is_a(value, dict):
        yield from dict.items(value)
        return
    try:
        for key in value:  # one by one: it may have no end
            yield key, value[key]
    except Exception as error:
        raise SchemaError(f"the schema is a mapping that cannot be read: {type_name(error)[:64]}") from error


def is_a(value: object, kind: type) -> Any:
    """Whether a value is of a type, whatever it says of its class. (Any: it narrows nothing for a type checker.)"""
    return issubclass(type(value), kind)


def symbol(member: Any) -> Any:
    """The value of an Enum member, whatever its class makes of `.value`."""
    return object.__getattribute__(member, "_value_")

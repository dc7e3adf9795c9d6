"""Python objects that are no JSON values, though most look like one.

Imports: nothing of admit.
"""

from __future__ import annotations

import enum
import math
from collections import ChainMap, OrderedDict, UserDict, defaultdict
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

TOUCHED: list[str] = []
"""Accessors of foreign values that were called: whoever judges a foreign value must go by its type alone."""

_CONTAINER = ("__contains__", "__iter__", "__len__", "__getitem__", "__eq__", "__ne__")
_NUMBER = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__bool__", "__float__")


def _touchy(base: type, accessors: tuple[str, ...]) -> Any:
    """A subclass of `base` that takes down which of its accessors are called."""

    def recorded(name: str) -> Callable[..., Any]:
        def accessor(self: Any, *arguments: Any) -> Any:
            TOUCHED.append(f"{base.__name__}.{name}")
            return getattr(base, name)(self, *arguments)

        return accessor

    members: dict[str, Any] = {name: recorded(name) for name in accessors}
    return type(f"Touchy{base.__name__.title()}", (base,), {**members, "__hash__": base.__hash__})


TouchyDict = _touchy(dict, (*_CONTAINER, "keys", "items", "values", "get"))
TouchyList = _touchy(list, _CONTAINER)
TouchyInt = _touchy(int, (*_NUMBER, "__int__", "__index__"))
TouchyFloat = _touchy(float, (*_NUMBER, "is_integer"))


class Text(str):
    """A `str` subclass that is equal to, and hashes as, its text."""


class Whole(int):
    """An `int` subclass."""


class Real(float):
    """A `float` subclass."""


class Level(enum.IntEnum):
    """An integer by inheritance."""

    ONE = 1


class Word(str, enum.Enum):
    """A string by inheritance."""

    PATH = "path"


FOREIGN: tuple[Any, ...] = (
    *(math.nan, math.inf, -math.inf, Decimal(1), Fraction(1), 1j, b"1", bytearray(b"1"), (), (1,), {1}, frozenset()),
    *(object(), Level.ONE, Word.PATH, Whole(1), Real(1.0), Text("path"), TouchyInt(1), TouchyFloat(1.0), range(2)),
    *(OrderedDict(), defaultdict(int), MappingProxyType({}), UserDict(), ChainMap(), TouchyDict(), TouchyList()),
    *(iter(()), int, NotImplemented, ...),
    *({1: 1}, {None: 1}, {("a",): 1}, {Text("path"): "x"}, {b"a": 1}, {"a": 1, Word.PATH: "x"}),
)
"""Values that fail wherever a keyword looks at them; the last row are objects with member names that are no `str`."""


def disguised(value: Any) -> list[Any]:
    """Foreign values that carry the content of a JSON value."""
    kind = type(value)
    if kind is dict:
        renamed = {Text(name): member for name, member in value.items()} or {Text("a"): 1}
        return [OrderedDict(value), TouchyDict(value), MappingProxyType(value), {**value, 1: 1}, renamed]
    if kind is list:
        return [tuple(value), TouchyList(value), iter(value)]
    if kind is str:
        return [Text(value), value.encode("utf-8", "surrogatepass")]
    if kind is int:
        return [Whole(value), TouchyInt(value), Decimal(value), Fraction(value), Level.ONE]
    if kind is float:
        return [Real(value), TouchyFloat(value), Decimal(value), math.nan, math.inf, -math.inf]
    return [math.nan, Level.ONE, b"true", object()]

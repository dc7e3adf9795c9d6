"""Objects that lie, explode or never end, and builders of deep, wide and endless values.

The expressions of the hostile cases are evaluated with the public names of this module, and nothing else.

Imports: nothing of admit.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import importlib
import json
import math
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

CODE = "__import__('os').environ.__setitem__('HOSTILE_PWNED','1')"
"""What a payload runs when text of a schema becomes code: it sets the canary."""
PORT, FILE = 9, "/nonexistent"
"""A server and a file that must never be asked."""

D = decimal.Decimal
inf, nan = math.inf, math.nan

_ACCESSORS = "__contains__ __iter__ __len__ __bool__ __getitem__ __eq__ __ne__ __repr__ __str__ __format__ copy "
_DICT = _ACCESSORS + "__reversed__ get keys items values"
_LIST = _ACCESSORS + "__reversed__ __lt__ __gt__ count index"
_STR = _ACCESSORS + "__lt__ __gt__ __add__ __mod__ encode format replace isidentifier isprintable isascii"
_NUMBER = (
    "__lt__ __le__ __gt__ __ge__ __eq__ __ne__ __add__ __radd__ __sub__ __rsub__ __mod__ __rmod__ __abs__ __neg__ "
    "__bool__ __int__ __float__ __index__ __trunc__ __floor__ __round__ __repr__ __str__ __format__ is_integer"
)


def subclass(base: type, name: str, methods: str, act: Callable[..., Any]) -> Any:
    """A subclass of `base` whose `methods` all do `act`; it hashes as `base` does."""
    return type(name, (base,), {**dict.fromkeys(methods.split(), act), "__hash__": base.__hash__})


def explode(*_: object) -> NoReturn:
    """The accessor that must never be called: SystemExit passes every `except Exception`."""
    raise SystemExit("an accessor of a stranger's object was called")


def code(*_: object) -> str:
    """The text of an object that wants to be pasted into code."""
    return CODE


BoomDict = subclass(dict, "BoomDict", _DICT, explode)
BoomList = subclass(list, "BoomList", _LIST, explode)
BoomStr = subclass(str, "BoomStr", _STR, explode)
BoomInt = subclass(int, "BoomInt", _NUMBER, explode)
BoomFloat = subclass(float, "BoomFloat", _NUMBER, explode)
BoomKey = subclass(str, "BoomKey", "__eq__ __ne__", explode)
"""A dict key that explodes when it is compared, and keeps the hash of its text."""

ReprStr = subclass(str, "ReprStr", "__repr__ __str__ __format__", code)
ReprInt = subclass(int, "ReprInt", "__repr__ __str__ __format__", code)
ReprFloat = subclass(float, "ReprFloat", "__repr__ __str__ __format__", code)
ReprDict = subclass(dict, "ReprDict", "__repr__ __str__ __format__", code)
ReprList = subclass(list, "ReprList", "__repr__ __str__ __format__", code)

LiarStr = subclass(str, "LiarStr", "__eq__ __contains__ __lt__ __gt__ isprintable isascii", lambda *_: True)
LiarLen = subclass(str, "LiarLen", "__len__", lambda *_: -1)
LiarInt = subclass(int, "LiarInt", "__lt__ __le__ __gt__ __ge__ __eq__ is_integer", lambda *_: True)
LiarFloat = subclass(float, "LiarFloat", "__lt__ __le__ __gt__ __ge__ __eq__ is_integer", lambda *_: True)
EscapedName = type("\x1b[31mE\r\nFAKE: accepted\u202e", (), {})
"""A class whose very name would forge a line of a log."""
LongName = type("N" * 100_000, (), {})


class LiarDict(dict[Any, Any]):
    """A dict that answers every question as `{"a": 1}` would, whatever it holds."""

    def __contains__(self, key: object) -> bool:
        return key == "a"

    def __iter__(self) -> Iterator[Any]:
        return iter("a")

    def __len__(self) -> int:
        return 1

    def __getitem__(self, key: object) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return True

    def get(self, *_: object) -> Any:
        return 1

    def keys(self) -> Any:
        return {"a": 1}.keys()

    def items(self) -> Any:
        return {"a": 1}.items()

    def values(self) -> Any:
        return {"a": 1}.values()


class LiarList(list[Any]):
    """A list that says it is empty, whatever it holds."""

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: object) -> NoReturn:
        raise IndexError(index)


class SideEffect(dict[Any, Any]):
    """A dict that grows whenever it is read."""

    def __getitem__(self, key: object) -> Any:
        self[f"grown{dict.__len__(self)}"] = 1
        return dict.get(self, key)

    def __iter__(self) -> Iterator[Any]:
        self["grown"] = 1
        return dict.__iter__(self)

    def items(self) -> Any:
        self["grown"] = 1
        return dict.items(self)

    get = __getitem__
    keys = __iter__  # type: ignore[assignment]


class ClassLiar:
    """An object that is no `kind`, though `isinstance(it, kind)` says so."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.kind


class ClassBoom:
    """An object that explodes when `isinstance` asks for its class."""

    @property  # type: ignore[misc]
    def __class__(self) -> NoReturn:
        explode()


class BoomMapping(Mapping[str, Any]):
    """A mapping, no dict, that explodes on every access."""

    __getitem__ = __iter__ = __len__ = explode


class RaisingMapping(Mapping[str, Any]):
    """A mapping, no dict, of one key that it then cannot find."""

    def __getitem__(self, key: str) -> NoReturn:
        raise RuntimeError("\x1b[31mnot today\r\n")

    def __iter__(self) -> Iterator[str]:
        return iter(["type"])

    def __len__(self) -> int:
        return 1


class EndlessMapping(Mapping[str, Any]):
    """A mapping whose keys never end."""

    def __getitem__(self, key: str) -> Any:
        return {"type": "integer"}

    def __iter__(self) -> Iterator[str]:
        number = 0
        while True:
            yield f"p{number}"
            number += 1

    def __len__(self) -> int:
        return 1


class Key(enum.Enum):
    """Symbolic keys, as hosts write their schemas."""

    TYPE = "type"
    OBJECT = "object"
    INTEGER = "integer"
    PROPERTIES = "properties"
    REQUIRED = "required"
    MINIMUM = "minimum"
    NAME = "name"


class IntKey(enum.Enum):
    """Symbolic keys that are no strings."""

    ONE = 1


class LyingKey(enum.Enum):
    """A symbolic key whose `value` says something else than what it is."""

    TYPE = "type"

    @property
    def value(self) -> str:  # type: ignore[override]
        return CODE


class BoomEnum(enum.Enum):
    """A symbolic key that explodes when it is asked for its value or name."""

    TYPE = "type"

    @property
    def value(self) -> NoReturn:  # type: ignore[override]
        explode()

    @property
    def name(self) -> NoReturn:  # type: ignore[override]
        explode()


def nest(levels: int, wrap: Callable[[Any], Any], value: Any) -> Any:
    """`wrap` applied `levels` times to `value`."""
    for _ in range(levels):
        value = wrap(value)
    return value


def deep_list(levels: int, *leaf: Any) -> Any:
    """Lists nested `levels` deep, around `leaf` where one is given."""
    return nest(levels, lambda inner: [inner], leaf[0]) if leaf else nest(levels - 1, lambda inner: [inner], [])


def deep_dict(levels: int, leaf: Any = None) -> Any:
    """Dicts nested `levels` deep, one member `a` each."""
    return nest(levels, lambda inner: {"a": inner}, leaf)


def shallow(schema: Any) -> Any:
    """An object schema whose property `a` is `schema`."""
    return {"type": "object", "properties": {"a": schema}}


def words(count: int, prefix: str = "p") -> list[str]:
    """`count` distinct names."""
    return [f"{prefix}{number}" for number in range(count)]


def cyc_list() -> list[Any]:
    """A list that contains itself."""
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    return cyclic


def cyc_dict() -> dict[str, Any]:
    """A dict that contains itself, as `a`."""
    cyclic: dict[str, Any] = {}
    cyclic["a"] = cyclic
    return cyclic


def cyc_schema() -> dict[str, Any]:
    """A schema that is its own property `a`."""
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    schema["properties"]["a"] = schema
    return schema


def clearing(name: str) -> dict[Any, Any]:
    """A dict with a key that clears the dict when it is compared, and has the hash of `name`."""
    cleared: dict[Any, Any] = {}
    eraser = subclass(str, "Eraser", "__eq__ __ne__", lambda *_: bool(cleared.clear()))
    cleared[eraser(name)] = 1
    cleared.update(dict.fromkeys(words(50), 1))
    return cleared


def dag(levels: int, keyword: str, leaf: Any = None) -> dict[str, Any]:
    """`$defs` d0..dn, each naming the one below twice under `keyword`."""
    defs = {"d0": leaf or {"type": "integer"}}
    for level in range(1, levels + 1):
        defs[f"d{level}"] = {keyword: [{"$ref": f"#/$defs/d{level - 1}"}] * 2}
    return {"$defs": defs, "$ref": f"#/$defs/d{levels}"}


def prop_dag(levels: int, under: str = "$defs") -> dict[str, Any]:
    """Like `dag`, through the properties `a` and `b`."""
    defs: dict[str, Any] = {"d0": {"type": "integer"}}
    for level in range(1, levels + 1):
        ref = {"$ref": f"#/{under}/d{level - 1}"}
        defs[f"d{level}"] = {"properties": {"a": ref, "b": ref}}
    return {under: defs, "properties": {"a": {"$ref": f"#/{under}/d{levels}"}}}


def np() -> Any:
    """numpy, for the cases that need it."""
    return importlib.import_module("numpy")


NAMES = {name: value for name, value in globals().items() if not name.startswith("_")}
"""What an expression of a case may name."""
_MODULES = (collections, datetime, fractions, json, types)
"""Modules that expressions use by name."""


def evaluate(expression: str, **more: Any) -> Any:
    """The value of one expression of a case, made afresh."""
    return eval(expression, {**NAMES, **more})

"""Objects that lie, explode or never end, and builders of deep, wide and endless values.

The expressions of the hostile cases are evaluated with the names of this module.

Imports: nothing of admit.
"""

from __future__ import annotations

import decimal
import enum
import math
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, NoReturn

CODE = "__import__('os').environ.__setitem__('HOSTILE_PWNED','1')"
"""What a payload runs where text of a schema becomes code: it sets the canary."""
PORT, FILE = 9, "/nonexistent"
"""A server and a file that must never be asked."""
D, inf, nan = decimal.Decimal, math.inf, math.nan

_COMMON = "__contains__ __iter__ __len__ __bool__ __getitem__ __eq__ __ne__ __repr__ __str__ __format__ "
_DICT = _COMMON + "__reversed__ copy get keys items values"
_LIST = _COMMON + "__reversed__ __lt__ __gt__ copy count index"
_STR = _COMMON + "__lt__ __gt__ __add__ __mod__ encode format replace isidentifier isprintable isascii"
_NUMBER = (
    "__lt__ __le__ __gt__ __ge__ __eq__ __ne__ __add__ __radd__ __sub__ __rsub__ __mod__ __rmod__ __abs__ __neg__ "
    "__bool__ __int__ __float__ __index__ __trunc__ __floor__ __round__ __repr__ __str__ __format__ is_integer"
)


def subclass(base: type, name: str, methods: str, act: Callable[..., Any]) -> Any:
    """A subclass of `base` whose `methods` all do `act`; it hashes as `base` does."""
    return type(name, (base,), {"__hash__": base.__hash__, **dict.fromkeys(methods.split(), act)})


def pretender(base: type, name: str, methods: str, pretence: object) -> Any:
    """A subclass of `base` that answers as `pretence` would, whatever it holds."""

    def method(called: str) -> Callable[..., Any]:
        return lambda _, *rest: getattr(pretence, called)(*rest)

    return type(name, (base,), {called: method(called) for called in methods.split()})


def explode(*_: object) -> NoReturn:
    """The accessor that must never be called: SystemExit passes every `except Exception`."""
    raise SystemExit("an accessor of a stranger's object was called")


def grow(self: dict[Any, Any], *_: object) -> Any:
    """The accessor that changes its dict."""
    dict.__setitem__(self, f"grown{dict.__len__(self)}", 1)
    return iter(list(dict.keys(self)))


BoomDict = subclass(dict, "BoomDict", _DICT, explode)
BoomList = subclass(list, "BoomList", _LIST, explode)
BoomStr = subclass(str, "BoomStr", _STR, explode)
BoomInt = subclass(int, "BoomInt", _NUMBER, explode)
BoomFloat = subclass(float, "BoomFloat", _NUMBER, explode)
BoomKey = subclass(str, "BoomKey", "__eq__ __ne__", explode)
"""A key that explodes when it is compared, and has the hash of its text."""

_TEXT = "__repr__ __str__ __format__"
ReprStr = subclass(str, "ReprStr", _TEXT, lambda *_: CODE)
ReprInt = subclass(int, "ReprInt", _TEXT, lambda *_: CODE)
ReprFloat = subclass(float, "ReprFloat", _TEXT, lambda *_: CODE)
ReprDict = subclass(dict, "ReprDict", _TEXT, lambda *_: CODE)
ReprList = subclass(list, "ReprList", _TEXT, lambda *_: CODE)

LiarStr = subclass(str, "LiarStr", "__eq__ __contains__ __lt__ __gt__ isprintable isascii", lambda *_: True)
LiarLen = subclass(str, "LiarLen", "__len__", lambda *_: 1 << 62)
LiarInt = subclass(int, "LiarInt", "__lt__ __le__ __gt__ __ge__ __eq__ is_integer", lambda *_: True)
LiarFloat = subclass(float, "LiarFloat", "__lt__ __le__ __gt__ __ge__ __eq__ is_integer", lambda *_: True)
LiarDict = pretender(dict, "LiarDict", "__contains__ __iter__ __len__ __getitem__ __eq__ get keys items", {"a": 1})
LiarList = pretender(list, "LiarList", "__contains__ __iter__ __len__ __getitem__ __eq__ count index", [])
SideEffect = subclass(dict, "SideEffect", "__contains__ __iter__ __len__ __getitem__ get keys items values", grow)

Forger = type("\x1b[31mE\r\nFAKE: accepted\u202e", (), {})
"""A class whose very name would forge a line of a log."""
LongName = type("N" * 100_000, (), {})


class ClassLiar:
    """An object that is no `kind`, though `isinstance(it, kind)` says so."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property
    def __class__(self) -> Any:
        return self.kind


class ClassBoom:
    """An object that explodes when `isinstance` asks for its class."""

    __class__ = property(explode)


class BrokenMapping(Mapping[Any, Any]):
    """A mapping, no dict, that cannot be read."""

    def __getitem__(self, key: object) -> NoReturn:
        raise RuntimeError("\x1b[31mnot\r\ntoday")

    __iter__ = __len__ = __getitem__


class EndlessMapping(Mapping[Any, Any]):
    """A mapping, no dict, whose keys never end."""

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
    """Symbolic keys, as hosts write them in their schemas."""

    TYPE = "type"
    OBJECT = "object"
    INTEGER = "integer"
    PROPERTIES = "properties"
    REQUIRED = "required"
    NAME = "name"


class IntKey(enum.Enum):
    """A symbolic key that is no string."""

    ONE = 1


class LyingKey(enum.Enum):
    """A symbolic key that explodes when it is asked for its value or name."""

    TYPE = "type"
    value = property(explode)
    name = property(explode)


def nest(levels: int, wrap: Callable[[Any], Any], value: Any) -> Any:
    """`wrap` applied `levels` times to `value`."""
    for _ in range(levels):
        value = wrap(value)
    return value


def deep_list(levels: int, *leaf: Any) -> Any:
    """Lists nested `levels` deep, around `leaf` where one is given."""
    return nest(levels if leaf else levels - 1, lambda inner: [inner], leaf[0] if leaf else [])


def deep_dict(levels: int, leaf: Any = None) -> Any:
    """Dicts nested `levels` deep, each the member `a` of the one around it."""
    return nest(levels, lambda inner: {"a": inner}, leaf)


def prop(schema: Any) -> Any:
    """An object schema whose property `a` is `schema`."""
    return {"type": "object", "properties": {"a": schema}}


def items(schema: Any) -> Any:
    """An array schema whose items are `schema`."""
    return {"type": "array", "items": schema}


def one_of(*branches: Any) -> Any:
    """A `oneOf` of `branches`."""
    return {"oneOf": list(branches)}


def words(count: int) -> list[str]:
    """`count` distinct names."""
    return [f"p{number}" for number in range(count)]


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
    schema: dict[str, Any] = prop(None)
    schema["properties"]["a"] = schema
    return schema


def clearing(name: str) -> dict[Any, Any]:
    """A dict with a key that clears the dict when it is compared, and has the hash of `name`."""
    cleared: dict[Any, Any] = {}
    eraser = subclass(str, "Eraser", "__eq__ __ne__", lambda *_: bool(cleared.clear()))
    cleared.update({word: 1 for word in words(50) if word != name})
    cleared[eraser(name)] = 1
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
    """numpy, for the cases of wider profiles that name it."""
    return import_module("numpy")


MODULES = {name: import_module(name) for name in ("array", "collections", "datetime", "fractions", "json", "types")}
NAMES = {**MODULES, **{name: value for name, value in globals().items() if not name.startswith("_")}}
"""What an expression may name."""


def evaluate(expression: str, **more: Any) -> Any:
    """The value of an expression of a case, made afresh."""
    return eval(expression, {**NAMES, **more})  # noqa: S307  (text of this folder)

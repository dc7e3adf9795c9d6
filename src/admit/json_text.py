"""Strict decoding of JSON text (RFC 8259): what leaves room for two readings is refused.

The standard library's decoder does the work; its hooks and two scans refuse what it lets pass: duplicate keys, NaN and
the infinities, lone surrogates, numbers and nesting without bound.

Imports: nothing of admit but errors, limits and pointer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, NoReturn

from .limits import Limits, reached
from .pointer import preview

Text = bytes | bytearray | memoryview | str
"""What JSON text comes as."""

NESTING = 512
"""Arrays and objects within one another in JSON text, unless `Limits.instance_depth` allows more. The decoder recurses
in C: its own bound depends on the caller's stack, and on Python 3.13 a small thread crashes before it is reached."""

_ALWAYS_CONVERTED = 640
"""Digits that `int` accepts whatever `sys.set_int_max_str_digits` says; a shorter text holds no longer number."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|([\[\]{}])', re.DOTALL)
"""A string, closed or not, or a bracket outside strings, as its group: every match is found in one pass."""
_STEP = {"": 0, "[": 1, "{": 1, "]": -1, "}": -1}

_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)
"""One escape, or the two of a surrogate pair; a surrogate escape without its other half is the group."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class JSONTextError(Exception):
    """Text that is not JSON, or means different things to different readers; `reason` is a clause for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def decode(data: Text, *, limits: Limits) -> Any:
    """The value of JSON text, in exact built-in types; a number beyond a float's range becomes an infinity.

    Raises JSONTextError where the text is no strict JSON in UTF-8, ExecutionError where a number or the nesting passes
    a limit, TypeError where `data` is no text.
    """
    text = _text(data)
    nesting = max(NESTING, limits.instance_depth)
    if text.count("[") + text.count("{") > nesting and _nesting(text) > nesting:
        raise reached("json_depth", nesting, "the nesting of the JSON text")
    decoder = _PLAIN if len(text) <= min(limits.number_digits, _ALWAYS_CONVERTED) else _counting(limits.number_digits)
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        raise JSONTextError(f"{_lower(error.msg)} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise reached("json_depth", nesting, "the nesting of the JSON text, or of the program that reads it,") from None
    if (r"\ud" in text or r"\uD" in text) and any(escape.lastindex for escape in _ESCAPE.finditer(text)):
        raise JSONTextError("an escape stands for half a surrogate pair")
    return value


def _text(data: Text) -> str:
    if isinstance(data, str):
        text = str.__str__(data)
        if not text.isascii() and _SURROGATE.search(text):
            raise JSONTextError("a character is half a surrogate pair")
    elif isinstance(data, (bytes, bytearray, memoryview)):
        try:
            text = str(data if type(data) is bytes else bytes(data), "utf-8")
        except UnicodeDecodeError as error:
            raise JSONTextError(f"the bytes are not UTF-8 at offset {error.start}") from None
    else:
        raise TypeError(f"JSON text is bytes or str, not {type(data).__name__}")
    if text.startswith("\ufeff"):
        raise JSONTextError("the text begins with a byte order mark")
    return text


def _nesting(text: str) -> int:
    return max(accumulate(_STEP[bracket] for bracket in _TOKEN.findall(text)))


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) != len(members):
        twice = next(name for name, times in Counter(name for name, _ in members).items() if times > 1)
        raise JSONTextError(f"one object has the name {preview(twice)} twice")
    return value


def _constant(name: str) -> NoReturn:
    raise JSONTextError(f"{name} is not JSON")


_decoder = partial(json.JSONDecoder, object_pairs_hook=_object, parse_constant=_constant)
_PLAIN = _decoder()


@lru_cache(maxsize=8)
def _counting(limit: int) -> json.JSONDecoder:
    """A decoder that counts the digits of every number."""

    def count(text: str) -> None:
        if len(text) > limit and sum(map(str.isdigit, text)) > limit:
            raise reached("number_digits", limit, "a number in the JSON text")

    def integer(text: str) -> int:
        count(text)
        return _integer(text)

    def real(text: str) -> float:
        count(text)
        return float(text)

    return _decoder(parse_int=integer, parse_float=real)


def _integer(text: str) -> int:
    """`int(text)`, whatever `sys.set_int_max_str_digits` says."""
    if len(text) <= _ALWAYS_CONVERTED:
        return int(text)
    digits = text.lstrip("-")
    value = 0
    for start in range(0, len(digits), _ALWAYS_CONVERTED):
        part = digits[start : start + _ALWAYS_CONVERTED]
        value = value * 10 ** len(part) + int(part)
    return -value if text.startswith("-") else value


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]

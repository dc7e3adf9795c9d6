"""JSON Pointers, read without admit's own code: every location in an error has to lead somewhere.

Imports: nothing of admit.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any


def pointer(path: Iterable[str | int]) -> str:
    """The pointer of a path of member names and indexes."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in path)


def is_in_union(location: str) -> bool:
    """Whether a location in a schema is that of a `oneOf` or of something under one."""
    tokens = iter(location.split("/")[1:])
    return any(token == "oneOf" or (token == "properties" and next(tokens, None) is None) for token in tokens)


def resolve(document: Any, pointer: str) -> Any:
    """What `pointer` points at. Raises LookupError where that is nothing."""
    if pointer and pointer[0] != "/":
        raise LookupError(pointer)
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, list) and str(int(name)) == name:
            document = list.__getitem__(document, int(name))
        elif isinstance(document, dict):
            document = _member(dict.items(document), name)
        elif isinstance(document, Mapping):
            document = _member(((key, document[key]) for key in document), name)
        else:
            raise LookupError(pointer)
    return document


def _member(items: Any, name: str) -> Any:
    for key, value in items:
        text = key._value_ if isinstance(key, enum.Enum) else key
        if isinstance(text, str) and str.__eq__(text, name):
            return value
    raise LookupError(name)

"""JSON Pointers (RFC 6901), and the names that callers know their arguments by.

Imports: nothing of admit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
NAME_SHOWN = 64
"""Characters of a name that a message shows."""
PATH_SHOWN = 256
"""Characters of a path that a message shows: its end."""
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def escape(token: str) -> str:
    """One reference token, escaped: `~` as `~0`, `/` as `~1`."""
    return token.replace("~", "~0").replace("/", "~1")


def pointer(path: Iterable[str | int]) -> str:
    """The JSON Pointer of a path of member names and array indexes; the empty path is the whole document."""
    return "".join("/" + (escape(token) if isinstance(token, str) else str(token)) for token in path)


def resolve(document: Any, location: str) -> Any:
    """What `location` points at in `document`. Raises LookupError where it points at nothing."""
    if location and not location.startswith("/"):
        raise LookupError(location)
    value = document
    for raw in location.split("/")[1:]:
        token = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not (token.isascii() and token.isdigit()) or (token[0] == "0" and token != "0"):
                raise LookupError(location)
            value = value[int(token)]
        elif isinstance(value, dict):
            value = value[token]
        else:
            raise LookupError(location)
    return value


def argument_name(path: Iterable[str | int]) -> str:
    """A path as the caller knows it: `options[1].label`; names that are no plain words, or long, are quoted and cut.

    Safe to stand in a message.
    """
    name = ""
    for token in path:
        name = named_in(name, token)
    return name


def named_in(owner: str, token: str | int) -> str:
    """The argument name of a member or an item of `owner`; the arguments as a whole have the empty name."""
    if isinstance(token, int):
        name = f"{owner}[{token}]"
    elif len(token) <= NAME_SHOWN and _PLAIN.fullmatch(token):
        name = f"{owner}.{token}" if owner else token
    else:
        name = f"{owner}[{preview(token)}]" if owner else preview(token)
    return name if len(name) <= PATH_SHOWN else "…" + name[1 - PATH_SHOWN :]


def preview(text: str, limit: int = NAME_SHOWN) -> str:
    """`text` in double quotes for a message, escaped and cut to `limit` characters."""
    return f'"{plain(text, limit)}"'


def plain(text: str, limit: int = 200) -> str:
    """`text` for a message: quotes, control, format and surrogate characters escaped, cut to `limit` characters."""
    escaped = "".join(
        char if char.isprintable() and char not in '"\\' else _ESCAPES.get(char) or f"\\u{ord(char):04x}"
        for char in text[:limit]
    )
    return escaped + ("…" if len(text) > limit else "")

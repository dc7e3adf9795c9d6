"""What may enter generated text: names minted here, and literals written here. A schema's text becomes neither.

A name comes from a counter and is recorded; a literal is printed ASCII and recorded. Before any text becomes code, the
audit parses it and finds nothing in it that was not recorded (`audit.py`).

Imports: nothing of admit.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_PLAIN_POINTER = re.compile(r"(/[A-Za-z0-9_]+)*\Z")
_SHOWN = 100
"""Characters of a location that a comment shows at most."""
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

Constant = str | int | float
"""Values that a literal can be. A bool is none."""


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier of generated code."""

    text: str

    def __post_init__(self) -> None:
        if not _IDENTIFIER.match(self.text):
            raise ValueError(f"{self.text!r} is no identifier")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Lit:
    """A constant of generated code, printed as ASCII that Python and Cython read alike."""

    value: Constant

    def __str__(self) -> str:
        if type(self.value) is str:
            return '"' + "".join(map(_escaped, self.value)) + '"'
        if type(self.value) is int and abs(self.value) >= 1 << 63:
            return hex(self.value)  # its decimal digits may be more than an interpreter reads
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names and constants that a printer writes of its own accord."""

    names: frozenset[str]
    constants: frozenset[Constant]


@dataclass(slots=True)
class Mint:
    """Hands out the names and literals of one module, and remembers them."""

    names: set[str] = field(default_factory=set)
    literals: set[str] = field(default_factory=set)
    """As they are printed: the hashes of strings cannot be chosen, those of numbers can."""
    _counts: dict[str, int] = field(default_factory=dict)

    def name(self, kind: str) -> Name:
        """A new name of a kind: `check_1`, `check_2`, …"""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return self.fixed(f"{kind}_{self._counts[kind]}")

    def fixed(self, text: str) -> Name:
        """A name that admit chose."""
        self.names.add(text)
        return Name(text)

    def json(self, values: list[str] | list[int]) -> Lit:
        """A list as a literal of one string of JSON: what is long costs less so."""
        return self.lit(json.dumps(values, separators=(",", ":")))

    def lit(self, value: Constant) -> Lit:
        """A literal of an exact str, int or finite float."""
        if type(value) not in (str, int, float) or value != value or value in (float("inf"), -float("inf")):
            raise ValueError(f"a {type(value).__name__} becomes no literal")
        literal = Lit(value)
        self.literals.add(str(literal).removeprefix("-"))  # a sign is an operator
        return literal


def plain_pointer(location: str) -> str | None:
    """A schema location that may stand in a comment: short, and of plain word characters only; else None."""
    return location if len(location) <= _SHOWN and _PLAIN_POINTER.match(location) else None


def _escaped(char: str) -> str:
    code = ord(char)
    if char in _ESCAPES:
        return _ESCAPES[char]
    if 0x20 <= code < 0x7F:
        return char
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

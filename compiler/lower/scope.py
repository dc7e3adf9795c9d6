"""What lowering knows of the subschema it stands at.

Imports: the contract; pointer; program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...contract import Contract
from ...pointer import pointer
from ..program import Node

MOST_SHOWN = 256
"""Characters of a location that a node keeps: its end. Each node has one, and names may be as long as a schema."""


@dataclass(frozen=True, slots=True)
class Scope:
    """One subschema, where it stands, and how a subschema in it is lowered."""

    contract: Contract
    schema: Any
    at: str
    lower: Callable[[Scope], Node]
    keys: dict[str, str] = field(init=False)
    """Keyword to its key as written."""

    def __post_init__(self) -> None:
        keys = {keyword: key for keyword, key, _ in self.contract.keywords(self.schema)}
        object.__setattr__(self, "keys", keys)

    def __contains__(self, keyword: str) -> bool:
        return keyword in self.keys

    def get(self, keyword: str, default: Any = None) -> Any:
        """The value of a keyword."""
        return self.schema[self.keys[keyword]] if keyword in self.keys else default

    def location(self, keyword: str, *tokens: str | int) -> str:
        """The location of a keyword, or of something in its value; of the subschema where it lacks the keyword."""
        at = self.at + pointer((self.keys[keyword], *tokens)) if keyword in self.keys else self.at
        return at if len(at) <= MOST_SHOWN else "/…" + at[-MOST_SHOWN:]

    def inner(self, keyword: str, *tokens: str | int) -> Node:
        """What the subschema asserts that a keyword holds, or that is found at `tokens` in its value."""
        schema = self.get(keyword)
        for token in tokens:
            schema = schema[token]
        return self.lower(Scope(self.contract, schema, self.location(keyword, *tokens), self.lower))

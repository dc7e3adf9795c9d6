"""Limits that keep the work bounded that strangers' schemas and arguments cause.

Imports: nothing of admit but errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from .errors import ExecutionError


@dataclass(frozen=True, slots=True)
class Limits:
    """What a schema and its arguments may cost. Passing one is an `ExecutionError` that names it."""

    schema_bytes: int = 1 << 20
    """Bytes of the schema written as compact JSON."""
    schema_nodes: int = 20_000
    """Subschemas in the schema."""
    schema_depth: int = 128
    """Subschemas nested in one another."""
    instance_depth: int = 256
    """Objects and arrays nested in one another, where admit has to look into them."""
    number_digits: int = 4_300
    """Digits of one number in JSON text."""

    @classmethod
    def of(cls, value: Limits | Mapping[str, int] | None) -> Limits:
        """`value` as Limits: a mapping changes the defaults it names.

        Raises TypeError where a name is unknown, or a value is no int that the limit may be set to.
        """
        if isinstance(value, Limits):
            value = asdict(value)
        known = {field.name for field in fields(cls)}
        chosen = dict(value or {})
        for name, limit in chosen.items():
            if name not in known:
                raise TypeError(f"{name!r} is not a limit; limits are {', '.join(sorted(known))}")
            if type(limit) is not int or not 1 <= limit <= MOST[name]:
                raise TypeError(f"limit {name} must be an int from 1 to {MOST[name]}")
        return cls(**chosen)


MOST = {
    "schema_bytes": 1 << 26,
    "schema_nodes": 1 << 20,
    "schema_depth": 128,
    "instance_depth": 512,
    "number_digits": 1 << 20,
}
"""What a limit may be set to at most: both depths by what a small stack holds."""


def reached(name: str, limit: int, what: str, **details: object) -> ExecutionError:
    """The error for a limit that was passed."""
    return ExecutionError(f"{what} is over the limit {name} of {limit}", limit=name, **details)

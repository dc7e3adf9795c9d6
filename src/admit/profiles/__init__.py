"""Profiles: which schemas of a dialect are accepted. `get` finds one by name.

Imports: core, document, errors, limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..document import Document
from ..errors import UnsupportedCapabilityError
from ..limits import Limits
from . import core


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of accepted schemas."""

    name: str
    check: Callable[[Document, Limits], None]
    """Accepts a whole document, or raises its first fault in document order."""
    aliases: Mapping[str, str]
    """Other spellings of keywords."""
    applicators: Mapping[str, str]
    """Keywords that hold schemas: `one`, a `list` of them, or the `members` of an object."""
    annotations: frozenset[str]
    """Keywords that assert nothing."""


PROFILES = {"core": Profile("core", core.check, core.ALIASES, core.APPLICATORS, frozenset({"description"}))}


def get(name: str) -> Profile:
    """The profile called `name`. Raises UnsupportedCapabilityError where this version has none of that name."""
    profile = PROFILES.get(name)
    if profile is None:
        known = ", ".join(PROFILES)
        raise UnsupportedCapabilityError(f"profile {name!a} is not in this version of admit; it has {known}")
    return profile

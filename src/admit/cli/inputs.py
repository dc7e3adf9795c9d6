"""What the commands are given: the options they share, and what is read by them.

Imports: catalog, limits, pointer, profiles, validator, errors; output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import profiles
from ..catalog import Catalog, load_catalog
from ..errors import AdmitError
from ..limits import Limits
from ..pointer import preview
from ..validator import Tier, Validator
from .output import UsageError

LIMITS = tuple(field.name for field in fields(Limits))

NAMES_LISTED = 8
"""Tool names that a message lists at most."""


def _known_profile(name: str) -> str:
    try:
        return profiles.get(name).name
    except AdmitError as error:
        raise typer.BadParameter(error.message) from None


CatalogPath = Annotated[
    Path,
    typer.Argument(
        metavar="CATALOG",
        help="JSON file of tools: MCP tools/list, Anthropic, OpenAI, Gemini or Bedrock tools, or names with schemas.",
    ),
]
ToolName = Annotated[str, typer.Option("--tool", metavar="NAME", help="The tool of the catalog.")]
ProfileName = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME",
        callback=_known_profile,
        help=f"Which schemas are accepted: {', '.join(profiles.PROFILES)}.",
    ),
]
LimitValues = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=VALUE",
        help=f"Change a limit; may be repeated. Names: {', '.join(LIMITS)}. Values: at least 1.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def positive(text: str | int) -> int:
    """The value of an option that is a number. Raises ValueError, in words for the user, where it is none."""
    if not re.fullmatch("0*[1-9][0-9]{0,17}", str(text)):
        raise ValueError(f"{preview(str(text))} is not a whole number of at least 1")
    return int(text)


def same(profile: str, limits: Sequence[str] | None) -> dict[str, Any]:
    """The options of `admit.check`. Raises UsageError where a limit is not `NAME=VALUE`, or not one."""
    chosen: dict[str, int] = {}
    for text in limits or ():
        name, _, value = text.partition("=")
        if name not in LIMITS:
            known = ", ".join(LIMITS)
            raise UsageError(f"invalid value for '--limit': {preview(text)} is not NAME=VALUE, NAME one of {known}")
        try:
            chosen[name] = positive(value)
        except ValueError as error:
            raise UsageError(f"invalid value for '--limit': {name}: {error}") from None
    try:
        return {"profile": profile, "limits": Limits.of(chosen)}
    except TypeError as error:  # larger than it may be
        raise UsageError(f"invalid value for '--limit': {error}") from None


def unreadable(error: OSError) -> UsageError:
    """The error for a file that the system does not let us read."""
    return UsageError(f"{error.filename} cannot be read: {error.strerror}")


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises UsageError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(error) from None


def read_catalog(path: Path) -> Catalog:
    """The catalog in a file. Raises UsageError where it cannot be read or is none."""
    try:
        return load_catalog(path)
    except OSError as error:
        raise unreadable(error) from None
    except AdmitError as error:
        raise UsageError(f"{path} is no catalog: {error.message}", **error.details) from None


def validator_of(path: Path, name: str, options: dict[str, Any], tier: Tier = "reference") -> Validator:
    """The validator of one tool of the catalog in a file. Raises UsageError, or the AdmitError that refuses it."""
    catalog = read_catalog(path)
    bearers = Catalog(tuple(tool for tool in catalog if tool.name == name))
    if not bearers:
        raise UsageError(f"{path} has no tool {preview(name)}{_instead(name, catalog)}", tool=name)
    admitted = bearers.admit("quarantine", tier=tier, **options)
    if name in admitted.rejected:
        raise admitted.rejected[name]
    return admitted[name]


def _instead(name: str, catalog: Catalog) -> str:
    names = list(dict.fromkeys(tool.name for tool in catalog))
    near = get_close_matches(name, names, n=3)
    if near:
        return f"; did you mean {' or '.join(map(preview, near))}?"
    listed = ", ".join(map(preview, names[:NAMES_LISTED]))
    more = f" and {len(names) - NAMES_LISTED} more" if len(names) > NAMES_LISTED else ""
    return f"; it has {listed}{more}" if names else "; it has none at all"

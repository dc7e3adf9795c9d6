"""`admit validate`: whether arguments are valid for a tool.

Imports: errors, validator; inputs, output.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import AdmitError
from ..validator import Tier
from . import output
from .inputs import AsJson, CatalogPath, LimitValues, ProfileName, ToolName, positive, read_bytes, same, validator_of

EXAMPLE = """echo '{"path": "README.md"}' | admit validate tools.json --tool read"""


def validate(
    catalog: CatalogPath,
    tool: ToolName,
    arguments: Annotated[
        Path | None, typer.Argument(metavar="ARGS", help="JSON file of the arguments; `-` or none: stdin.")
    ] = None,
    tier: Annotated[Tier, typer.Option(help="What decides.")] = "auto",
    profile: ProfileName = "core",
    limit: LimitValues = None,
    failures: Annotated[
        int, typer.Option(parser=positive, metavar="N", help="Reasons to give at most, at least 1.")
    ] = 3,
    as_json: AsJson = False,
) -> int:
    """Decide the arguments of a call by the tool's schema.

    Exit status: 0 valid, 1 invalid, or the tool is refused or a limit was reached, 2 something cannot be read,
    3 something is missing on this machine, or admit itself failed.
    """
    try:
        validator = validator_of(catalog, tool, same(profile, limit), tier)
        found = validator.failures_json(_text(arguments), limit=failures)
    except AdmitError as error:
        return output.report(error, {"valid": False, "failures": []} if as_json else None)
    if as_json:
        output.as_json({"valid": not found, "failures": [failure.to_dict() for failure in found]})
    else:
        reasons = [f"{failure.instance_location or output.ROOT}: {failure.message}" for failure in found]
        for line in reasons or ["valid"]:
            output.line(line)
    return output.REFUSED if found else output.ACCEPTED


def _text(path: Path | None) -> bytes:
    if path is None and sys.stdin.isatty():
        raise output.UsageError(
            "there are no arguments: name a JSON file, or pipe JSON text in (`-` reads the terminal)"
        )
    if path is not None and path != Path("-"):
        return read_bytes(path)
    if sys.stdin.isatty():
        sys.stderr.write("reading the arguments from standard input; end with Ctrl-D\n")
        sys.stderr.flush()
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise output.UsageError(f"standard input cannot be read: {error.strerror}") from None

"""The commands, as typer has them.

Imports: admit; bench, check, compile, output, show, validate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from .. import __version__
from . import bench, check, compile, output, show, validate

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # help and usage errors are plain text, and the same when they are piped
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

COMMANDS: tuple[tuple[Callable[..., int], str], ...] = (
    (check.check, check.EXAMPLE),
    (validate.validate, validate.EXAMPLE),
    (show.show, show.EXAMPLE),
    (compile.compile, compile.EXAMPLE),
    (bench.bench, bench.EXAMPLE),
)
"""Each with the example that its help shows."""

for function, example in COMMANDS:
    app.command(epilog=f"\b\nExample:\n  {example}")(output.command(function))


def _print_version(asked: bool) -> None:
    if asked:
        output.line(f"admit {__version__}")
        raise typer.Exit


@app.callback(epilog="\b\nExample:\n  admit check tools.json")
def _admit(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Admission control for tool calls.

    A tool's JSON Schema is checked once, compiled, and decides every call.

    Every command has --json. Exit status: 0 accepted, 1 refused, 2 usage or unreadable input, 3 internal failure or
    something missing on this machine.
    """

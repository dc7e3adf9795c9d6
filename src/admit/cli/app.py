"""The commands, as typer has them.

Imports: admit; bench, check, compile, output, show, validate.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from .. import __version__
from . import bench, check, compile, output, show, validate

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""The class of what is wrong with a command line; typer exports no name for it."""


class _Command(TyperCommand):
    """A command whose usage shows an argument that is required by its name alone."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class _Group(TyperGroup):
    """The commands together: what is wrong with the command line is said as every other error is."""

    def main(self, *arguments: Any, **options: Any) -> None:
        """Run a command, and exit with its status."""
        try:
            status = super().main(*arguments, **{**options, "standalone_mode": False})
        except USAGE_ERROR as error:
            status = output.report(output.UsageError(_sentence(error)))
        except output.UsageError as error:  # of --version
            status = output.report(error)
        except OSError as error:  # of the help; what the commands print is seen to by them
            status = output.report(output.unwritable(error))
        sys.exit(status)


def _sentence(error: Any) -> str:
    """What typer has to say of a command line, as one sentence of ours."""
    said = " ".join(error.format_message().replace("Value error, ", "").split()).removesuffix(".")
    more = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
    return said[:1].lower() + said[1:] + more


app = typer.Typer(
    cls=_Group,
    add_completion=False,
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
    app.command(cls=_Command, epilog=f"\b\nExample:\n  {example}")(output.command(function))


def _print_version(asked: bool) -> None:
    if asked:
        output.line(f"admit {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="\b\nExample:\n  admit check tools.json")
def _admit(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Admission control for tool calls.

    A tool's JSON Schema is checked once, compiled, and decides every call.

    Every command has --json. Exit status: 0 accepted, 1 refused, 2 usage or unreadable input, 3 internal failure or
    something missing on this machine.
    """
    if context.invoked_subcommand is None:
        sys.stderr.write(context.get_help() + "\n")
        raise typer.Exit(output.UNUSABLE)

"""What the commands print: the same text whenever it is piped, tables and colours on a terminal, errors on stderr.

Names and texts of a catalog are strangers': nothing of them reaches a terminal as a control sequence or as markup.

Imports: errors.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec

import typer
from rich.console import Console, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from ..errors import AdmitError, ExecutionError, UnavailableError

ACCEPTED, REFUSED, UNUSABLE, FAILED = range(4)
"""The exit statuses."""

PIPE_WIDTH = 1 << 20
"""Columns of a table that is not shown on a terminal: none of its cells is wrapped."""

ROOT = "(root)"
"""How the location is shown that is no step away from the root."""

FOLDED_WIDTH = 9
"""What a column of a table is left of the terminal's width before another is shown unfolded."""

P = ParamSpec("P")


class UsageError(AdmitError):
    """What the command was given cannot be read or does not fit together."""

    code = "usage"


class UnwritableError(UsageError):
    """Standard output takes no more: an error cannot be told there either."""


def unwritable(error: OSError) -> UnwritableError:
    """The error for standard output that cannot be written, which from now on takes everything and keeps nothing."""
    _discard_output()
    return UnwritableError(f"standard output cannot be written: {error.strerror}")


def command(function: Callable[P, int]) -> Callable[P, None]:
    """`function`, which returns an exit status, as a command that exits with it, and reports what is raised."""

    @wraps(function)
    def run(*arguments: P.args, **options: P.kwargs) -> None:
        try:
            status = function(*arguments, **options)
        except Exception as error:
            try:
                status = report(error, {} if options.get("as_json") else None)
            except UnwritableError as unwritten:  # the error, as JSON
                status = report(unwritten)
        raise typer.Exit(status)

    return run


def report(error: Exception, shape: Mapping[str, Any] | None = None) -> int:
    """Say on stderr what went wrong, as a sentence; gives the exit status.

    `shape` is the JSON object, printed too, that the error is put in; None where none was asked for.
    """
    status = status_of(error)
    if isinstance(error, AdmitError):
        described = error.to_dict()
    else:
        text = f"internal failure, {type(error).__name__}: {error}"
        described = {"code": "internal_failure", "message": text, "details": {"type": type(error).__name__}}
    message = described["message"]
    if status == FAILED and not isinstance(error, UnavailableError):
        message += "; please report it with the command and its input (ADMIT_DEBUG=1 shows the traceback)"
        if os.environ.get("ADMIT_DEBUG") == "1":
            traceback.print_exception(error)
    with suppress(OSError):  # where stderr takes nothing, the status still says it
        sys.stderr.write(f"admit: {printable(message)}\n")
        sys.stderr.flush()
    if shape is not None and not isinstance(error, UnwritableError):
        as_json({**shape, "error": described})
    return status


def status_of(error: Exception) -> int:
    """The exit status that an error stands for."""
    match error:
        case UsageError():
            return UNUSABLE
        case UnavailableError():
            return FAILED
        case ExecutionError() if "limit" not in error.details:  # no limit was reached: admit is at fault
            return FAILED
        case AdmitError():
            return REFUSED
    return FAILED


def as_json(value: object) -> None:
    """Print a value as JSON, in ASCII."""
    write(json.dumps(value, indent=2) + "\n")


def line(text: str) -> None:
    """Print one line."""
    write(printable(text) + "\n")


def cell(text: str, style: str = "") -> Text:
    """Text for a cell of a table."""
    return Text(printable(text), style)


def table(headers: Sequence[str], rows: Iterable[Sequence[Text]], folding: Collection[str]) -> None:
    """Print a table, without the columns that are empty in all rows.

    Cells too wide for the terminal are folded, never cut: those under the headers `folding`, and where the others leave
    too little room for them, others too.
    """
    columns = {header: cells for header, *cells in zip(headers, *rows, strict=True) if any(cells)}
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    widths = [max(len(header), *(each.cell_len for each in cells)) + 2 for header, cells in columns.items()]
    room = Console().width + 2 - sum(min(width, FOLDED_WIDTH) for width in widths)
    for header, width in zip(columns, widths, strict=True):
        beyond = max(width - FOLDED_WIDTH, 0)
        whole = header not in folding and beyond <= max(room, 0)
        room -= beyond if whole else 0
        made.add_column(header, overflow="fold", no_wrap=whole)
    for row in zip(*columns.values(), strict=True):
        made.add_row(*row)
    show(made)


def show(content: RenderableType) -> None:
    """Print what rich renders: to the terminal's width and in its colours, or plain and as wide as it is."""
    if sys.stdout.isatty():
        write(_rendered(content, Console(file=io.StringIO(), force_terminal=True)))
        return
    if isinstance(content, Table):
        content.box, content.pad_edge = None, False
    plain = _rendered(content, Console(file=io.StringIO(), width=PIPE_WIDTH, color_system=None))
    write("".join(f"{row.rstrip()}\n" for row in plain.splitlines()))


def _rendered(content: RenderableType, console: Console) -> str:
    with console.capture() as captured:
        console.print(content, markup=False, highlight=False, emoji=False, soft_wrap=isinstance(content, Text))
    return captured.get()


def source(text: str, language: str) -> None:
    """Print a program, coloured on a terminal."""
    if sys.stdout.isatty():
        highlighted = Syntax("", language, background_color="default").highlight(text)
        highlighted.rstrip()
        show(highlighted)
    else:
        write(text.rstrip("\n") + "\n")


def printable(text: str) -> str:
    """`text` with every character escaped that is not shown as itself."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def write(text: str) -> None:
    """Write to stdout. A reader that is gone wants no more of it: the command still comes to its exit status.

    Raises UnwritableError where stdout takes nothing for another reason.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        raise unwritable(error) from None


def _discard_output() -> None:
    """Send the rest of stdout nowhere, so that the interpreter does not fail at its end on what is still buffered."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

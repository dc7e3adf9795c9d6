"""`admit bench`: what a call costs at each tier, and in other validators.

Imports: errors; inputs, output; admit.bench (when run).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from ..errors import ExecutionError, SchemaError
from . import output
from .inputs import AsJson, CatalogPath, positive, unreadable

EXAMPLE = "admit bench tools.json --calls calls.json"


def bench(
    catalog: CatalogPath,
    calls: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help='JSON file: {"calls": [{"tool", "arguments"}]}. Without it, calls are made up.'
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(parser=positive, metavar="N", help="Rounds of measurement, at least 1.")] = 15,
    smoke: Annotated[bool, typer.Option("--smoke", help="Two short rounds: no figure means anything.")] = False,
    as_json: AsJson = False,
) -> int:
    """Measure what a call costs, tier by tier.

    Side by side with other validators, those that are installed. Only valid calls of accepted tools are timed.

    Exit status: 0 measured, 2 something cannot be read, or there is no call to time, 3 admit itself failed.
    """
    from ..bench import main

    try:
        with _bar() if sys.stderr.isatty() else nullcontext() as progress:
            report = main(catalog, calls, rounds, smoke, progress=progress)
    except OSError as error:
        raise unreadable(error) from None
    except (SchemaError, ExecutionError) as error:  # of the files: verdicts are given elsewhere
        raise output.UsageError(error.message, **error.details) from None
    if as_json:
        output.as_json(report.to_dict())
    else:
        output.show(report.table())
        if smoke:
            output.line("smoke run: no figure means anything")
    return output.ACCEPTED


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    """What to tell how many rounds of how many are done."""
    with Progress(console=Console(stderr=True), transient=True) as display:
        task = display.add_task("rounds", total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)

"""`admit bench`: what a call costs at each tier, and in other validators.

Imports: inputs, output; admit.bench (when run).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import output
from .inputs import AsJson, CatalogPath, read_bytes, read_catalog

EXAMPLE = "admit bench tools.json --calls calls.json"


def bench(
    catalog: CatalogPath,
    calls: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON file of calls: tool, arguments and whether they are valid."),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="Rounds of measurement.")] = 15,
    smoke: Annotated[bool, typer.Option("--smoke", help="Run everything once: no figure means anything.")] = False,
    as_json: AsJson = False,
) -> int:
    """Measure what a call costs, tier by tier.

    Side by side with other validators, those that are installed.

    Exit status: 0 measured, 2 something cannot be read.
    """
    from ..bench import main  # the peers belong to another extra

    read_catalog(catalog)
    if calls is not None:
        read_bytes(calls)
    report = main(catalog, calls, rounds, smoke)
    if as_json:
        output.as_json(report.to_dict())
    else:
        output.show(report.table())
    return output.ACCEPTED

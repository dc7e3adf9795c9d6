"""Side by side: admit's tiers and the validators that people use today, on one catalog and its calls.

Every engine runs in a process of its own; rounds are interleaved, and what is reported are medians of paired rounds,
because the machines that this runs on are shared.

Imports: calls, measure, report; catalog, errors.
"""

from __future__ import annotations

from pathlib import Path

from ..catalog import load_catalog
from ..errors import SchemaError
from . import calls
from .measure import SMOKE, Progress, Settings, run
from .report import Report

__all__ = ["Report", "Settings", "main", "run"]


def main(
    catalog_path: Path,
    calls_path: Path | None = None,
    rounds: int = Settings().rounds,
    smoke: bool = False,
    *,
    progress: Progress | None = None,
) -> Report:
    """Measure a catalog: what `admit bench` does. Without a file of calls, one call of each tool is made up.

    Raises AdmitError or OSError where a file does not serve.
    """
    catalog = load_catalog(catalog_path)
    timed = calls.from_file(calls_path, catalog) if calls_path else calls.made_up(catalog)
    if not timed:
        raise SchemaError("no tool has a valid call to time; give some with --calls")
    return run(catalog, timed, settings=SMOKE if smoke else Settings(rounds), progress=progress)

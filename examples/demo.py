"""Decides the calls of calls.json by the tools of catalog.json, at every tier, and prints what came out.

    python examples/demo.py

Needs admit[cli]; the native tier needs Cython and a C compiler too, and is left out, with the reason, without them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

from rich.console import Console
from rich.table import Table

import admit

HERE = Path(__file__).parent


def main() -> int:
    """Print the table; the exit status is 1 where a tier decides a call differently from what is expected."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)
    catalog = admit.load_catalog(HERE / "catalog.json")
    calls = json.loads((HERE / "calls.json").read_text("utf-8"))["calls"]
    tiers = {tier: catalog.admit(tier=tier) for tier in ("reference", "python")}
    try:
        native = catalog.admit(tier="python")
        native.build()
        tiers["native"] = native
        console.print(f"Built {len(native)} tools as native code.")
    except admit.UnavailableError as error:
        console.print(f"No native tier: {error.message}.")

    table = Table("tool", "verdict", title=f"{len(calls)} calls; nanoseconds a verdict at each tier")
    table.add_column("first message", min_width=30)
    for tier in tiers:
        table.add_column(tier, justify="right")
    spent: dict[str, list[float]] = {tier: [] for tier in tiers}
    wrong, tool = 0, ""
    for call in calls:
        validators = {tier: admitted[call["tool"]] for tier, admitted in tiers.items()}
        verdicts = {tier: validator.is_valid(call["arguments"]) for tier, validator in validators.items()}
        wrong += any(verdict is not call["valid"] for verdict in verdicts.values())
        failures = validators["python"].failures(call["arguments"], limit=1)
        for tier, validator in validators.items():
            spent[tier].append(nanoseconds(validator.is_valid, call["arguments"]))
        times = [f"{values[-1]:,.0f}" for values in spent.values()]
        verdict = "[green]admitted" if verdicts["python"] else "[red]refused"
        if call["tool"] != tool:
            table.add_section()
        tool = call["tool"]
        table.add_row(tool, verdict, failures[0].message if failures else "", *times)
    console.print(table)
    medians = ", ".join(f"{tier} {median(values):,.0f} ns" for tier, values in spent.items())
    console.print(f"Median of all calls: {medians}.")
    console.print("Every tier decides every call as expected." if not wrong else f"{wrong} calls are decided wrongly!")
    return 1 if wrong else 0


def nanoseconds(is_valid: Callable[[Any], bool], arguments: Mapping[str, Any]) -> float:
    """What one verdict takes: the median of some rounds."""
    rounds = []
    for _ in range(5):
        start = perf_counter_ns()
        for _ in range(200):
            is_valid(arguments)
        rounds.append((perf_counter_ns() - start) / 200)
    return median(rounds)


if __name__ == "__main__":
    sys.exit(main())

"""What a run showed: medians of paired rounds, as figures and as a table.

Imports: nothing of admit.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

EMPTY = "empty call"


@dataclass(frozen=True, slots=True)
class Report:
    """Nanoseconds a call, by engine, tool and round."""

    versions: Mapping[str, str]
    compile_ns: Mapping[str, float]
    """Nanoseconds that each engine took for the whole catalog, at its first time in its process."""
    rounds: Mapping[str, Mapping[str, list[float]]]
    count: int
    left_out: Mapping[str, str]
    """Engines that could not compile the catalog, and why."""

    def nanoseconds(self, engine: str) -> float:
        """Nanoseconds a call: the geometric mean over the tools of each tool's median."""
        return geometric_mean(median(values) for values in self.rounds[engine].values())

    def ratio(self, engine: str, other: str, *, net: bool = False) -> float:
        """How much `engine` takes of what `other` takes: the median of paired rounds, the geometric mean over tools.

        `net`: without what an empty call takes.
        """
        per_tool = []
        for tool, values in self.rounds[engine].items():
            empty = self.rounds[EMPTY][tool] if net else [0.0] * len(values)
            pairs = zip(values, self.rounds[other][tool], empty, strict=True)
            per_tool.append(median(max(mine - none, 0.1) / max(theirs - none, 0.1) for mine, theirs, none in pairs))
        return geometric_mean(per_tool)

    def spread(self, engine: str) -> float:
        """The noise: half the range of the middle half of the rounds, relative to the median, median over the tools."""
        return median(_relative_spread(values) for values in self.rounds[engine].values())

    @property
    def engines(self) -> list[str]:
        """The engines, quickest first, the empty call last."""
        return sorted((name for name in self.rounds if name != EMPTY), key=self.nanoseconds) + [
            name for name in self.rounds if name == EMPTY
        ]

    def to_dict(self) -> dict[str, Any]:
        """The report as a JSON object; nanoseconds, and each engine against admit's native and python tiers."""
        against = [name for name in ("admit native", "admit python") if name in self.rounds]
        return {
            "machine": machine(),
            "rounds": self.count,
            "left_out": dict(self.left_out),
            "engines": {
                name: {
                    "version": self.versions[name],
                    "ns": round(self.nanoseconds(name), 1),
                    "spread": round(self.spread(name), 3),
                    "compile_ms_a_tool": round(self.compile_ns[name] / 1e6 / len(self.rounds[name]), 3),
                    "ratio": {mine: round(self.ratio(mine, name), 3) for mine in against if name != EMPTY},
                    "tools": {tool: round(median(values), 1) for tool, values in self.rounds[name].items()},
                }
                for name in self.engines
            },
        }

    def table(self) -> Table:
        """The report for a terminal."""
        from rich.table import Table

        left_out = "\n".join(f"{name} is left out: {reason}" for name, reason in self.left_out.items())
        title = f"{len(next(iter(self.rounds.values())))} tools, {self.count} rounds; {machine()}"
        table = Table(title=title, caption=left_out or None)
        table.add_column("engine")
        table.add_column("version")
        table.add_column("ns a call", justify="right")
        table.add_column("±", justify="right")
        table.add_column("this ÷ native", justify="right")
        table.add_column("this ÷ python", justify="right")
        table.add_column("compile, ms a tool", justify="right")
        for name, row in self.to_dict()["engines"].items():
            ratios = [
                significant(self.ratio(name, mine)) if mine in row["ratio"] else ""
                for mine in ("admit native", "admit python")
            ]
            compiled = "" if name == EMPTY else significant(row["compile_ms_a_tool"])
            version = "" if name == EMPTY else row["version"]
            table.add_row(name, version, f"{row['ns']:.0f}", f"{row['spread']:.0%}", *ratios, compiled)
        return table


def significant(value: float) -> str:
    """A positive figure to two digits that mean something, or to the unit: 0.021, 4.2, 412."""
    return f"{value:.0f}" if value >= 9.95 else f"{value:#.2g}"


def machine() -> str:
    """The interpreter and the machine, in a few words."""
    build = "free-threaded" if not getattr(sys, "_is_gil_enabled", lambda: True)() else "GIL"
    interpreter = f"{platform.python_implementation()} {platform.python_version()} ({build})"
    return f"{interpreter}, {platform.machine()} {platform.system()}"


def _relative_spread(values: list[float]) -> float:
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return (ordered[-1 - quarter] - ordered[quarter]) / 2 / median(ordered)

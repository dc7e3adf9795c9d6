"""Runs the engines against each other, round by round.

Imports: engines, report; catalog.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from ..catalog import Catalog
from .engines import ENGINES
from .report import Report

Progress = Callable[[int, int], None]
"""Told how many rounds of how many are done."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How long to measure."""

    rounds: int = 15
    milliseconds: float = 2.0
    """What one engine spends on one tool in one round, about."""


SMOKE = Settings(rounds=2, milliseconds=0.2)
"""Long enough to see that everything runs; its figures mean nothing."""


class _Worker:
    """An engine in its own process."""

    def __init__(self, name: str, setup: Mapping[str, Any], stack: ExitStack) -> None:
        command = [sys.executable, "-m", "admit.bench.worker", name]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}  # no engine has better luck with its dicts than another
        self._process = stack.enter_context(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        )
        stack.callback(self._process.kill)
        self._setup = setup

    def start(self) -> dict[str, Any]:
        """The nanoseconds that compiling the catalog took, as `compile`; or why that failed, as `left_out`."""
        answer: dict[str, Any] = json.loads(self._ask(self._setup))
        return answer

    def time(self, tool: str, times: int) -> float:
        """Nanoseconds a call."""
        return float(self._ask({"tool": tool, "times": times}))

    def _ask(self, request: Mapping[str, Any]) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the benchmark process ended: {self._process.args!r}")
        return answer


def run(
    catalog: Catalog,
    calls: Mapping[str, Sequence[Any]],
    *,
    engines: Sequence[str] = tuple(ENGINES),
    settings: Settings = Settings(),
    progress: Progress | None = None,
) -> Report:
    """Time the verdicts on `calls`, tool name to arguments, with every engine that is installed.

    Tools without calls are left out, and so are engines that cannot compile the catalog, with the reason. Raises
    RuntimeError where the process of an engine ends while it measures.
    """
    schemas = {tool.name: tool.schema for tool in catalog if calls.get(tool.name)}
    setup = {"schemas": schemas, "calls": {name: list(calls[name]) for name in schemas}}
    with ExitStack() as stack:
        versions = {name: version for name in engines if (version := ENGINES[name].version()) is not None}
        workers = {name: _Worker(name, setup, stack) for name in versions}
        answers = {name: worker.start() for name, worker in workers.items()}
        left_out = {name: answer["left_out"] for name, answer in answers.items() if "left_out" in answer}
        workers = {name: worker for name, worker in workers.items() if name not in left_out}
        compiled = {name: float(answers[name]["compile"]) for name in workers}
        times = {name: {tool: _times(worker, tool, settings) for tool in schemas} for name, worker in workers.items()}
        rounds: dict[str, dict[str, list[float]]] = {name: {tool: [] for tool in schemas} for name in workers}
        for done in range(settings.rounds):
            for tool in schemas:
                for name, worker in workers.items():
                    rounds[name][tool].append(worker.time(tool, times[name][tool]))
            if progress:
                progress(done + 1, settings.rounds)
    return Report(versions, compiled, rounds, settings.rounds, left_out)


def _times(worker: _Worker, tool: str, settings: Settings) -> int:
    """How often to go through a tool's calls in one round."""
    nanoseconds = worker.time(tool, 3)
    return max(1, int(settings.milliseconds * 1e6 / max(nanoseconds, 10.0)))

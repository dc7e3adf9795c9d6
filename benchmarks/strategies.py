"""The two ways of reading an object in plain Python: `python -m benchmarks.strategies [--smoke]`.

Prints what looking names up takes of what walking the members takes: the median of paired rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter_ns
from typing import Any

from rich.console import Console
from rich.table import Table

from admit import check
from admit.compiler import compile_python, passes
from admit.compiler.program import Node, ObjectMembers, Program, bottom_up

DECLARED = (1, 2, 4, 6, 8, 12, 16, 24, 32)
GIVEN = (1, 2, 3, 4, 6, 8, 12)


def ratio(declared: int, given: int, rounds: int, times: int) -> float:
    """What looking up takes of what walking takes, for an object of strings and integers."""
    kinds = ({"type": "string"}, {"type": "integer", "minimum": 0})
    names = [f"argument_{index}" for index in range(declared)]
    contract = check(
        {"properties": {name: kinds[index % 2] for index, name in enumerate(names)}, "required": names[: given // 2]}
    )
    every = declared // given
    arguments = {name: (7 if index % 2 else "words") for index, name in enumerate(names)}
    arguments = {name: arguments[name] for name in {*names[: given // 2], *names[::every][:given]}}
    walk, _ = compile_python(contract, passes.SHARED)
    look_up, _ = compile_python(contract, (*passes.SHARED, look_up_all))
    return median(timed(look_up, arguments, times) / timed(walk, arguments, times) for _ in range(rounds))


def look_up_all(program: Program) -> Program:
    """A pass: every object is read by name, whatever its size."""

    def by_name(node: Node) -> Node:
        return replace(node, strategy="look_up") if isinstance(node, ObjectMembers) else node

    return replace(program, root=bottom_up(program.root, by_name))


def timed(decide: Callable[[Any], bool], arguments: Any, times: int) -> int:
    """Nanoseconds of some calls."""
    start = perf_counter_ns()
    for _ in range(times):
        decide(arguments)
    return perf_counter_ns() - start


def main() -> None:
    """Print the table."""
    rounds, times = (2, 10) if "--smoke" in sys.argv else (41, 500)
    table = Table("declared", *(f"{given} given" for given in GIVEN), title="looking up ÷ walking")
    for declared in DECLARED:
        cells = [f"{ratio(declared, given, rounds, times):.2f}" if given <= declared else "" for given in GIVEN]
        table.add_row(str(declared), *cells)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()

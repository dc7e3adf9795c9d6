"""`import admit` is cheap: it loads neither the compiler nor what an extra brings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import admit

BUDGET = 0.050
"""Seconds of CPU time, beyond the bare interpreter."""
RUNS = 10
PROGRAM = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
began = time.process_time()
import admit
print(json.dumps({"seconds": time.process_time() - began, "modules": sorted(sys.modules)}))
"""


def import_admit() -> tuple[float, list[str]]:
    """CPU seconds that the import took in a fresh interpreter, and every module that is loaded then."""
    command = [sys.executable, "-I", "-c", PROGRAM, str(Path(admit.__file__).parents[1])]
    done = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    return done["seconds"], done["modules"]


def test_loads_neither_the_compiler_nor_an_extra() -> None:
    _, modules = import_admit()
    assert "admit" in modules
    heavy = {
        "Cython",
        "admit.cli",
        "admit.compiler",
        "admit.reference",
        "mcp",
        "platformdirs",
        "rich",
        "setuptools",
        "typer",
    }
    assert heavy & set(modules) == set()


def test_takes_less_than_its_budget() -> None:
    assert min(import_admit()[0] for _ in range(RUNS)) < BUDGET

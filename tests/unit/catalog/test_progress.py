"""The bar of a native build: on a terminal, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import admit

BUILD = """
from admit.progress import STEPS, bar
with bar() as show:
    if show is None:
        raise SystemExit("no bar")
    for module in ("x", "y"):
        for step in STEPS:
            show(module, step)
"""
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(admit.__file__).parents[1]), "TERM": "xterm"}


def test_a_bar_for_each_module_on_a_terminal() -> None:
    pytest.importorskip("rich", reason="rich is not installed (extra `cli`)")
    reader, terminal = os.openpty()
    ran = subprocess.run([sys.executable, "-c", BUILD], env=ENVIRONMENT, stderr=terminal, stdout=subprocess.PIPE)
    os.close(terminal)
    shown = os.read(reader, 1 << 16)
    os.close(reader)
    assert ran.returncode == 0, shown
    assert ran.stdout == b""
    assert b"native module 1: done" in shown
    assert b"native module 2: done" in shown


@pytest.mark.parametrize("flags", [[], ["-S"]], ids=["no terminal", "no packages"])
def test_no_bar(flags: list[str]) -> None:
    """Neither in a file, nor without rich, which `-S` hides."""
    reader, terminal = os.openpty()
    stderr = terminal if flags else subprocess.PIPE
    program = BUILD.replace('raise SystemExit("no bar")', 'print("no bar"); raise SystemExit')
    ran = subprocess.run(
        [sys.executable, *flags, "-c", program], env=ENVIRONMENT, stderr=stderr, stdout=subprocess.PIPE
    )
    os.close(terminal)
    os.close(reader)
    assert (ran.returncode, ran.stdout, ran.stderr or b"") == (0, b"no bar\n", b"")

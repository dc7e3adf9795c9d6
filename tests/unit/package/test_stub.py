"""The stub of a package: mypy knows its tools, whatever they are called."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from admit.compiler import package as writer
from admit.compiler.code import Lit

from .conftest import CONTRACTS

pytest.importorskip("mypy", reason="mypy is not installed")

PROGRAM = """
from collections.abc import Callable
from pure_tools import ExecutionError, manifest, validators
from no_tools import validators as none

{known}
def decide(name: str, arguments: object) -> bool:
    validator = validators.get(name)
    try:
        return validator is not None and validator(arguments)
    except ExecutionError:
        return False

otherwise: Callable[[object], bool] | int = validators.get("raed", 1)
names: list[str] = [*validators, manifest["kind"]]
assert "read" in validators and len(validators) > len(none)
"""
WRONG = """
validators["raed"]
validators[manifest["kind"] + ""]({"n": 1}) + "a verdict is no text"
none["read"]
"""


def mypy(directory: Path, text: str) -> list[str]:
    (directory / "program.py").write_text(text, "ascii")
    stubs = [f"{name}/__init__.pyi" for name in ("pure_tools", "no_tools")]
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "program.py", *stubs]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_unknown_tools_are_errors_and_known_ones_are_none(tmp_path: Path) -> None:
    writer.write(CONTRACTS, tmp_path / "pure_tools", native=False)
    writer.write({}, tmp_path / "no_tools", native=False)
    known = "".join(f"validators[{Lit(name)}]({{}})\n" for name in CONTRACTS)
    right = PROGRAM.replace("{known}", known)
    assert mypy(tmp_path, right) == []
    first = right.count("\n") + 2
    found = mypy(tmp_path, right + WRONG)
    assert [line.split(":")[1] for line in found] == [str(first), str(first + 1), str(first + 2)]

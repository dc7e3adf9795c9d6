"""A package decides calls in a process that has the standard library and the package, and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import CALLS, SCHEMAS, altered

PROGRAM = """
import importlib, json, sys
sys.path = [path for path in sys.path if "site-packages" not in path] + [sys.argv[1]]
package = importlib.import_module(sys.argv[2])

deep = []
for _ in range(300):
    deep = [deep]
try:
    package.validators["read"]({"n": 1, "any": [{"deep": deep}]})
except package.ExecutionError as error:
    given_up = f"{type(error).__module__}.{type(error).__name__}"

print(json.dumps({
    "tools": list(package.validators),
    "verdicts": [package.validators[tool](arguments) for tool, arguments, _ in json.load(sys.stdin)],
    "given_up": given_up,
    "native": sorted({tool["tier"] for tool in package.manifest["tools"].values()}),
    "foreign": [name for name in ("admit", "Cython", "setuptools") if name in sys.modules],
    "homes": sorted({
        module.__file__ for module in sys.modules.values()
        if getattr(module, "__file__", None) and "/lib/python" not in module.__file__
    }),
}))
"""


def alone(program: str, *arguments: str, given: object = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", program, *arguments]
    return subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=60)


def seen(package: Path) -> Any:
    done = alone(PROGRAM, str(package.parent), package.name, given=CALLS)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_decides_calls(package: Path) -> None:
    found = seen(package)
    assert found["tools"] == list(SCHEMAS)
    assert found["verdicts"] == [expected for _, _, expected in CALLS]
    assert found["given_up"] == f"{package.name}.ExecutionError"


def test_needs_nothing_but_itself(package: Path) -> None:
    found = seen(package)
    assert found["foreign"] == []
    assert {Path(home).parent for home in found["homes"]} == {package}


@pytest.mark.native
def test_is_native_but_for_what_is_too_large(native: Path) -> None:
    tools = json.loads((native / "manifest.json").read_bytes())["tools"]
    assert {name for name, entry in tools.items() if entry["tier"] != "native"} == {"wide"}
    assert "statements" in tools["wide"]["tier_reason"]
    assert len({entry["module"] for entry in tools.values()}) == 3


@pytest.mark.native
def test_another_interpreter_is_told_so(native: Path, tmp_path: Path) -> None:
    abi = json.loads((native / "manifest.json").read_bytes())["abi"]
    altered(native, tmp_path / "moved", f'"abi": "{abi}"', '"abi": "cpython-27-sparc"')
    done = alone("import sys; sys.path.append(sys.argv[1]); import moved", str(tmp_path))
    assert "ImportError: moved was built for cpython-27-sparc: compile its catalog again" in done.stderr


def test_a_module_that_is_missing_is_an_error(package: Path, tmp_path: Path) -> None:
    torn = shutil.copytree(package, tmp_path / "torn")
    next(path for path in torn.glob("admit_*") if path.suffix != ".pyx").unlink()
    done = alone("import sys; sys.path.append(sys.argv[1]); import torn", str(tmp_path))
    assert "ModuleNotFoundError: No module named 'torn.admit_" in done.stderr


def test_may_be_part_of_another_package(package: Path, tmp_path: Path) -> None:
    shutil.copytree(package, tmp_path / "outer" / "inner")
    program = "import sys; sys.path.append(sys.argv[1]); from outer.inner import validators; print(len(validators))"
    assert alone(program, str(tmp_path)).stdout == f"{len(SCHEMAS)}\n"

"""Every module imports alone, and its docstring names what it needs of admit."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import admit

PACKAGE = Path(admit.__file__).parent
EXTRAS = {"Cython": "native", "mcp": "mcp", "platformdirs": "cache", "rich": "cli", "typer": "cli"}
ALONE = "import importlib, sys; sys.path.insert(0, sys.argv[1]); importlib.import_module(sys.argv[2])"


def modules() -> dict[str, Path]:
    """Every module of admit, the compiler's through the link, by its dotted name."""
    found = {}
    for folder, _, names in os.walk(PACKAGE, followlinks=True):
        for path in (Path(folder, name) for name in names if name.endswith(".py")):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return dict(sorted(found.items()))


MODULES = modules()


def test_both_homes_are_seen() -> None:
    assert {"admit", "admit.contract", "admit.compiler", "admit.reference"} <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_imports_alone_and_without_a_warning(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-W", "error", "-c", ALONE, str(PACKAGE.parent), name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    missing = re.search(r"^ModuleNotFoundError: No module named '(\w+)", done.stderr, re.MULTILINE)
    if missing and missing[1] in EXTRAS and importlib.util.find_spec(missing[1]) is None:
        pytest.skip(f"the extra `{EXTRAS[missing[1]]}` is not installed")
    assert done.returncode == 0, done.stderr


def imported(name: str, path: Path) -> Iterator[str]:
    """The modules of admit that a module imports, anywhere in it; of a package, not its own."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found = []
        if isinstance(node, ast.ImportFrom):
            home = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            found = [full if (full := f"{home}.{alias.name}") in MODULES else home for alias in node.names]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        yield from (module for module in found if module in MODULES and not module.startswith(f"{name}."))


def unshared(module: str, other: str) -> set[str]:
    """The parts of a dotted name after what it shares with another from the left."""
    parts, others = module.split("."), other.split(".")
    return {part for end, part in enumerate(parts, 1) if parts[:end] != others[:end]}


@pytest.mark.parametrize("name", [name for name in MODULES if name != "admit"])
def test_docstring_ends_with_what_it_imports(name: str) -> None:
    path = MODULES[name]
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    last = docstring.rpartition("\n\n")[2]
    assert last.startswith("Imports: ")
    said = set(re.findall(r"\w+", last))
    needed = {module: unshared(module, name) for module in imported(name, path)}
    assert [module for module, parts in needed.items() if parts and not parts & said] == []

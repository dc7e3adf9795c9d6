"""`admit compile`: what it writes is the compiler's business; here, what the command makes of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import admit

Run = Callable[..., Result]
Write = Callable[[str, object], Path]

VERDICTS = """
import sys
from good_tools import validators
print([validators["read"](arguments) for arguments in ({"path": "a"}, {"path": 1})], "admit" in sys.modules)
"""


@pytest.fixture
def good(write: Write) -> Path:
    return write("good.json", {"read": {"properties": {"path": {"type": "string"}}}, "empty": {}})


def verdicts(directory: Path) -> str:
    """What a process that has nothing but the package says."""
    command = [sys.executable, "-S", "-c", VERDICTS]
    env = {"PYTHONPATH": str(directory), "PATH": os.environ["PATH"]}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize(
    ("option", "tier"), [("--no-native", "python"), pytest.param("--native", "native", marks=pytest.mark.native)]
)
def test_writes_a_package_and_says_how_to_import_it(
    run: Run, good: Path, tmp_path: Path, option: str, tier: str
) -> None:
    directory = tmp_path / "good_tools"
    result = run("compile", good, "-o", directory, option)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"wrote 2 {tier} validators to {directory}",
        f"to use them, with {tmp_path} on sys.path: import good_tools",
        'or, where admit is installed: admit.load_compiled("good_tools")',
    ]
    assert verdicts(tmp_path) == "[True, False] False\n"


def test_json_has_the_manifest(run: Run, good: Path, tmp_path: Path) -> None:
    directory = tmp_path / "good_tools"
    result = run("compile", good, "-o", directory, "--no-native", "--json")
    said = json.loads(result.stdout)
    assert (result.exit_code, said["directory"], said["rejected"]) == (0, str(directory), {})
    assert said["manifest"] == json.loads((directory / "manifest.json").read_bytes())


def test_a_tool_that_is_refused_stops_it(run: Run, catalog: Path, tmp_path: Path) -> None:
    result = run("compile", catalog, "-o", tmp_path / "tools", "--no-native")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith('admit: 2 of 3 tools were refused: "clock": keyword `title`')
    assert result.stderr.endswith("; `--on-unsupported quarantine` leaves such tools out\n")
    assert not (tmp_path / "tools").exists()
    said = json.loads(run("compile", catalog, "-o", tmp_path / "tools", "--json").stdout)["error"]
    assert list(said["details"]["tools"]) == ["clock", "bounds"]


def test_or_is_left_out(run: Run, catalog: Path, tmp_path: Path) -> None:
    base = ("compile", catalog, "-o", tmp_path / "tools", "--no-native", "--on-unsupported", "quarantine")
    lines = run(*base).stdout.splitlines()
    assert lines[0].startswith("left out clock: keyword `title` is outside profile core")
    assert lines[1].startswith("left out bounds: `minimum` must be a number")
    assert lines[2].startswith("wrote 1 python validator to ")
    said = json.loads(run(*base, "--json").stdout)
    assert (list(said["manifest"]["tools"]), list(said["rejected"])) == (["read"], ["clock", "bounds"])


def test_nothing_is_written_where_no_tool_is_left(run: Run, write: Write, tmp_path: Path) -> None:
    refused = write("refused.json", {"clock": {"title": "T"}})
    result = run("compile", refused, "-o", tmp_path / "tools", "--on-unsupported", "quarantine")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith('admit: 1 of 1 tools were refused: "clock": ')
    assert "quarantine" not in result.stderr
    result = run("compile", write("none.json", {}), "-o", tmp_path / "tools")
    assert result.exit_code == 2
    assert result.stderr.endswith("has no tools: there is nothing to compile\n")
    assert not (tmp_path / "tools").exists()


def test_a_directory_that_will_not_do_is_a_usage_error(run: Run, good: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("all of it")
    for name, said in (
        ("no-name", "cannot be imported"),
        ("json", "'json' is the name of a module of Python: choose another"),
        ("admit", "'admit' is the name of admit itself: choose another"),
        ("full", "holds what is no compiled package: choose another directory, or add --force\n"),
        ("good.json/tools", "cannot be written: Not a directory"),
        ("full/thesis.txt", "cannot be imported"),
    ):
        result = run("compile", good, "-o", tmp_path / name, "--no-native")
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert said in result.stderr
    assert run("compile", good, "-o", tmp_path / "full", "--no-native", "--force").exit_code == 0
    assert (tmp_path / "full" / "thesis.txt").read_text() == "all of it"


def test_without_a_c_compiler_it_says_so(run: Run, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    result = run("compile", good, "-o", tmp_path / "tools")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)
    assert "report" not in result.stderr
    assert run("compile", good, "-o", tmp_path / "tools", "--no-native").exit_code == 0


@pytest.mark.native
def test_a_tool_that_stays_in_python_says_why(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("admit.compiler.STATEMENTS_A_TOOL", 20)
    large = {"properties": {f"n{n}": {"type": "integer", "minimum": n} for n in range(9)}}
    lines = run(
        "compile", write("tools.json", {"large": large, "small": {}}), "-o", tmp_path / "tools"
    ).stdout.splitlines()
    assert lines[0].startswith("wrote 1 python and 1 native validators to ")
    assert lines[1].startswith("large is not native: ")


def test_what_was_written_can_be_loaded(run: Run, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("compile", good, "-o", tmp_path / "loaded_tools", "--no-native")
    monkeypatch.syspath_prepend(str(tmp_path))
    loaded = admit.load_compiled("loaded_tools")
    assert loaded["read"].failures({"path": 1})[0].instance_location == "/path"

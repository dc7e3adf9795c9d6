"""What can only be seen in a process of its own: statuses, pipes, terminals, a missing extra, an internal failure."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import admit

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]
Write = Callable[[str, object], Path]

ROOT = Path(__file__).parents[2]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SGR_COLOUR = re.compile(r"\x1b\[([0-9;]*;)?[34][0-9]")


def test_statuses(process: Shell, catalog: Path, write: Write) -> None:
    good = write("good.json", {"read": {}})
    assert process("check", good).returncode == 0
    assert process("check", catalog).returncode == 1
    assert process("check", "nowhere.json").returncode == 2
    assert process("check").returncode == 2
    assert process("chek").returncode == 2
    assert process().returncode == 2


def test_version_and_help(process: Shell) -> None:
    assert process("--version").stdout == f"admit {admit.__version__}\n"
    for command in ([], ["check"], ["validate"], ["show"], ["compile"], ["bench"]):
        done = process(*command, "--help")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"Example:\n    {'' if command else 'admit check'}" in done.stdout


def test_arguments_from_a_pipe(process: Shell, catalog: Path) -> None:
    done = process("validate", catalog, "--tool", "read", input='{"path": "a"}')
    assert (done.returncode, done.stdout, done.stderr) == (0, "valid\n", "")
    done = process("validate", catalog, "--tool", "read", "-", stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("reads", [0, 1])
def test_a_reader_that_leaves_changes_no_status(
    environment: dict[str, str], catalog: Path, write: Write, reads: int
) -> None:
    many = write("many.json", {f"tool {n}": {} for n in range(3000)})
    for path, status in ((many, 0), (catalog, 1)):
        command = [sys.executable, "-m", "admit", "check", str(path)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout and process.stderr
        process.stdout.read(reads)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == status
        process.stderr.close()


def test_a_closed_pipe_of_help_is_no_traceback(environment: dict[str, str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "admit", "--help"]
    done = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["check", "--help"],
        ["--version"],
        ["check", "examples/catalog.json"],
        ["check", "examples/catalog.json", "--json"],
        ["show", "examples/catalog.json", "--tool", "read", "--stage", "python"],
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(environment: dict[str, str], arguments: list[str]) -> None:
    for redirection, reason in ((">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")):
        command = ["sh", "-c", f'"$0" -m admit "$@" {redirection}', sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (2, f"admit: standard output cannot be written: {reason}\n")


def test_the_other_streams_may_be_closed_too(environment: dict[str, str]) -> None:
    for redirection, said in (("2>&-", ""), ("<&-", "admit: standard input cannot be read: Bad file descriptor\n")):
        command = ["sh", "-c", f'"$0" -m admit validate examples/catalog.json --tool read - {redirection}']
        done = subprocess.run(
            [*command, sys.executable], cwd=ROOT, env=environment, input="", capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (2 if said else 1, said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chek"], "no such command 'chek'. Did you mean 'check'? (see `admit --help`)"),
        (["check"], "missing argument 'CATALOG' (see `admit check --help`)"),
        (["check", "x", "--bogus"], "no such option: --bogus (see `admit check --help`)"),
        (["compile", "x"], "missing option '-o' / '--output' (see `admit compile --help`)"),
        (
            ["compile", "x", "-o", "x", "--on-unsupported", "no"],
            "invalid value for '--on-unsupported': 'no' is not one of 'reject', 'quarantine'"
            " (see `admit compile --help`)",
        ),
    ],
)
def test_a_command_line_that_is_wrong_is_one_sentence(run: Run, arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"admit: {said}\n")


def on_terminal(command: list[str], env: Mapping[str, str]) -> tuple[int, str]:
    """The status of a command whose three streams are one terminal, and what that shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, env=dict(env), stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    with suppress(OSError):  # how Linux ends a terminal that nobody holds open
        while piece := os.read(ours, 65536):
            seen += piece
    os.close(ours)
    return process.wait(60), seen.decode().replace("\r\n", "\n")


@pytest.fixture
def terminal(environment: dict[str, str]) -> Callable[..., tuple[int, str]]:
    def start(*arguments: object, **env: str) -> tuple[int, str]:
        return on_terminal(
            [sys.executable, "-m", "admit", *map(str, arguments)], {**environment, "COLUMNS": "50", **env}
        )

    return start


def test_a_terminal_has_colours_and_folds_without_loss(terminal: Callable[..., tuple[int, str]], write: Write) -> None:
    name = "".join(f"<{n}>" for n in range(30))
    status, seen = terminal("check", write("tools.json", {name: {}, "refused": {"title": "T"}}))
    assert status == 1
    assert "\x1b[32m" in seen
    assert "\x1b[31m" in seen
    lines = COLOUR.sub("", seen).splitlines()
    assert max(map(len, lines[:-3])) <= 50
    pieces = [line.split("  ")[0].strip() for line in lines[:-3]]
    assert name in "".join(pieces)


def test_program_texts_have_colours_on_a_terminal_and_are_whole(
    terminal: Callable[..., tuple[int, str]], process: Shell, catalog: Path
) -> None:
    for stage in ("python", "cython", "contract"):
        base = ("show", catalog, "--tool", "read", "--stage", stage)
        _, seen = terminal(*base)
        assert SGR_COLOUR.search(seen)
        piped = process(*base)
        assert "\x1b" not in piped.stdout
        assert COLOUR.sub("", seen) == piped.stdout


def test_no_color_is_respected(terminal: Callable[..., tuple[int, str]], catalog: Path) -> None:
    for arguments in (("check", catalog), ("show", catalog, "--tool", "read", "--stage", "python")):
        _, seen = terminal(*arguments, NO_COLOR="1")
        assert "read" in COLOUR.sub("", seen) or "is_valid" in seen
        assert not SGR_COLOUR.search(seen)


def test_colours_are_for_terminals_alone(process: Shell, catalog: Path) -> None:
    done = process("check", catalog, env={"FORCE_COLOR": "1", "COLUMNS": "20"})
    assert "\x1b" not in done.stdout
    assert done.stdout == process("check", catalog).stdout


def test_a_terminal_is_not_waited_for_unasked(terminal: Callable[..., tuple[int, str]], catalog: Path) -> None:
    status, seen = terminal("validate", catalog, "--tool", "read")
    assert status == 2
    assert seen.startswith("admit: there are no arguments: name a JSON file, or pipe JSON text in")


def test_a_short_name_and_a_digest_are_whole_on_a_terminal(
    terminal: Callable[..., tuple[int, str]], catalog: Path
) -> None:
    _, seen = terminal("check", catalog, COLUMNS="80")
    digest = admit.check(json.loads(catalog.read_bytes())["read"]).digest
    rows = [line.split() for line in COLOUR.sub("", seen).splitlines()]
    assert ["read", "yes", digest[7:19]] in rows
    assert any(row[:2] == ["bounds", "no"] for row in rows)


def test_names_that_the_terminal_cannot_show(process: Shell, write: Write) -> None:
    done = process("check", write("tools.json", {"größe €": {}}), env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "gr\\xf6\\xdfe \\u20ac" in done.stdout


MISSING = """
import sys
sys.modules[sys.argv.pop(1)] = None
from admit.cli import main
main()
"""


@pytest.mark.parametrize("name", ["typer", "rich"])
def test_a_missing_extra_is_said_in_one_line(environment: dict[str, str], name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING, name, "check", "tools.json"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"admit: the command line needs {name}; to install it: pip install 'admit[cli]'\n"


@pytest.mark.parametrize(("details", "status"), [({"limit": "schema_nodes"}, 1), ({}, 3), ({"tier": "python"}, 3)])
def test_only_a_limit_that_was_reached_is_a_refusal(
    run: Run, catalog: Path, monkeypatch: pytest.MonkeyPatch, details: dict[str, str], status: int
) -> None:
    def fails(path: Path) -> Any:
        raise admit.ExecutionError("said", **details)

    monkeypatch.setattr("admit.cli.check.read_catalog", fails)
    result = run("check", catalog)
    assert (result.exit_code, "please report it" in result.stderr) == (status, status == 3)


@pytest.mark.parametrize("debug", ["0", "1"])
def test_an_internal_failure_is_reported(run: Run, catalog: Path, monkeypatch: pytest.MonkeyPatch, debug: str) -> None:
    def fails(path: Path) -> Any:
        raise KeyError("x\n\x1b[31m")

    monkeypatch.setattr("admit.cli.check.read_catalog", fails)
    result = run("check", catalog, "--json", env={"ADMIT_DEBUG": debug})
    assert result.exit_code == 3
    said = json.loads(result.stdout)["error"]
    assert (said["code"], said["details"]) == ("internal_failure", {"type": "KeyError"})
    last = result.stderr.splitlines()[-1]
    assert last.startswith("admit: internal failure, KeyError: ")
    assert "please report it with the command and its input (ADMIT_DEBUG=1 shows the traceback)" in last
    assert ("Traceback" in result.stderr) == (debug == "1")
    assert "\x1b" not in result.stderr
    assert len(result.stderr.splitlines()) == 1 or debug == "1"

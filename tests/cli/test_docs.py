"""`docs/command-line.md`: every command in it is run as it stands, and prints what it says.

Run as a program, this file writes what they print now into the page.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "command-line.md"
COMMANDS = ["", "check", "validate", "show", "compile", "bench"]

SESSION = re.compile(r"^```console\n\$ (?P<command>.+)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)
"""One command and what it prints, both streams."""
SHELL = f'admit() {{ "{sys.executable}" -m admit "$@"; }}\n'


def printed(command: str) -> str:
    """What a command prints at the root of the project."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "ADMIT_DEBUG")}
    done = subprocess.run(
        ["sh", "-c", SHELL + command],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout


SESSIONS = [(found["command"], found["output"]) for found in SESSION.finditer(PAGE.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("command", "output"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_prints_what_the_page_says(command: str, output: str) -> None:
    assert printed(command) == output


def test_every_command_has_its_help_there() -> None:
    documented = {command for command, _ in SESSIONS}
    assert {f"admit {command} --help".replace("  ", " ") for command in COMMANDS} <= documented


def test_every_command_is_known_here() -> None:
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", printed("admit --help"), re.MULTILINE)
    assert listed
    assert [line.split()[0] for line in listed[1].splitlines()] == COMMANDS[1:]


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        SESSION.sub(lambda found: f"```console\n$ {found['command']}\n{printed(found['command'])}```", page),
        encoding="utf-8",
    )

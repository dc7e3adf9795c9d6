"""Catalogs in files, and two ways to run a command: in this process, and as a user's shell does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import admit
from admit.cli.app import app

SOURCES = str(Path(admit.__file__).parents[1])

READ = {
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["path"],
    "additionalProperties": False,
}
TOOLS = {
    "read": READ,
    "clock": {"properties": {"zone": {"type": "string", "title": "Zone"}}},
    "bounds": {"properties": {"n": {"type": "integer", "minimum": "one"}}},
}

Run = Callable[..., Result]
Write = Callable[[str, object], Path]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run() -> Run:
    """Runs a command in this process; `input` is what it finds on stdin, which is no terminal."""

    def invoke(*arguments: object, input: str | bytes = "", env: Mapping[str, str] | None = None) -> Result:
        return CliRunner().invoke(
            app, [str(argument) for argument in arguments], input=input, env=env, prog_name="admit"
        )

    return invoke


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a value as JSON to a file of that name; bytes as they are."""

    def to_file(name: str, value: object) -> Path:
        path = tmp_path / name
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return path

    return to_file


@pytest.fixture
def catalog(write: Write) -> Path:
    """A catalog with one tool that `core` accepts, one outside it and one that is malformed."""
    return write("tools.json", TOOLS)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds this admit, and no cache, colours or width of this machine."""
    unset = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "ADMIT_DEBUG"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "PYTHONPATH": SOURCES, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TERM": "xterm-256color"}


@pytest.fixture
def process(environment: dict[str, str]) -> Shell:
    """Runs a command in a process of its own, without a terminal."""

    def start(*arguments: object, env: Mapping[str, str] | None = None, **options: Any) -> Any:
        command = [sys.executable, "-m", "admit", *map(str, arguments)]
        options = {"capture_output": True, "text": True, "timeout": 120, **options}
        return subprocess.run(command, env={**environment, **(env or {})}, **options)

    return start

"""Packages that the tests read: one with native modules, one without. What changes a package makes a copy first."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import admit
from admit import compiler
from admit.compiler import package as writer

HOSTILE = [
    "../../x",
    "/etc/passwd",
    "a\"b'c\\",
    '"""',
    "line\nfeed\r",
    "nul\0",
    "\ud800",
    "class",
    "__init__",
    "Read",
    "]: ...\nimport os #",
    "{tools}",
    "ünïcode 😀",
    "",
    "x" * 300,
]
"""Names of tools that would be more than names, if they could."""


def counting(least: int) -> dict[str, Any]:
    """A schema that asks for `n`, no less than `least`, and takes a list of anything."""
    either = {"oneOf": [{"type": "integer"}, {"type": "object"}]}
    properties = {"n": {"type": "integer", "minimum": least}, "any": {"type": "array", "items": either}}
    return {"type": "object", "properties": properties, "required": ["n"], "additionalProperties": False}


SCHEMAS = {
    **{name: counting(index % 3) for index, name in enumerate(HOSTILE)},
    "read": counting(0),
    "huge": counting(10**5000),
    "half": {"type": "object", "properties": {"\udc00": {"type": "string"}}},
    "wide": {
        "type": "object",
        "properties": {f"n{index}": {"type": "integer", "minimum": index} for index in range(300)},
    },
}
CALLS = [
    *((name, {"n": index % 3 + step}, step >= 0) for index, name in enumerate(HOSTILE) for step in (-1, 0)),
    ("read", {}, False),
    ("read", {"n": True}, False),
    ("read", {"n": 1, "m": 1}, False),
    ("read", {"n": 1, "any": [{}, 1]}, True),
    ("read", {"n": 1, "any": [""]}, False),
    ("half", {"\udc00": 1}, False),
    ("half", {"\udc00": ""}, True),
    ("wide", {"n299": 299}, True),
    ("wide", {"n299": 298}, False),
]
CONTRACTS = {name: admit.check(schema) for name, schema in SCHEMAS.items()}


@pytest.fixture(scope="session")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("pure") / "pure_tools"
    writer.write(CONTRACTS, directory, native=False)
    return directory


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two native modules, and one in Python for `wide`."""
    directory = tmp_path_factory.mktemp("native") / "native_tools"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "TOOLS_A_MODULE", 3)
        patch.setattr(compiler, "STATEMENTS_A_TOOL", 200)
        try:
            writer.write(CONTRACTS, directory)
        except admit.UnavailableError as error:
            if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
                raise
            pytest.skip(error.message)
    return directory


@pytest.fixture(params=["pure", pytest.param("native", marks=pytest.mark.native)])
def package(request: pytest.FixtureRequest) -> Path:
    """Each of the two."""
    directory: Path = request.getfixturevalue(request.param)
    return directory


def altered(package: Path, copy: Path, part: str, other: str, file: str = "manifest.json") -> Path:
    """A copy of a package, with a part of one file's text replaced by another."""
    shutil.copytree(package, copy)
    text = (copy / file).read_text("ascii")
    assert part in text
    (copy / file).write_text(text.replace(part, other), "ascii")
    return copy

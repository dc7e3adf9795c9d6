"""`admit check`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import admit

Run = Callable[..., Result]
Write = Callable[[str, object], Path]


def test_status_says_whether_all_are_accepted(run: Run, write: Write, catalog: Path) -> None:
    assert run("check", write("good.json", {"empty": {}})).exit_code == 0
    assert run("check", write("none.json", {"tools": []})).exit_code == 0
    assert run("check", catalog).exit_code == 1


def test_table_has_the_place_of_every_fault_and_the_way_out(run: Run, catalog: Path) -> None:
    lines = run("check", catalog).stdout.splitlines()
    digest = admit.check(json.loads(catalog.read_bytes())["read"]).digest
    assert [re.split(" {2,}", line) for line in lines[:4]] == [
        ["tool", "accepted", "digest", "code", "keyword", "location", "planned in profiles"],
        ["read", "yes", digest[7:19]],
        ["clock", "no", "unsupported_capability", "title", "/properties/zone/title", "2020-12, draft-07"],
        ["bounds", "no", "validation", "minimum", "/properties/n/minimum"],
    ]
    assert lines[4:] == [
        "profile core accepts 1 of 3 tools",
        "the first fault of 1 of 2 refused tools is planned for profile 2020-12",
        "the first fault of 1 of 2 refused tools is planned for profile draft-07",
    ]


def test_json_is_what_the_library_says(run: Run, catalog: Path) -> None:
    result = run("check", catalog, "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    said = json.loads(result.stdout)
    admitted = admit.load_catalog(catalog).admit("quarantine")
    assert said["tools"] == [
        {"name": "read", "accepted": True, "profile": "core", "digest": admitted["read"].contract.digest},
        *(
            {"name": name, "accepted": False, "profile": "core", "digest": None, "error": error.to_dict()}
            for name, error in admitted.rejected.items()
        ),
    ]
    assert said["summary"] == {
        "profile": "core",
        "tools": 3,
        "accepted": 1,
        "refused": 2,
        "first_fault_planned_for": {"2020-12": 1, "draft-07": 1},
    }


def test_nothing_refused_needs_no_columns_for_refusals(run: Run, write: Write) -> None:
    lines = run("check", write("good.json", {"empty": {}})).stdout.splitlines()
    assert lines[0].split() == ["tool", "accepted", "digest"]
    assert lines[-1] == "profile core accepts 1 of 1 tools"


def test_a_column_that_is_empty_in_all_rows_is_left_out(run: Run, write: Write) -> None:
    lines = run("check", write("wrong.json", {"wrong": {"required": "path"}})).stdout.splitlines()
    assert lines[0].split() == ["tool", "accepted", "code", "keyword", "location"]
    lines = run("check", write("root.json", {"any": True})).stdout.splitlines()
    assert re.split(" {2,}", lines[1])[2:] == ["unsupported_capability", "(root)", "2020-12, draft-07"]


def test_bearers_of_one_name_are_listed_each_and_the_reason_is_said(run: Run, write: Write) -> None:
    twins = write("twins.json", [{"name": "twin", "inputSchema": {}}, {"name": "twin", "inputSchema": {}}])
    lines = run("check", twins).stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:3]] == [["twin", "no", "validation"]] * 2
    assert lines[3] == 'twin: the name "twin" is borne by 2 tools'
    assert len(json.loads(run("check", twins, "--json").stdout)["tools"]) == 2


def test_a_limit_refuses(run: Run, catalog: Path) -> None:
    rows = json.loads(run("check", catalog, "--limit", "schema_nodes=2", "--json").stdout)["tools"]
    assert rows[0]["error"]["code"] == "execution_failure"
    assert rows[0]["error"]["details"]["limit"] == "schema_nodes"


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("schema_nodes", 'schema_nodes: "" is not a whole number of at least 1'),
        ("schema_nodes=", 'schema_nodes: "" is not a whole number of at least 1'),
        ("schema_nodes=-1", '"-1" is not a whole number of at least 1'),
        ("schema_nodes=²", "is not a whole number of at least 1"),
        ("schema_nodes=" + "9" * 19, "is not a whole number of at least 1"),
        ("schema_nodes=0", '"0" is not a whole number of at least 1'),
        ("size=3", '"size=3" is not NAME=VALUE, NAME one of schema_bytes, schema_nodes, schema_depth, instance_depth'),
    ],
)
def test_a_limit_that_is_none_is_a_usage_error(run: Run, catalog: Path, limit: str, said: str) -> None:
    result = run("check", catalog, "--limit", limit)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("profile", ["2020-12", "draft-07", "auto", "core "])
def test_a_profile_that_this_version_lacks_is_a_usage_error(run: Run, catalog: Path, profile: str) -> None:
    result = run("check", catalog, "--profile", profile)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"profile '{profile}' is not in this version of admit; it has core" in result.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is no catalog: the catalog is not JSON: "),
        (b'{"a": {}, "a": {}}', 'one object has the name "a" twice'),
        (b"[" * 600 + b"]" * 600, "the limit json_depth of 512"),
        (b"\xff", "the bytes are not UTF-8 at offset 0"),
        (b"3", "it is not clear which tools a Python int"),
        (b'{"tools": [{}]}', "a tool has a name"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_catalog_that_cannot_be_read_is_a_usage_error(
    run: Run, write: Write, tmp_path: Path, content: bytes | None, said: str
) -> None:
    path = tmp_path / "tools.json" if content is None else write("tools.json", content)
    plain, as_json = run("check", path), run("check", path, "--json")
    assert (plain.exit_code, plain.stdout) == (2, "")
    assert plain.stderr.startswith(f"admit: {path} ")
    assert said in plain.stderr
    assert plain.stderr.count("\n") == 1
    assert (as_json.exit_code, as_json.stderr) == (2, plain.stderr)
    error: dict[str, Any] = json.loads(as_json.stdout)["error"]
    assert (error["code"], f"admit: {error['message']}\n") == ("usage", plain.stderr)


def test_a_folder_is_no_catalog(run: Run, tmp_path: Path) -> None:
    result = run("check", tmp_path)
    assert (result.exit_code, result.stderr) == (2, f"admit: {tmp_path} cannot be read: Is a directory\n")


@pytest.mark.parametrize(
    "name", ["\x1b[31mred", "a\nb", "\u202ecod", "[red]x[/red]", ":smile:", "\u2028", "\x7f", "\x9b1m"]
)
def test_names_are_shown_and_not_obeyed(run: Run, write: Write, name: str) -> None:
    for schema in ({}, {"title": 1, name: 2}, {name: 2}):
        output = run("check", write("tools.json", {name: schema})).stdout
        assert all(char.isprintable() or char == "\n" for char in output)
        shown = name if name.isprintable() else name.encode("unicode_escape").decode()
        assert output.splitlines()[1].startswith(shown)


def test_a_row_is_a_line_however_long(run: Run, write: Write) -> None:
    name = "long " * 300 + "name"
    output = run("check", write("tools.json", {name: {}, "short": {"title": "T"}})).stdout
    assert len(output.splitlines()) == 6
    assert output.splitlines()[1].startswith(name)
    assert not any(line.endswith(" ") for line in output.splitlines())

"""`admit validate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import admit
from admit.cli import inputs
from admit.validator import Validator

Run = Callable[..., Result]
Write = Callable[[str, object], Path]

CALLS = Path(__file__).parents[2] / "examples" / "calls.json"
TIERS = ["auto", "reference", "python", pytest.param("native", marks=pytest.mark.native)]


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("tier", TIERS)
def test_valid_and_invalid(run: Run, catalog: Path, tier: str) -> None:
    base = ("validate", catalog, "--tool", "read", "--tier", tier)
    good = run(*base, input='{"path": "a"}')
    assert (good.exit_code, good.stdout, good.stderr) == (0, "valid\n", "")
    bad = run(*base, input='{"path": 1, "limit": 0, "colour": 2}')
    assert (bad.exit_code, bad.stderr) == (1, "")
    assert [line.partition(": ")[0] for line in bad.stdout.splitlines()] == ["/colour", "/path", "/limit"]
    said = json.loads(run(*base, "--json", input='{"path": 1, "limit": 0, "colour": 2}').stdout)
    failures = admit.load_catalog(catalog).admit("quarantine")["read"].failures({"path": 1, "limit": 0, "colour": 2})
    assert said == {"valid": False, "failures": [failure.to_dict() for failure in failures]}
    assert json.loads(run(*base, "--json", input='{"path": "a"}').stdout) == {"valid": True, "failures": []}


def test_the_calls_of_the_example(run: Run) -> None:
    for call in json.loads(CALLS.read_bytes())["calls"]:
        text = json.dumps(call["arguments"])
        result = run("validate", CALLS.with_name("catalog.json"), "--tool", call["tool"], "--json", input=text)
        said = json.loads(result.stdout)
        assert (result.exit_code, said["valid"]) == (0 if call["valid"] else 1, call["valid"]), call
        if not call["valid"]:
            first = said["failures"][0]
            assert (first["instance_location"], first["keyword"]) == (call["instance_location"], call["keyword"])


@pytest.mark.parametrize("arguments", ["file", "-", "none"])
def test_arguments_come_from_a_file_or_stdin(run: Run, write: Write, catalog: Path, arguments: str) -> None:
    named = {"file": [write("arguments.json", {"limit": 1})], "-": ["-"], "none": []}[arguments]
    result = run("validate", catalog, "--tool", "read", *named, input="" if arguments == "file" else '{"limit": 1}')
    assert result.exit_code == 1
    assert result.stdout.startswith("(root): `path` is required ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "The arguments are not JSON: expecting value (line 1, column 1)."),
        (b"{'path': 1}", "The arguments are not JSON: "),
        (b'{"path": "a", "path": "b"}', 'one object has the name "path" twice'),
        (b'{"path": NaN}', "NaN is not JSON"),
        (b'{"path": "\xff"}', "the bytes are not UTF-8 at offset 10"),
        (b'{"path": "\\ud800"}', "an escape stands for half a surrogate pair"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
    ],
)
def test_text_is_decoded_strictly(run: Run, catalog: Path, text: bytes, said: str) -> None:
    result = run("validate", catalog, "--tool", "read", input=text)
    assert result.exit_code == 1
    assert result.stdout.startswith("(root): ")
    assert said in result.stdout


def test_as_many_reasons_as_asked_for(run: Run, write: Write) -> None:
    names = [f"a{n}" for n in range(9)]
    tools = write("tools.json", {"many": {"required": names}})
    for options, count in (((), 3), (("--failures", 1), 1), (("--failures", 20), 9)):
        result = run("validate", tools, "--tool", "many", *options, input="{}")
        assert len(result.stdout.splitlines()) == count
    for count in ("0", "x", "1.5"):
        result = run("validate", tools, "--tool", "many", "--failures", count, input="{}")
        said = f"invalid value for '--failures': \"{count}\" is not a whole number of at least 1"
        assert (result.exit_code, result.stderr) == (2, f"admit: {said} (see `admit validate --help`)\n")


def test_a_place_is_shown_and_not_obeyed(run: Run, write: Write) -> None:
    tools = write("tools.json", {"closed": {"additionalProperties": False}})
    result = run("validate", tools, "--tool", "closed", input=json.dumps({"\x1b[31m\n": 1}))
    assert result.stdout.startswith("/\\x1b[31m\\n: ")
    assert len(result.stdout.splitlines()) == 1


ERRORS: list[tuple[list[str], str, int, str, str]] = [
    (["--tool", "clock"], "{}", 1, "unsupported_capability", "keyword `title` is outside profile core"),
    (["--tool", "bounds"], "{}", 1, "validation", "`minimum` must be a number"),
    (["--tool", "read"], "[" * 513 + "]" * 513, 1, "execution_failure", "the limit json_depth of 512"),
    (["--tool", "read", "--limit", "number_digits=2"], '{"limit": 100}', 1, "execution_failure", "number_digits of 2"),
    (["--tool", "raed"], "{}", 2, "usage", 'has no tool "raed"; did you mean "read"?'),
    (["--tool", "zzz"], "{}", 2, "usage", 'has no tool "zzz"; it has "read", "clock", "bounds"'),
    (["--tool", "read", "nowhere.json"], "", 2, "usage", "nowhere.json cannot be read: No such file or directory"),
    (["--tool", "read", "--limit", "x"], "", 2, "usage", '"x" is not NAME=VALUE'),
]


@pytest.mark.parametrize(("options", "text", "status", "code", "said"), ERRORS)
def test_what_is_no_verdict_is_an_error(
    run: Run, catalog: Path, options: list[str], text: str, status: int, code: str, said: str
) -> None:
    plain = run("validate", catalog, *options, input=text)
    assert (plain.exit_code, plain.stdout, plain.stderr.count("\n")) == (status, "", 1)
    assert said in plain.stderr
    as_json = run("validate", catalog, *options, "--json", input=text)
    shape: dict[str, Any] = json.loads(as_json.stdout)
    assert (as_json.exit_code, as_json.stderr) == (status, plain.stderr)
    assert (shape["valid"], shape["failures"], shape["error"]["code"]) == (False, [], code)
    assert said in shape["error"]["message"]


def test_many_names_are_not_all_listed(run: Run, write: Write) -> None:
    tools = write("tools.json", {f"{n}": {} for n in range(100)})
    said = run("validate", tools, "--tool", "x", input="{}").stderr
    assert said.endswith('it has "0", "1", "2", "3", "4", "5", "6", "7" and 92 more\n')
    said = run("validate", write("none.json", {}), "--tool", "x", input="{}").stderr
    assert said.endswith('has no tool "x"; it has none at all\n')


def test_a_name_that_is_borne_twice_is_refused(run: Run, write: Write) -> None:
    twins = write("twins.json", [{"name": "twin", "inputSchema": {}}, {"name": "twin", "inputSchema": {}}])
    result = run("validate", twins, "--tool", "twin", input="{}")
    assert (result.exit_code, result.stderr) == (1, 'admit: the name "twin" is borne by 2 tools\n')


def test_without_a_c_compiler_native_says_what_to_install(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    never_built = write("new.json", {"read": {"properties": {"never_built": {"type": "integer"}}}})
    result = run("validate", never_built, "--tool", "read", "--tier", "native", "--json", input="{}")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "unavailable"
    assert "report" not in result.stderr


def test_tiers_that_disagree_are_a_failure_to_report(run: Run, catalog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: Any) -> Validator:
        validator = admit.compile({}, tier="python")
        validator.is_valid = lambda arguments: False
        return validator

    monkeypatch.setattr("admit.cli.validate.validator_of", wrong)
    assert inputs.validator_of is not wrong
    result = run("validate", catalog, "--tool", "read", input="{}")
    assert result.exit_code == 3
    assert "please report it" in result.stderr


def test_a_required_option_that_is_missing_is_named(run: Run, catalog: Path) -> None:
    result = run("validate", catalog)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--tool" in result.stderr

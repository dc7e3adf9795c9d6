"""`admit show`: every stage of every tool can be printed."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import admit
from admit.compiler import compile_python, cython_text, lower, passes
from admit.compiler.program import listing

TARGETS = {"python": passes.PYTHON, "native": passes.NATIVE}


Run = Callable[..., Result]
Write = Callable[[str, object], Path]


@pytest.fixture
def contract(catalog: Path) -> admit.Contract:
    return admit.check(json.loads(catalog.read_bytes())["read"])


def shown(run: Run, catalog: Path, *options: str) -> str:
    result = run("show", catalog, "--tool", "read", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def value(run: Run, catalog: Path, *options: str) -> object:
    said = json.loads(shown(run, catalog, *options, "--json"))
    assert (said["tool"], said["stage"]) == ("read", options[1])
    return said["value"]


def test_contract(run: Run, catalog: Path, contract: admit.Contract) -> None:
    text = shown(run, catalog, "--stage", "contract")
    assert text.splitlines()[:5] == [
        "profile: core",
        "root: object",
        f"digest: {contract.digest}",
        f"schema_digest: {contract.schema_digest}",
        f"assertion_digest: {contract.assertion_digest}",
    ]
    assert json.loads(text.partition("\nschema:\n")[2]) == contract.schema
    said = value(run, catalog, "--stage", "contract")
    assert isinstance(said, dict)
    assert (said["digest"], said["schema"], said["limits"]["schema_depth"]) == (contract.digest, contract.schema, 128)


def test_program(run: Run, catalog: Path, contract: admit.Contract) -> None:
    program = listing(lower(contract))
    assert shown(run, catalog, "--stage", "program") == program + "\n"
    assert value(run, catalog, "--stage", "program") == program


@pytest.mark.parametrize(("target", "using"), [("python", passes.PYTHON), ("native", passes.NATIVE)])
def test_passes_that_change_the_program(
    run: Run, catalog: Path, contract: admit.Contract, target: str, using: tuple[passes.Pass, ...]
) -> None:
    steps = value(run, catalog, "--stage", "passes", "--target", target)
    assert isinstance(steps, list)
    program, expected = lower(contract), []
    for change in using:
        before, program = program, change(program)
        if program != before:
            expected.append({"pass": change.__name__, "program": listing(program)})
    assert 0 < len(expected) < len(using)
    assert steps == expected
    text = "".join(f"after {step['pass']}:\n{step['program']}\n" for step in expected)
    assert shown(run, catalog, "--stage", "passes", "--target", target) == text


def test_passes_that_change_nothing(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "PYTHON", ())
    result = run("show", write("tools.json", {"empty": {}}), "--tool", "empty", "--stage", "passes")
    assert result.stdout == "no pass for target python changes the program\n"


def test_texts(run: Run, catalog: Path, contract: admit.Contract) -> None:
    python, cython = compile_python(contract)[1], cython_text([contract]).text
    ast.parse(python)
    for stage, text in (("python", python), ("cython", cython)):
        assert shown(run, catalog, "--stage", stage) == text.rstrip("\n") + "\n"
        assert value(run, catalog, "--stage", stage) == text


def test_a_target_belongs_to_the_passes(run: Run, catalog: Path) -> None:
    result = run("show", catalog, "--tool", "read", "--stage", "program", "--target", "native")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "admit: --target goes with --stage passes, not with --stage program\n"


def test_a_tool_too_large_to_be_built_has_no_cython_text(
    run: Run, catalog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("admit.compiler.STATEMENTS_A_TOOL", 5)
    result = run("show", catalog, "--tool", "read", "--stage", "cython")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("admit: the tool has no Cython text: ")


def test_a_refused_tool_has_no_stages(run: Run, catalog: Path) -> None:
    for stage in ("contract", "program", "passes", "python", "cython"):
        result = run("show", catalog, "--tool", "clock", "--stage", stage, "--json")
        assert (result.exit_code, json.loads(result.stdout)["error"]["details"]["keyword"]) == (1, "title")


def test_an_unknown_stage_names_the_known(run: Run, catalog: Path) -> None:
    result = run("show", catalog, "--tool", "read", "--stage", "tokens")
    assert result.exit_code == 2
    assert all(stage in result.stderr for stage in ("contract", "program", "passes", "python", "cython"))

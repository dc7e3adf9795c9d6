"""`admit.load_compiled`: whole validators of a package, or a clear refusal before any of it runs."""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import admit
from admit import compiled
from admit.compiler import package as writer

from .conftest import CALLS, CONTRACTS, SCHEMAS, altered, counting

REMEDY = "compile the catalog again"


@pytest.fixture
def on_path(package: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package that can be imported."""
    monkeypatch.syspath_prepend(package.parent)
    return package.name


def test_decides_and_explains(package: Path) -> None:
    found = admit.load_compiled(package)
    assert list(found) == list(SCHEMAS)
    assert len(found) == len(SCHEMAS)
    for tool, arguments, expected in CALLS:
        assert found[tool].is_valid(arguments) is expected
        assert found[tool].failures(arguments) == admit.compile(SCHEMAS[tool], tier="reference").failures(arguments)
    with pytest.raises(admit.ValidationError, match="`n` must be at least 0; -1 was given"):
        found["read"].validate({"n": -1})
    assert found["read"].is_valid_json('{"n": 1}')


def test_contracts_are_those_that_were_compiled(package: Path) -> None:
    for tool, validator in admit.load_compiled(package).items():
        assert validator.contract.digest == CONTRACTS[tool].digest
        assert validator.contract.schema == SCHEMAS[tool]
        assert validator.contract.limits == CONTRACTS[tool].limits


def test_limits_are_kept(tmp_path: Path) -> None:
    limits = admit.Limits(instance_depth=3, number_digits=10, schema_depth=100, schema_bytes=5_000)
    writer.write({"read": admit.check(SCHEMAS["read"], limits=limits)}, tmp_path / "tools", native=False)
    assert admit.load_compiled(tmp_path / "tools")["read"].contract.limits == limits


def test_says_where_it_comes_from(package: Path) -> None:
    found = admit.load_compiled(package)
    manifest = json.loads((package / "manifest.json").read_bytes())
    assert repr(found) == f"<admit.CompiledPackage {package.name}, {len(SCHEMAS)} tools>"
    for tool, validator in found.items():
        entry = manifest["tools"][tool]
        assert (validator.tier, validator.tier_reason) == (entry["tier"], f"from the compiled package {package.name}")
        assert validator.source is not None
        assert f"def {entry['symbol']}(" in validator.source


def test_is_valid_is_the_compiled_function_itself(on_path: str) -> None:
    module = importlib.import_module(on_path)
    for found in (admit.load_compiled(on_path), admit.load_compiled(module)):
        assert all(found[tool].is_valid is module.validators[tool] for tool in found)


def test_by_every_way_to_name_it(on_path: str, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(package.parent)
    for name in (on_path, importlib.import_module(on_path), package, str(package), f"./{on_path}", Path(on_path)):
        found = admit.load_compiled(name)
        assert found["read"].is_valid({"n": 0}) and not found["read"].is_valid({"n": -1})
        assert found["read"].tier_reason.endswith(on_path)


def test_a_limit_raises_the_error_of_admit(on_path: str, package: Path) -> None:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    module = importlib.import_module(on_path)
    for found in (admit.load_compiled(package), admit.load_compiled(module)):
        with pytest.raises(admit.ExecutionError, match="nested too deep"):
            found["read"].is_valid({"n": 1, "any": [{"deep": deep}]})
    assert module.ExecutionError is admit.ExecutionError


def test_contracts_are_checked_when_first_asked_for(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[object] = []
    check = compiled.check
    monkeypatch.setattr(compiled, "check", lambda schema, **options: checked.append(schema) or check(schema, **options))
    found = admit.load_compiled(package)
    assert "read" in found and len(found) == len(list(found)) and checked == []
    assert found["read"] is found["read"]
    assert checked == [SCHEMAS["read"]]


def test_unknown_tools(package: Path) -> None:
    found = admit.load_compiled(package)
    assert found.get("raed") is None
    with pytest.raises(KeyError, match="raed"):
        found["raed"]


@pytest.mark.parametrize(
    ("part", "other", "reason"),
    [
        ('"emitter_format": 1', '"emitter_format": 2', "has emitter format 2, where this is 1"),
        ('"semantics_version": 1', '"semantics_version": 0', "has semantics version 0, where this is 1"),
        ('"abi": ', '"abi": "cpython-27-sparc", "was": ', "has abi cpython-27-sparc, where this is"),
    ],
)
def test_other_versions_are_refused_before_any_of_it_runs(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, other: str, reason: str
) -> None:
    directory = altered(package, tmp_path / "other_version", part, other)
    (directory / "__init__.py").write_text("raise SystemExit('it ran')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in (directory, directory.name):
        with pytest.raises(admit.UnavailableError) as caught:
            admit.load_compiled(name)
        assert f"the compiled package other_version {reason}" in caught.value.message
        assert REMEDY in caught.value.message
    assert directory.name not in sys.modules


def test_other_versions_that_were_imported_are_refused_too(
    pure: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    altered(pure, tmp_path / "imported_before", '"emitter_format": 1', '"emitter_format": 2')
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(admit.UnavailableError, match="imported_before has emitter format 2"):
        admit.load_compiled(importlib.import_module("imported_before"))


def test_a_schema_that_was_changed_is_refused(package: Path, tmp_path: Path) -> None:
    changed = altered(package, tmp_path / "changed", r"\"minimum\":0}", r"\"minimum\":9}")
    found = admit.load_compiled(changed)
    with pytest.raises(admit.UnavailableError, match="the schema is another one than was compiled") as caught:
        found["read"]
    assert (caught.value.details["tool"], REMEDY in caught.value.message) == ("read", True)
    assert found[""].is_valid({"n": 99})  # the others are what they were


@pytest.mark.parametrize(
    ("part", "other"),
    [
        (r"\"type\":\"object\"", r"\"type\":\"tuple\""),
        (r"{\"type\":\"object\"", r"{\"type\":"),
        ('"profile": "core"', '"profile": "more"'),
        ('"root": "object"', '"rood": "object"'),
        ('"instance_depth": 256', '"instance_depth": 255'),
        ('"limits": {', '"limits": {"unknown": 1,'),
        ('"schema": ', '"scheme": '),
    ],
)
def test_so_is_anything_else_that_does_not_fit(pure: Path, tmp_path: Path, part: str, other: str) -> None:
    found = admit.load_compiled(altered(pure, tmp_path / "damaged", part, other))
    with pytest.raises(admit.UnavailableError, match="the manifest of damaged does not fit its validators"):
        found["read"]


def test_what_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "module_alone.py").write_text("")
    (tmp_path / "empty").mkdir()
    for text in ("[", "[]", '{"kind": "other"}'):
        (tmp_path / "other").mkdir(exist_ok=True)
        (tmp_path / "other" / "manifest.json").write_text(text)
        with pytest.raises(admit.UnavailableError, match="is no package that `admit compile` wrote"):
            admit.load_compiled(tmp_path / "other")
    for name in (tmp_path / "empty", tmp_path / "missing", "empty", json):
        with pytest.raises(admit.UnavailableError, match="is no package that `admit compile` wrote"):
            admit.load_compiled(name)
    for name in ("missing", "missing.tools", "module_alone", "json.decoder.tools", "", ".tools"):
        with pytest.raises(admit.UnavailableError, match=r"no package .* is found"):
            admit.load_compiled(name)


@pytest.mark.parametrize("text", ["", "def is_valid_1(:", "raise RuntimeError"])
def test_damaged_code_is_unavailable(pure: Path, tmp_path: Path, text: str) -> None:
    directory = shutil.copytree(pure, tmp_path / "damaged_code")
    [module] = directory.glob("admit_*.py")
    module.write_text(text)
    before = set(sys.modules)
    with pytest.raises(admit.UnavailableError, match="damaged_code cannot be imported: .*" + REMEDY):
        admit.load_compiled(directory)
    assert not {name for name in set(sys.modules) - before if name.count(".") == 0}


def test_a_directory_that_was_written_anew_is_loaded_anew(tmp_path: Path) -> None:
    directory = tmp_path / "tools"
    old = CONTRACTS["read"]
    writer.write({"read": old}, directory, native=False)
    first, again = (admit.load_compiled(directory)["read"].is_valid for _ in range(2))
    assert first is again
    writer.write({"read": admit.check(counting(5))}, directory, native=False)
    second = admit.load_compiled(directory)["read"].is_valid
    assert [(validate({"n": 0}), validate({"n": 5})) for validate in (first, second)] == [(True, True), (False, True)]


def test_the_text_may_be_gone(pure: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(pure, tmp_path / "without_text")
    found = admit.load_compiled(directory)
    [module] = directory.glob("admit_*.py")
    module.unlink()
    assert found["read"].source is None
    assert found["read"].is_valid({"n": 0})


def test_a_directory_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(admit.UnavailableError, match=r"wrote: it has no manifest\.json$"):
        admit.load_compiled(tmp_path)

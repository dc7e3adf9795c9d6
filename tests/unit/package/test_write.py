"""What `package.write` leaves on disk, and what it refuses to write over."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import admit
from admit import compiler
from admit.compiler import package as writer
from admit.contract import Contract

from .conftest import CONTRACTS, HOSTILE, SCHEMAS, counting

ONE = {"read": CONTRACTS["read"]}
OTHER = {"read": admit.check(counting(7)), "write": CONTRACTS["read"]}


def least(directory: Path, tool: str = "read") -> int:
    """The least `n` that a package takes, in a process of its own."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from tools import validators; print([*map({}, {})].index(True))"
    )
    program = program.format(f"lambda n: validators[{tool!r}]({{'n': n}})", "range(9)")
    command = [sys.executable, "-I", "-S", "-c", program, str(directory.parent)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


def test_layout(package: Path) -> None:
    manifest = json.loads((package / "manifest.json").read_bytes())
    modules = {entry["module"] for entry in manifest["tools"].values()}
    assert all(re.fullmatch(r"admit_[0-9a-f]{32}", module) for module in modules)
    fixed = {"__init__.py", "__init__.pyi", "_support.py", "manifest.json", "py.typed"}
    kinds = {"native": {".pyx", ".so"}, "python": {".py"}}
    expected = {entry["module"] + kind for entry in manifest["tools"].values() for kind in kinds[entry["tier"]]}
    found = {path.name for path in package.iterdir() if path.is_file()} - fixed
    assert {name.partition(".")[0] + Path(name).suffix for name in found} == expected


def test_manifest(package: Path) -> None:
    manifest = json.loads((package / "manifest.json").read_bytes())
    native = any(entry["tier"] == "native" for entry in manifest["tools"].values())
    assert manifest["kind"] == "admit compiled package"
    assert manifest["admit"] == admit.__version__
    assert (manifest["abi"] is None) is (manifest["platform"] is None) is not native
    assert list(manifest["tools"]) == list(SCHEMAS)
    for tool, entry in manifest["tools"].items():
        contract = CONTRACTS[tool]
        assert (entry["digest"], entry["schema_digest"]) == (contract.digest, contract.schema_digest)
        assert (entry["profile"], entry["schema"]) == ("core", contract.text)
        assert entry["tier_reason"]


def test_is_given_as_it_is_written(tmp_path: Path) -> None:
    manifest = writer.write(ONE, tmp_path / "tools", native=False)
    assert manifest == json.loads((tmp_path / "tools" / "manifest.json").read_bytes())


def test_names_of_tools_are_in_data_alone(package: Path) -> None:
    """What is code holds none of them, and the stub holds them as literals."""
    strings = {name for name in HOSTILE if len(name) > 8}
    for path in package.glob("*.py*"):
        tree = ast.parse(path.read_text("ascii")) if path.suffix != ".pyx" else None
        text = path.read_text("ascii")
        if path.suffix != ".pyi":
            assert [name for name in strings if name in text or repr(name)[1:-1] in text] == []
            continue
        assert tree is not None
        [literal] = [
            node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)
        ][:1]
        assert isinstance(literal.value, ast.Subscript)
        assert ast.literal_eval(literal.value.slice) == tuple(SCHEMAS)


SCRIPT = """
import sys, json
from pathlib import Path
import admit
from admit.compiler import cython_text, package
schemas = json.load(sys.stdin)
contracts = {name: admit.check(schema) for name, schema in schemas.items()}
package.write(contracts, Path(sys.argv[1]), native=False)
Path(sys.argv[1], "text.pyx").write_text(cython_text(contracts.values()).text)
"""


def test_is_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    schemas = {name: schema for name, schema in SCHEMAS.items() if name != "huge"}
    written = []
    for seed in ("0", "1234"):
        directory = tmp_path / seed / "tools"
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(admit.__file__).parents[1])}
        command = [sys.executable, "-c", SCRIPT, str(directory)]
        subprocess.run(command, env=env, input=json.dumps(schemas), text=True, check=True, timeout=120)
        written.append({path.name: path.read_bytes() for path in directory.iterdir()})
    assert written[0] == written[1]


@pytest.mark.native
def test_native_text_is_the_same_in_another_process(native: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "STATEMENTS_A_TOOL", 200)
        contracts = list({contract.digest: contract for contract in CONTRACTS.values()}.values())
        texts = [compiler.cython_text(contracts[index::2]).text for index in range(2)]
    assert {path.read_text("ascii") for path in native.glob("*.pyx")} == set(texts)


def test_takes_the_place_of_a_package(tmp_path: Path) -> None:
    directory = tmp_path / "tools"
    writer.write(ONE, directory, native=False)
    assert least(directory) == 0
    (directory / "README").write_text("of another hand")
    before = {path.name for path in directory.rglob("admit_*")}
    writer.write(OTHER, directory, native=False)
    assert (least(directory), least(directory, "write")) == (7, 0)
    assert before.isdisjoint(path.name for path in directory.rglob("admit_*"))
    assert (directory / "README").exists()
    assert not list(directory.glob(".*"))


def test_the_package_before_stands_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "tools"
    writer.write(ONE, directory, native=False)
    replace = writer._replace

    def full_disk(path: Path, data: bytes) -> None:
        if path.name == "manifest.json":
            raise OSError("no space left")
        replace(path, data)

    monkeypatch.setattr(writer, "_replace", full_disk)
    with pytest.raises(OSError, match="no space left"):
        writer.write(OTHER, directory, native=False)
    assert least(directory) == 0


def test_a_reader_never_mixes_two_packages(tmp_path: Path) -> None:
    """While one of two packages is written over the other, `read` is always the one that the manifest says."""
    directory = tmp_path / "tools"
    writer.write(ONE, directory, native=False)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for contracts in (OTHER, ONE):
                writer.write(contracts, directory, native=False)

    thread = threading.Thread(target=write)
    thread.start()
    seen = set()
    try:
        for _ in range(300):
            try:
                read = admit.load_compiled(directory)["read"]
            except admit.UnavailableError:
                continue  # written anew between its manifest and its modules
            assert read.is_valid({"n": 6}) is (read.contract.digest == ONE["read"].digest)
            seen.add(read.contract.digest)
    finally:
        stop.set()
        thread.join()
    assert seen == {ONE["read"].digest, OTHER["read"].digest}


def test_no_name_to_import(tmp_path: Path) -> None:
    for name in ("my-tools", "class", "1st", "tools.py", "tööls", ".."):
        with pytest.raises(ValueError, match="a name of letters, digits and _"):
            writer.write(ONE, tmp_path / name, native=False)
    for name in ("json", "admit", "_thread"):
        with pytest.raises(ValueError, match="choose another"):
            writer.write(ONE, tmp_path / name, native=False)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_may_be_a_text(tmp_path: Path) -> None:
    writer.write(ONE, str(tmp_path / "tools"), native=False)
    assert least(tmp_path / "tools") == 0


def test_what_is_no_package_is_not_written_over(tmp_path: Path) -> None:
    directory = tmp_path / "tools"
    directory.mkdir()
    for name, text in (("notes.txt", "mine"), ("manifest.json", '{"name": "an extension"}'), ("manifest.json", "[")):
        (directory / name).write_text(text)
        with pytest.raises(FileExistsError, match="holds what is no compiled package: choose another directory"):
            writer.write(ONE, directory, native=False)
        assert (directory / name).read_text() == text
    writer.write(ONE, directory, native=False, force=True)
    assert (directory / "notes.txt").read_text() == "mine"
    assert least(directory) == 0


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "tools").write_text("mine")
    for force in (False, True):
        with pytest.raises(FileExistsError, match="is no directory"):
            writer.write(ONE, tmp_path / "tools", native=False, force=force)


def test_an_empty_directory_will_do_and_so_will_none(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    writer.write(ONE, tmp_path / "tools", native=False)
    writer.write(ONE, tmp_path / "new" / "folders" / "tools", native=False)
    assert least(tmp_path / "tools") == least(tmp_path / "new" / "folders" / "tools") == 0


def test_no_tools_are_a_package_too(tmp_path: Path) -> None:
    manifest = writer.write({}, tmp_path / "tools", native=False)
    assert manifest["tools"] == {}
    assert dict(admit.load_compiled(tmp_path / "tools")) == {}


def test_half_a_character_in_a_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no name in JSON"):
        writer.write({"\ud83d\ude00": CONTRACTS["read"]}, tmp_path / "tools", native=False)


@pytest.mark.parametrize("native", [True, False])
def test_a_tool_that_python_cannot_compile_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, native: bool
) -> None:
    contracts = {**ONE, "deep": admit.check(counting(99)), "huge": CONTRACTS["huge"]}

    def too_deep(make: Callable[[Iterable[Contract]], Any]) -> Callable[[Iterable[Contract]], Any]:
        def made(asked: Iterable[Contract]) -> Any:
            asked = list(asked)
            if contracts["deep"] in asked:
                raise RecursionError
            return make(asked)

        return made

    for name in ("cython_text", "python_text"):
        monkeypatch.setattr(writer, name, too_deep(getattr(writer, name)))
    with pytest.raises(admit.ExecutionError, match='the schema of "deep" is nested too deep') as caught:
        writer.write(contracts, tmp_path / "tools", native=native)
    assert caught.value.details["tool"] == "deep"
    assert list(tmp_path.iterdir()) == []


def test_no_c_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    with pytest.raises(admit.UnavailableError, match="C compiler"):
        writer.write(ONE, tmp_path / "tools")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.native
def test_progress_is_told(tmp_path: Path, native: Path) -> None:
    steps: list[str] = []
    manifest = writer.write(ONE, tmp_path / "tools", progress=lambda _, step: steps.append(step))
    assert steps == ["cython", "cc", "done"]
    assert manifest["tools"]["read"]["tier"] == "native"
    assert least(tmp_path / "tools") == 0
    writer.write(OTHER, tmp_path / "tools", native=False)  # and nothing native stays behind
    assert [path.suffix for path in (tmp_path / "tools").glob("admit_*")] == [".py"]

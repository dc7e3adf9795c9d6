"""Building and loading of extension modules: what steers a build, what bounds it, what it says when it cannot."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from admit.compiler import build_child, native
from admit.compiler.native import NativeSource, build, fingerprint, load
from admit.errors import ExecutionError, UnavailableError

TEXT = "# cython: language_level=3, binding=False\n\n\ndef answer(value, /):\n    return value, {}\n"
NAMES = ["admit_1", "admit_2", "admit_3"]


@pytest.fixture(autouse=True)
def compiler_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing remembered of another test's compiler."""
    native._toolchain.cache_clear()
    yield
    native._toolchain.cache_clear()


@pytest.fixture(scope="module")
def compiler() -> str:
    """A C compiler that works, as an absolute path."""
    try:
        return native.toolchain().compiler[0]
    except UnavailableError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(error.message)


@dataclass(frozen=True)
class Recorder:
    """A compiler that writes down how it is called, and then is the real one."""

    program: Path
    diary: Path

    def calls(self) -> list[str]:
        return [line for line in self.diary.read_text("utf-8").splitlines() if line.startswith("called ")]

    def said(self, key: str) -> set[str]:
        lines = self.diary.read_text("utf-8").splitlines()
        return {line.removeprefix(f"{key} ") for line in lines if line.startswith(f"{key} ")}


@pytest.fixture(scope="module")
def recorder(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    folder = tmp_path_factory.mktemp("a compiler")
    recorder = Recorder(folder / "cc", folder / "diary")
    diary = shlex.quote(str(recorder.diary))
    script(
        recorder.program,
        'case "$*" in *--version*) ;; *)',
        f'    echo "called $*" >> {diary}',
        f"    env | sed -n 's/^\\([A-Z_]*\\)=.*/variable \\1/p' >> {diary}",
        f'    echo "limits $(ulimit -t) $(ulimit -v) $(ulimit -c)" >> {diary}',
        f"    ls -ld . .. | sed 's/^\\(..........\\).*/mode \\1/' >> {diary}",
        "esac",
        f'exec {shlex.quote(compiler)} "$@"',
    )
    return recorder


@dataclass(frozen=True)
class Built:
    """What the one build of three modules has left."""

    paths: dict[str, Path]
    progress: list[tuple[str, str]]


@pytest.fixture(scope="module")
def built(recorder: Recorder, tmp_path_factory: pytest.TempPathFactory) -> Built:
    progress: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", shlex.quote(str(recorder.program)))
        sources = [NativeSource(name, TEXT.replace("{}", repr(name))) for name in NAMES]
        paths = build(sources, tmp_path_factory.mktemp("built"), jobs=2, progress=lambda *step: progress.append(step))
    return Built(paths, progress)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that private directories are made in."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def script(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), "utf-8")
    path.chmod(0o700)
    return path


@pytest.mark.parametrize(
    "name",
    ["", "admit_", "admit_g", "admit_A", "os", "../admit_1", "admit_1/", "admit_1\n", "admit_é", "admit_" + "0" * 65],
)
def test_a_module_is_named_by_admit(name: str) -> None:
    with pytest.raises(ValueError, match="not a name of a native module"):
        NativeSource(name, TEXT)


@pytest.mark.native
def test_modules_are_built_side_by_side(built: Built) -> None:
    assert list(built.paths) == NAMES
    for name, path in built.paths.items():
        assert [step for told, step in built.progress if told == name] == ["cython", "cc", "done"]
        assert path.name == f"{name}{native.SUFFIX}"
        assert load(name, path).answer(1) == (1, name)
    first = built.progress.index((NAMES[0], "done"))
    assert (NAMES[1], "cython") in built.progress[:first]  # two jobs
    third = built.progress.index((NAMES[2], "cython"))
    assert any(step == "done" for _, step in built.progress[:third])  # and no more
    (folder,) = {path.parent for path in built.paths.values()}
    assert sorted(folder.iterdir()) == sorted(built.paths.values())


@pytest.mark.native
def test_a_name_is_loaded_once_and_takes_no_place_among_the_modules(built: Built) -> None:
    first = load("admit_1", built.paths["admit_1"])
    assert load("admit_1", built.paths["admit_2"]) is first
    assert load("admit_2", built.paths["admit_2"]) is not first
    assert not [name for name in sys.modules if name.rpartition(".")[2] in NAMES]


@pytest.mark.native
def test_a_file_that_is_no_such_module_is_no_import(built: Built, tmp_path: Path) -> None:
    text = tmp_path / f"admit_a{native.SUFFIX}"
    text.write_text("no library", "ascii")
    with pytest.raises(ImportError):
        load("admit_a", text)
    with pytest.raises(ImportError):
        load("admit_b", built.paths["admit_3"])


@pytest.mark.native
def test_builds_are_private_and_have_limits(built: Built, recorder: Recorder) -> None:
    assert recorder.said("mode") == {"drwx------"}
    assert recorder.said("limits") == {f"{build_child.CPU_SECONDS} {build_child.MEMORY_BYTES // 1024} 0"}


@pytest.mark.native
def test_the_environment_does_not_steer_a_build(
    built: Built, recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean = {call for call in recorder.calls() if "admit_1" in call}
    assert any("-O2" in call and "-g0" in call for call in clean)
    trap = tmp_path / "trap"
    (trap / "Cython").mkdir(parents=True)
    canary = trap / "canary"
    for place in ("Cython/__init__.py", "setuptools.py", "sitecustomize.py", "start.py"):
        (trap / place).write_text(f"open({str(canary)!r}, 'w')\n", "utf-8")
    (trap / ".pydistutils.cfg").write_text("[build_ext]\ndefine = HOSTILE\n", "utf-8")
    hostile = {
        **dict.fromkeys(("CFLAGS", "CPPFLAGS", "LDFLAGS", "OPT", "CXXFLAGS"), "-DHOSTILE -fplugin=/nowhere.so"),
        **dict.fromkeys(("LDSHARED", "CXX", "AR", "CPP", "LD"), "/bin/false"),
        **dict.fromkeys(("CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH"), str(trap)),
        **dict.fromkeys(("PYTHONPATH", "PYTHONHOME", "HOME", "CYTHON_CACHE_DIR", "TMPDIR"), str(trap)),
        "PYTHONSTARTUP": str(trap / "start.py"),
        "CYTHON_FORCE_REGEN": "1",
        "SETUPTOOLS_EXT_SUFFIX": ".hostile",
        "GCC_EXEC_PREFIX": str(trap),
        "DEPENDENCIES_OUTPUT": str(canary),
    }
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CC", shlex.quote(str(recorder.program)))
    recorder.diary.unlink()
    (path,) = build([NativeSource("admit_1", TEXT.replace("{}", "'admit_1'"))], tmp_path).values()
    assert set(recorder.calls()) == clean
    assert not recorder.said("variable") & (hostile.keys() - {"HOME", "TMPDIR"})
    assert path.read_bytes() == built.paths["admit_1"].read_bytes()
    assert sorted(place.name for place in trap.iterdir()) == [
        ".pydistutils.cfg",
        "Cython",
        "setuptools.py",
        "sitecustomize.py",
        "start.py",
    ]


@pytest.mark.native
def test_the_compiler_that_the_operator_names_is_used(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{shlex.quote(compiler)} -m64")
    assert native.toolchain().compiler == (compiler, "-m64")
    monkeypatch.setenv("CC", Path(compiler).name)
    monkeypatch.setenv("PATH", str(Path(compiler).parent))
    assert native.toolchain().compiler == (compiler,)


@pytest.mark.native
def test_the_fingerprint_names_all_that_a_build_depends_on(
    compiler: str, recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fingerprint()
    assert compiler in first
    assert native.SUFFIX in first
    assert "-O2 -g0" in first
    monkeypatch.setattr(subprocess, "run", None)  # the second look starts no process
    assert fingerprint() == first
    monkeypatch.undo()
    monkeypatch.setenv("CC", shlex.quote(str(recorder.program)))
    assert fingerprint() != first
    monkeypatch.undo()
    for edited in (None, "h", "pxd"):
        support = tmp_path / str(edited)
        support.mkdir()
        for kind in ("h", "pxd"):
            text = (native.SUPPORT / f"admit_native.{kind}").read_bytes()
            (support / f"admit_native.{kind}").write_bytes(text + b"\n" * (kind == edited))
        with monkeypatch.context() as patch:
            patch.setattr(native, "SUPPORT", support)
            assert (fingerprint() != first) == bool(edited)


@pytest.mark.parametrize("command", ["/bin/false", "/no/such/compiler", "no-such-compiler", "'", " "])
def test_without_a_compiler_it_is_said_what_to_install(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "version", lambda package: "3")  # with Cython or without
    monkeypatch.setattr(importlib.util, "find_spec", lambda package: importlib.util.spec_from_loader(package, None))
    monkeypatch.setenv("CC", command)
    for ask in (fingerprint, lambda: build([NativeSource("admit_1", TEXT)], tmp_path)):
        with pytest.raises(
            UnavailableError, match=r"C compiler, and .* install one .*apt install gcc.* set CC"
        ) as caught:
            ask()
        assert command in caught.value.message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("package", ["Cython", "setuptools"])
def test_without_cython_it_is_said_what_to_install(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else real(name))
    with pytest.raises(UnavailableError, match=r"pip install 'admit\[native\]'"):
        build([NativeSource("admit_1", TEXT)], tmp_path)


@pytest.mark.native
def test_a_compiler_that_only_looks_like_one_is_none(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = script(tmp_path / "cc", 'case "$*" in *--version*) echo fake 1.0;; *) exit 1;; esac')
    monkeypatch.setenv("CC", str(fake))
    assert "fake 1.0" in fingerprint()
    with pytest.raises(UnavailableError, match="does not work"):
        build([NativeSource("admit_1", TEXT)], tmp_path)


@pytest.mark.native
@pytest.mark.parametrize(
    ("text", "refused_by"),
    [
        ("cdef int x = undeclared('secret')", "Cython"),
        (
            'cdef extern from *:\n    """\n    int f(void) { return "secret"->x; }\n    """\n    int f()\nf()',
            "the C compiler",
        ),
    ],
)
def test_text_that_does_not_compile_is_told_by_place_and_not_quoted(
    compiler: str, tmp_path: Path, text: str, refused_by: str
) -> None:
    with pytest.raises(ExecutionError, match=refused_by) as caught:
        build([NativeSource("admit_1", f"# cython: language_level=3\n{text}\n")], tmp_path)
    log = caught.value.details["log"]
    assert log
    assert all(line.startswith(("admit_1.pyx:", "admit_1.c:")) for line in log)
    assert "secret" not in str(caught.value.to_dict())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.native
def test_a_build_that_does_not_end_is_ended(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Path
) -> None:
    slow = script(tmp_path / "cc", 'case "$*" in *--version*) echo slow;; *) sleep 60;; esac')
    monkeypatch.setenv("CC", str(slow))
    monkeypatch.setattr(native, "WALL_SECONDS", 3)
    with pytest.raises(ExecutionError, match="not built in 3 s") as caught:
        build([NativeSource("admit_1", TEXT), NativeSource("admit_2", TEXT)], tmp_path)
    assert caught.value.details["limit"] == "build_seconds"
    assert list(work.iterdir()) == []


@pytest.mark.native
def test_an_interrupted_build_ends_its_compilers_and_leaves_nothing(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Path
) -> None:
    started, late, out = tmp_path / "started", tmp_path / "late", tmp_path / "out"
    out.mkdir()
    slow = f"touch {shlex.quote(str(started))}; sleep 2; touch {shlex.quote(str(late))}"
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", f'case "$*" in *--version*) echo slow;; *) {slow};; esac')))

    def interrupt(name: str, step: str) -> None:
        if step == "cc":
            while not started.exists():
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build([NativeSource(name, TEXT) for name in NAMES], out, jobs=2, progress=interrupt)
    assert list(work.iterdir()) == list(out.iterdir()) == []
    time.sleep(2.5)
    assert not late.exists()

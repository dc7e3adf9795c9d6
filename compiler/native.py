"""Makes extension modules of Cython text with Cython and the C compiler of the machine, and loads them.

Each module is built by a child process that has limits, a private directory and an environment in which nothing but
the operator's `CC` can steer the compiler.

Imports: build_child, print_python (its format); errors of admit.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import IO

from ..errors import ExecutionError, UnavailableError
from . import build_child
from .print_python import EMITTER_FORMAT

WALL_SECONDS = 600
"""Time that the build of one module may take, waiting included."""

LOG_LINES = 20
"""Lines of the compiler's log that an error carries at most."""

SUPPORT = Path(__file__).resolve().parent / "support"
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")
_KEPT = ("PATH", "LD_LIBRARY_PATH", "SDKROOT", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET")
_NAME = re.compile(r"admit_[0-9a-f]{1,64}")
_TOLD = re.compile(r"[\w./-]+:\d+:(\d+:)? .*|\w*Error(: .*)?|[\w+-]+: (fatal |internal compiler )*error: .*")
"""Lines of a log that are about the text: none that quotes it."""
_REFUSALS = {
    build_child.CYTHON_FAILED: "Cython refuses its text",
    build_child.COMPILE_FAILED: "the C compiler refuses its text",
}

_loaded: dict[str, ModuleType] = {}
_load_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class NativeSource:
    """The Cython text of one module. ValueError where the name is not one of admit's: `admit_` and hex digits."""

    name: str
    text: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"not a name of a native module: {self.name!r}")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What builds native modules on this machine."""

    compiler: tuple[str, ...]
    """The C compiler's absolute path, and arguments that the operator gives it."""
    compiler_version: str
    cython_version: str
    libraries: tuple[str, ...]
    """The directories that Cython and setuptools are imported from."""


@dataclass(frozen=True, slots=True)
class _Child:
    """A build that runs."""

    name: str
    directory: Path
    process: subprocess.Popen[bytes]
    steps: IO[bytes]
    deadline: float


def build(
    sources: Sequence[NativeSource],
    directory: Path,
    *,
    jobs: int | None = None,
    progress: Callable[[str, str], None] | None = None,
) -> dict[str, Path]:
    """Build modules into `directory`; gives the file of each by name.

    `jobs` are built side by side: as many as there are processors, if not said. `progress` is told a module's name and
    its step: `cython`, `cc`, `done`. Raises UnavailableError where Cython, setuptools or a C compiler is missing, and
    ExecutionError where a text does not compile within the limits; then the other builds are ended too.
    """
    _toolchain.cache_clear()  # what was missing may have been installed
    tools = toolchain()
    jobs = jobs or os.cpu_count() or 1
    tell = progress or (lambda name, step: None)
    waiting = list(reversed(sources))
    running: list[_Child] = []
    built: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="admit-") as private, selectors.DefaultSelector() as selector:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    child = _start(waiting.pop(), Path(private), tools)
                    running.append(child)
                    selector.register(child.steps, selectors.EVENT_READ, child)
                ready = selector.select(min(child.deadline for child in running) - time.monotonic())
                if not ready:
                    raise ExecutionError(f"a native module was not built in {WALL_SECONDS} s", limit="build_seconds")
                for key, _ in ready:
                    child = key.data
                    steps = os.read(child.steps.fileno(), 1024).decode("ascii").split()
                    if not steps:
                        selector.unregister(child.steps)
                        built[child.name] = _finish(child, directory, tools)
                        running.remove(child)
                        steps = ["done"]
                    for step in steps:
                        tell(child.name, step)
        finally:
            for child in running:
                _end(child)
    return {source.name: built[source.name] for source in sources}


def load(name: str, path: Path) -> ModuleType:
    """The module that was built as `name`. A name is loaded once in a process; later calls give the first module.

    Raises ImportError where the file is no module of that name for this interpreter.
    """
    with _load_lock:
        if name not in _loaded:
            full_name = f"admit._native.{name}"
            loader = ExtensionFileLoader(full_name, str(path))
            spec = importlib.util.spec_from_file_location(full_name, path, loader=loader)
            assert spec is not None
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
            if sys.modules.get(name) is module:  # Cython puts it there
                del sys.modules[name]
            _loaded[name] = module
        return _loaded[name]


def fingerprint() -> str:
    """What a built module depends on beside the contracts in it, line by line.

    Raises UnavailableError as `build` does.
    """
    tools = toolchain()
    return "\n".join(
        (
            f"emitter format {EMITTER_FORMAT}",
            f"Python {SUFFIX}",
            f"Cython {tools.cython_version}",
            f"{shlex.join(tools.compiler)}: {tools.compiler_version}",
            f"flags {' '.join(build_child.FLAGS)}",
            f"support {_digest(SUPPORT)}",
        )
    )


@functools.cache
def _digest(support: Path) -> str:
    """What the header and its declarations are."""
    return hashlib.sha256(
        b"".join((support / f"admit_native.{kind}").read_bytes() for kind in ("h", "pxd"))
    ).hexdigest()


def toolchain() -> Toolchain:
    """Cython, setuptools and the C compiler: the operator's `CC`, or else the one that built this Python, or `cc`.

    Raises UnavailableError that says what to install.
    """
    found = _toolchain(os.environ.get("CC"), os.environ.get("PATH"))
    if isinstance(found, str):
        raise UnavailableError(found)
    return found


@functools.lru_cache(maxsize=8)
def _toolchain(chosen: str | None, search: str | None) -> Toolchain | str:
    """What there is, or a sentence that says what is missing."""
    specs = [importlib.util.find_spec(package) for package in ("Cython", "setuptools")]
    try:
        cython_version = version("Cython")
    except PackageNotFoundError:
        cython_version = ""
    if not cython_version or None in specs:
        return "native validators need Cython and setuptools: pip install 'admit[native]'"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "native validators need the header files of this Python: apt install python3-dev, for example"
    libraries = tuple({str(Path(spec.origin).parent.parent): None for spec in specs if spec and spec.origin})
    candidates = [chosen] if chosen else [sysconfig.get_config_var("CC") or "cc", "cc"]
    for candidate in candidates:
        command = _resolved(candidate, search)
        banner = _version_line(command)
        if banner:
            return Toolchain(command, banner, cython_version, libraries)
    return _no_compiler(candidates[0])


def _resolved(command: str, search: str | None) -> tuple[str, ...]:
    """The words of a command, its program as an absolute path; empty where there is no such program."""
    try:
        program, *arguments = shlex.split(command)
    except ValueError:
        return ()
    path = shutil.which(program, path=search)
    return (str(Path(path).absolute()), *arguments) if path else ()


def _version_line(command: Sequence[str]) -> str:
    """How a compiler calls itself; empty where it does not work."""
    if not command:
        return ""
    try:
        answer = subprocess.run(
            [*command, "--version"],
            env=_environment(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.decode("utf-8", "replace").partition("\n")[0].strip() if answer.returncode == 0 else ""


def _no_compiler(tried: str) -> str:
    return (
        f"native validators need a C compiler, and {tried} does not work: "
        "install one (apt install gcc, or xcode-select --install), or set CC to one"
    )


def _environment(compiler: Sequence[str], home: Path | None = None) -> dict[str, str]:
    """All that the compiler sees of the environment; its caches and temporary files go to `home`."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HOME": str(home), "TMPDIR": str(home)} if home else {}
    return {**kept, **own, "LC_ALL": "C", "CC": shlex.join(compiler)}


def _start(source: NativeSource, private: Path, tools: Toolchain) -> _Child:
    directory = private / source.name
    directory.mkdir(mode=0o700)
    (directory / f"{source.name}.pyx").write_text(source.text, "utf-8")
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-I", build_child.__file__, source.name, str(SUPPORT), *tools.libraries],
            cwd=directory,
            env=_environment(tools.compiler, directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    assert process.stdout is not None
    return _Child(source.name, directory, process, process.stdout, time.monotonic() + WALL_SECONDS)


def _finish(child: _Child, directory: Path, tools: Toolchain) -> Path:
    """Publish what a child has built: a reader of `directory` finds the whole file or none."""
    status = child.process.wait()
    if status == build_child.NO_COMPILER:
        raise UnavailableError(_no_compiler(shlex.join(tools.compiler)))
    if status != 0:
        log = (child.directory / "log").read_text("utf-8", "replace").splitlines()
        told = [line[:200] for line in log if _TOLD.fullmatch(line)]
        reason = _REFUSALS.get(status, f"its build ended with status {status}")
        raise ExecutionError(f"a native module was not built: {reason}", log=told[-LOG_LINES:])
    child.steps.close()
    target = directory / f"{child.name}{SUFFIX}"
    number, temporary = tempfile.mkstemp(dir=directory, prefix=f"{child.name}-", suffix=".tmp")
    try:
        with os.fdopen(number, "wb") as file:
            file.write((child.directory / target.name).read_bytes())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink()
        raise
    return target


def _end(child: _Child) -> None:
    """End a build, and the compilers that it has started."""
    if child.process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()
    child.steps.close()

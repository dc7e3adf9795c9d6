"""The native tier: validators built with Cython and the C compiler, many in a module, and found again in the cache.

Imports: contract, tiers, cache, progress, errors; compiler (when first needed).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from .cache import DiskStore, default_directory
from .contract import Contract
from .errors import ExecutionError, UnavailableError
from .progress import Progress
from .tiers import Compiled

if TYPE_CHECKING:
    from .compiler import NativeText

MODULES_A_PROCESS = 128
"""Modules that a process loads at most: CPython never unloads one."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build came to, by contract digest."""

    compiled: dict[str, Compiled]
    left_out: dict[str, str]
    """Why a contract is not native: too large for the C compiler, or one module too many for the process."""


_built: dict[str, Compiled] = {}
_modules: set[str] = set()
_build_lock = threading.Lock()


def _after_fork() -> None:
    """The thread that builds in the parent is not in the child."""
    global _build_lock
    _build_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def native_at_hand(contract: Contract) -> Compiled | None:
    """The native function of a contract that was built before, in this process or by the cache; None where none was."""
    return _built.get(contract.digest) or _from_disk(contract.digest)


def build(contracts: Iterable[Contract], progress: Progress | None = None) -> Built:
    """Build what is not built yet; returns when all is.

    Raises UnavailableError where Cython or a C compiler is missing.
    """
    asked = {contract.digest: contract for contract in contracts}
    with _build_lock:  # whoever waited here finds built what the other built
        missing = [contract for contract in asked.values() if native_at_hand(contract) is None]
        reasons = _build(missing, progress) if missing else {}
    return Built({digest: _built[digest] for digest in asked if digest in _built}, reasons)


def _build(contracts: Sequence[Contract], progress: Progress | None) -> dict[str, str]:
    """Build and load contracts; gives the reasons of those that are left out."""
    from .compiler import cython_text, in_modules, native

    parts = in_modules(contracts)
    if len(_modules) + len(parts) > MODULES_A_PROCESS:
        reason = f"this process has loaded the {MODULES_A_PROCESS} native modules that it may"
        return {contract.digest: reason for contract in contracts}
    try:
        made = [cython_text(part) for part in parts]
    except RecursionError as error:
        raise ExecutionError("the stack is too deep to compile on it", limit="stack") from error
    texts = {_module_name(text): text for text in made if text.symbols}
    sources = [native.NativeSource(name, text.text) for name, text in texts.items()]
    with tempfile.TemporaryDirectory(prefix="admit-") as directory:
        paths = native.build(sources, Path(directory), progress=progress)
        store = _store(make=True)
        for source in sources:
            text = texts[source.name]
            if store:
                store.save_module(native.fingerprint(), text.symbols, paths[source.name], text.text)
            _load(source.name, paths[source.name], text)
    return {digest: reason for text in made for digest, reason in text.too_large.items()}


def _load(name: str, path: Path, text: NativeText) -> None:
    module = _module(name, path)
    for digest, symbol in text.symbols.items():
        _built[digest] = Compiled("native", getattr(module, symbol), text.text, "built with Cython and the C compiler")


def _module(name: str, path: Path) -> ModuleType:
    """A built module, with admit's own ExecutionError in place of its own."""
    from .compiler import native

    module = native.load(name, path)
    module.ExecutionError = ExecutionError  # type: ignore[attr-defined]
    _modules.add(name)
    return module


def _from_disk(digest: str) -> Compiled | None:
    store = _store(make=False)
    if store is None or not store.holds("module"):
        return None
    from .compiler import native

    try:
        found = store.find(native.fingerprint(), digest)
    except UnavailableError:
        return None
    if found is None or len(_modules) >= MODULES_A_PROCESS:
        return None
    text = found.text()
    try:
        function = getattr(_module(found.module, found.path), found.symbol)
    except (ImportError, AttributeError):
        return None
    return _built.setdefault(digest, Compiled("native", function, text, "found in the cache"))


def _store(*, make: bool) -> DiskStore | None:
    """The disk cache; one that is not there yet is made only to be written to."""
    try:
        directory = default_directory()
        return _opened(directory) if directory and (make or directory.is_dir()) else None
    except OSError:
        return DiskStore.open()  # says why there is none


@lru_cache(maxsize=4)
def _opened(directory: Path) -> DiskStore | None:
    return DiskStore.open(directory)


def _module_name(text: NativeText) -> str:
    return f"admit_{hashlib.sha256(text.text.encode('ascii')).hexdigest()[:32]}"

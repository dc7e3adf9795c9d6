"""Contracts built as one native module, without the catalog and the cache.

Imports: admit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from admit.compiler import cython_text, native
from admit.contract import Contract
from admit.errors import ExecutionError

from .engines import Judge


def build_module(contracts: Iterable[Contract], directory: Path) -> tuple[dict[str, Judge], dict[str, str]]:
    """The functions by contract digest, and why the other contracts are not built."""
    text = cython_text(contracts)
    name = f"admit_{hashlib.sha256(text.text.encode()).hexdigest()[:32]}"
    path = native.build([native.NativeSource(name, text.text)], directory)[name]
    module: ModuleType = native.load(name, path)
    module.ExecutionError = ExecutionError  # type: ignore[attr-defined]
    return {digest: getattr(module, symbol) for digest, symbol in text.symbols.items()}, text.too_large

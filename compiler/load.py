"""Where generated text becomes code: the only `exec` and `compile` of admit.

Imports: print_python, support; errors of admit.
"""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Callable
from importlib import import_module
from types import CodeType
from typing import Any

from ..errors import ExecutionError
from .print_python import SUPPORT
from .support import _support

Verdict = Callable[[object], bool]


def _built_helpers() -> dict[str, Any]:
    """The helpers of `_support` as they were built for this interpreter, where they were."""
    if os.environ.get("ADMIT_NO_EXTENSIONS"):
        return {}
    try:
        built = import_module(".support._support_c", __package__)
    except ImportError:
        return {}
    return {name: getattr(built, name) for name in SUPPORT}


HELPERS = _built_helpers()


def load_python(tree: ast.Module, text: str, filename: str) -> dict[str, Any]:
    """The namespace of an audited module. Tracebacks show the lines of `text`; see `forget`."""
    code: CodeType = compile(tree, filename, "exec", dont_inherit=True)
    namespace: dict[str, Any] = {"__name__": f"{_support.__package__}.generated", "__package__": _support.__package__}
    exec(code, namespace)
    namespace["ExecutionError"] = ExecutionError
    namespace.update({name: helper for name, helper in HELPERS.items() if name in namespace})
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    return namespace


def forget(filename: str) -> None:
    """Drop the lines that were kept for tracebacks."""
    linecache.cache.pop(filename, None)

"""admit: admission control for tool calls.

    import admit

    validator = admit.compile({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
    validator.is_valid({"path": "README.md"})

Names are loaded when they are first used: `import admit` alone loads neither the compiler nor Cython.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .catalog import AdmittedCatalog, Catalog, load_catalog
    from .compiled import load_compiled
    from .contract import Contract, check
    from .errors import (
        AdmitError,
        ExecutionError,
        Failure,
        SchemaError,
        UnavailableError,
        UnsupportedCapabilityError,
        ValidationError,
    )
    from .limits import Limits
    from .validator import Validator, compile

__version__ = "0.1.0"

_HOMES = {
    "catalog": ("AdmittedCatalog", "Catalog", "load_catalog"),
    "compiled": ("load_compiled",),
    "contract": ("Contract", "check"),
    "errors": (
        "AdmitError",
        "ExecutionError",
        "Failure",
        "SchemaError",
        "UnavailableError",
        "UnsupportedCapabilityError",
        "ValidationError",
    ),
    "limits": ("Limits",),
    "validator": ("Validator", "compile"),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AdmitError",
    "AdmittedCatalog",
    "Catalog",
    "Contract",
    "ExecutionError",
    "Failure",
    "Limits",
    "SchemaError",
    "UnavailableError",
    "UnsupportedCapabilityError",
    "ValidationError",
    "Validator",
    "check",
    "compile",
    "load_catalog",
    "load_compiled",
]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'admit' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{module}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

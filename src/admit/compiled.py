"""Validators that were compiled before: `load_compiled` takes them from a package that `admit compile` wrote.

Such a package is code, and is trusted as code is. What its manifest says of a schema is not: the contract is checked
anew, and its digest must be the one that the function was compiled for.

Imports: contract, validator, tiers, pointer, errors; compiler (its package, load and print_python).
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from .compiler.load import HELPERS
from .compiler.package import KIND, MANIFEST, soabi
from .compiler.print_python import EMITTER_FORMAT
from .contract import SEMANTICS_VERSION, Contract, check
from .errors import AdmitError, ExecutionError, UnavailableError
from .pointer import plain
from .tiers import Compiled
from .validator import Validator

REMEDY = "compile the catalog again with this version of admit and this interpreter"

_import_lock = threading.Lock()


class CompiledPackage(Mapping[str, Validator]):
    """The validators of a compiled package, by tool. A tool's contract is checked when it is first asked for."""

    def __init__(self, package: ModuleType, name: str) -> None:
        self._package, self._name = package, name
        self._validators: dict[str, Validator] = {}
        self._texts: dict[str, str | None] = {}

    def __getitem__(self, tool: str) -> Validator:
        """Raises KeyError, or UnavailableError where the manifest does not fit what was compiled."""
        found = self._validators.get(tool)
        return found or self._validators.setdefault(tool, self._validator(tool))

    def __iter__(self) -> Iterator[str]:
        return iter(self._package.validators)

    def __len__(self) -> int:
        return len(self._package.validators)

    def __contains__(self, tool: object) -> bool:
        return tool in self._package.validators

    def __repr__(self) -> str:
        return f"<admit.CompiledPackage {self._name}, {len(self)} tools>"

    def _validator(self, tool: str) -> Validator:
        is_valid, entry = self._package.validators[tool], self._package.manifest["tools"][tool]
        try:
            contract, tier = _contract(entry), str(entry["tier"])
        except (AdmitError, KeyError, TypeError, ValueError, RecursionError) as error:
            reason = f"the manifest of {self._name} does not fit its validators: {error}; {REMEDY}"
            raise UnavailableError(reason, tool=tool) from error
        reason = f"from the compiled package {self._name}"
        return Validator(contract, Compiled(tier, is_valid, self._text(entry), reason))

    def _text(self, entry: Mapping[str, str]) -> str | None:
        """The text of a tool's module, which it shares with others; None where it is gone since."""
        file = entry["module"] + (".pyx" if entry["tier"] == "native" else ".py")
        if file not in self._texts:
            try:
                self._texts[file] = Path(self._package.__path__[0], file).read_text("ascii")
            except OSError:
                self._texts[file] = None
        return self._texts[file]


def load_compiled(package: ModuleType | str | os.PathLike[str]) -> Mapping[str, Validator]:
    """The validators of a package that `admit compile` wrote, by tool.

    `package` is the imported module, its dotted name (a str without a separator of paths), or its directory. From now
    on its `ExecutionError` is admit's.

    Raises UnavailableError where there is no such package, or it is of another emitter format, semantics version or
    interpreter: then nothing of it was imported.
    """
    if isinstance(package, ModuleType):
        module, name = package, package.__name__
    else:
        module, name = _imported(package)
    _usable(getattr(module, "manifest", None), name)
    ours = {**HELPERS, "ExecutionError": ExecutionError}
    modules = {entry["module"] for entry in module.manifest["tools"].values()}
    for generated in (module, *(import_module(f"{module.__name__}.{own}") for own in modules)):
        for replaced in ours.keys() & vars(generated).keys():
            setattr(generated, replaced, ours[replaced])
    return CompiledPackage(module, name)


def _imported(package: str | os.PathLike[str]) -> tuple[ModuleType, str]:
    """A package by its dotted name or directory, and what to call it."""
    if isinstance(package, str) and os.sep not in package and "/" not in package:
        directory, dotted, name = _found(package), package, package
    else:
        directory, dotted, name = Path(package).resolve(), None, Path(package).name
    try:
        text = (directory / MANIFEST).read_bytes()
        manifest = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise UnavailableError(f"{directory} is no package that `admit compile` wrote: {_lack(error)}") from error
    _usable(manifest, name)
    try:
        return (import_module(dotted) if dotted else _alone(directory, text)), name
    except Exception as error:  # code that was damaged may raise anything
        raise UnavailableError(f"{name} cannot be imported: {type(error).__name__}: {error}; {REMEDY}") from error


def _lack(error: Exception) -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return f"it has no {MANIFEST}"
    reason = error.strerror if isinstance(error, OSError) else error
    return f"its {MANIFEST} cannot be read: {reason}"


def _found(name: str) -> Path:
    """The directory of a package by its dotted name. Of packages around it, the import system needs to import them."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise UnavailableError(f"no package {name} is found; a directory is given as a pathlib.Path")
    return Path(spec.submodule_search_locations[0])


def _alone(directory: Path, manifest: bytes) -> ModuleType:
    """A package that is on no path, imported under a name of its own; one that was written anew has another."""
    name = f"admit_compiled_{hashlib.sha256(os.fsencode(directory) + manifest).hexdigest()[:32]}"
    with _import_lock:
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, directory / "__init__.py")
            assert spec and spec.loader
            sys.modules[name] = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(sys.modules[name])
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]


def _usable(manifest: Any, name: str) -> None:
    """Raises UnavailableError where a package is none of ours, or was compiled for other readers."""
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        raise UnavailableError(f"{name} is no package that `admit compile` wrote")
    ours = {"emitter_format": EMITTER_FORMAT, "semantics_version": SEMANTICS_VERSION, "abi": soabi()}
    for part, own in ours.items():
        its = manifest.get(part)
        if its != own and not (part == "abi" and its is None):
            what = part.replace("_", " ")
            found = plain(str(its), 64)
            raise UnavailableError(f"the compiled package {name} has {what} {found}, where this is {own}; {REMEDY}")


def _contract(entry: Mapping[str, Any]) -> Contract:
    """The contract that a manifest describes. Raises ValueError where it is another one than was compiled."""
    # A Decimal has no limit of digits, and the numbers of a schema have none either.
    schema = json.loads(entry["schema"], parse_int=lambda digits: int(Decimal(digits)))
    contract = check(schema, profile=entry["profile"], **entry["options"])
    if contract.digest != entry["digest"]:
        raise ValueError("the schema is another one than was compiled")
    return contract

"""Writes a package of compiled validators, which is imported without admit, Cython or a compiler.

    manifest.json          which function of which module decides a tool, by which schema; versions
    __init__.py, .pyi      `validators`, `manifest`, `ExecutionError`; their types
    admit_HEX.py           validators in plain Python
    admit_HEX.pyx, .so     native ones, and the text that they were built from
    _support.py            what plain Python validators share

HEX is the digest of a module's text, so what a manifest points to never changes: whoever imports a package while it is
written anew gets the old validators, the new ones or an ImportError. A tool's name is strangers' text: it is a key of
the manifest and an escaped literal of the stub, never a path or an identifier.

Imports: the compiler, its code, load, print_python, _support and native (when it builds); contract, errors, pointer
and the version of admit.
"""

from __future__ import annotations

import hashlib
import json
import keyword
import os
import re
import secrets
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, TypeVar

from .. import __version__
from ..contract import SEMANTICS_VERSION, Contract
from ..errors import ExecutionError
from ..pointer import preview
from . import PythonText, cython_text, in_modules, python_text
from .code import Lit
from .load import forget, load_python
from .print_python import EMITTER_FORMAT, ERROR_DOC
from .support import _support

T = TypeVar("T")
Progress = Callable[[str, str], None]
"""Told the name of a module and the step it is at: `cython`, `cc`, `done`."""

KIND = "admit compiled package"
"""What a manifest of ours says that it is, whatever its versions."""
MANIFEST = "manifest.json"
TAKEN = sys.stdlib_module_names | {"admit"}
"""Names that another module is imported by."""

INIT = f'''"""Validators of tools: `validators[tool](arguments)` is True or False, or raises ExecutionError.

`manifest` says which function decides a tool, and by which schema. Do not edit: compile the catalog anew.
"""

import json
import sysconfig
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

__all__ = ["ExecutionError", "manifest", "validators"]


class ExecutionError(Exception):
    """{ERROR_DOC}"""


def _validator(entry):
    module = import_module("." + entry["module"], __name__)
    module.ExecutionError = ExecutionError  # one class to catch, whichever module raises it
    return getattr(module, entry["symbol"])


manifest = json.loads(Path(__file__).with_name("{MANIFEST}").read_bytes())
if manifest["abi"] not in (None, sysconfig.get_config_var("SOABI")):
    raise ImportError(f"{{__name__}} was built for {{manifest['abi']}}: compile its catalog again on this interpreter")
validators = MappingProxyType({{tool: _validator(entry) for tool, entry in manifest["tools"].items()}})
'''

STUB = f'''from abc import ABCMeta
from collections.abc import Callable, Mapping
from typing import Any, Literal, NoReturn, TypeVar, overload

_Tool = {{tools}}
_Validator = Callable[[object], bool]
_T = TypeVar("_T")

class ExecutionError(Exception):
    """{ERROR_DOC}"""

class _Validators(Mapping[_Tool, _Validator], metaclass=ABCMeta):
    """By a name that is known when the program is written: `validators[...]`; by any other: `validators.get(...)`."""

    @overload
    def get(self, tool: str, default: None = None, /) -> _Validator | None: ...
    @overload
    def get(self, tool: str, default: _Validator | _T, /) -> _Validator | _T: ...

manifest: Mapping[str, Any]
validators: _Validators
'''

_MODULE_FILE = re.compile(r"(admit_[0-9a-f]{32})\..+")


@dataclass(frozen=True, slots=True)
class _Module:
    """A module of validators; `built` is its extension module, where it is a native one."""

    text: str
    symbols: Mapping[str, str]
    built: bytes | None = None

    @property
    def name(self) -> str:
        return _name(self.text)

    @property
    def tier(self) -> str:
        return "python" if self.built is None else "native"

    def files(self) -> dict[str, bytes]:
        """What it is on disk."""
        if self.built is None:
            return {f"{self.name}.py": self.text.encode("ascii")}
        return {f"{self.name}.pyx": self.text.encode("ascii"), self.name + EXTENSION_SUFFIXES[0]: self.built}


def write(
    contracts: Mapping[str, Contract],
    directory: str | os.PathLike[str],
    *,
    native: bool = True,
    force: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Write a package that decides tools, by name, by their contracts; gives its manifest.

    With `native`, what the C compiler can take is built with it, and `progress` told a module's name and its step. A
    package that is in `directory` already is replaced file by file; with `force`, files that are no such package may be
    there too, and stay. All but the built modules depends on the contracts, their order and admit's version alone.

    Raises ValueError where the directory's name cannot be imported, or is that of another module, or a tool's name is
    not Unicode; FileExistsError
    where the directory holds something else; UnavailableError where `native` finds no Cython or C compiler;
    ExecutionError, which names the tool, where a contract is more than can be compiled; OSError.
    """
    directory = Path(directory).absolute()
    _admissible(directory, force)
    for tool in contracts:
        if json.loads(json.dumps(tool)) != tool:
            raise ValueError(f"the tool {tool!a} has no name in JSON: one character of it is in two halves")
    if native:
        modules, reasons = _natively(contracts, progress)
    else:
        modules, reasons = [], {contract.digest: "compiled without native code" for contract in contracts.values()}
    rest = {tool: contract for tool, contract in contracts.items() if contract.digest in reasons}
    if rest:
        modules.append(_in_python(rest))
    abi, platform = (soabi(), sysconfig.get_platform()) if any(module.built for module in modules) else (None, None)
    manifest = {
        "kind": KIND,
        "admit": __version__,
        "emitter_format": EMITTER_FORMAT,
        "semantics_version": SEMANTICS_VERSION,
        "abi": abi,
        "platform": platform,
        "tools": {tool: _entry(contract, modules, reasons) for tool, contract in contracts.items()},
    }
    _publish(directory, modules, manifest)
    return manifest


def soabi() -> str | None:
    """The ABI of this interpreter's extension modules: what a manifest has to name for native modules to be loaded."""
    abi: str | None = sysconfig.get_config_var("SOABI")
    return abi


def _admissible(directory: Path, force: bool) -> None:
    name = directory.name
    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
        raise ValueError(
            f"{name!a} cannot be imported: give the directory a name of letters, digits and _ that is no keyword of "
            "Python and does not begin with a digit"
        )
    if name in TAKEN:
        owner = "admit itself" if name == "admit" else "a module of Python"
        raise ValueError(f"{name!a} is the name of {owner}: choose another")
    if directory.exists() and not directory.is_dir():
        raise FileExistsError(f"{directory} is no directory")
    if directory.exists() and not force and any(directory.iterdir()) and not _is_ours(directory):
        raise FileExistsError(f"{directory} holds what is no compiled package: choose another directory")


def _is_ours(directory: Path) -> bool:
    try:
        manifest = json.loads((directory / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("kind") == KIND


def _natively(contracts: Mapping[str, Contract], progress: Progress | None) -> tuple[list[_Module], dict[str, str]]:
    """The native modules, and by digest why contracts are in none of them."""
    from . import native

    tools = {contract.digest: tool for tool, contract in contracts.items()}
    parts = in_modules(contracts.values())
    texts = [_made(cython_text, {tools[contract.digest]: contract for contract in part}) for part in parts]
    sources = {_name(made.text): made for made in texts if made.symbols}
    with tempfile.TemporaryDirectory(prefix="admit-") as private:
        paths = native.build(
            [native.NativeSource(name, made.text) for name, made in sources.items()], Path(private), progress=progress
        )
        modules = [_Module(made.text, made.symbols, paths[name].read_bytes()) for name, made in sources.items()]
    return modules, {digest: reason for made in texts for digest, reason in made.too_large.items()}


def _in_python(contracts: Mapping[str, Contract]) -> _Module:
    made = _made(_loadable_text, contracts)
    return _Module(made.text, made.symbols)


def _loadable_text(contracts: Iterable[Contract]) -> PythonText:
    """The text of a module that Python compiles: what cannot be imported is never written."""
    made = python_text(contracts)
    filename = f"<admit {_name(made.text)}>"
    load_python(made.tree, made.text, filename)
    forget(filename)
    return made


def _made(make: Callable[[Iterable[Contract]], T], contracts: Mapping[str, Contract]) -> T:
    """What `make` makes of the contracts. Raises ExecutionError that names a tool which is too much for it."""
    try:
        return make(contracts.values())
    except (RecursionError, MemoryError) as error:
        if len(contracts) == 1:
            [tool] = contracts
            reason = f"the schema of {preview(tool)} is nested too deep, or is too large, to be compiled"
            raise ExecutionError(reason, limit="stack", tool=tool) from error
        for tool, contract in contracts.items():
            _made(make, {tool: contract})
        raise


def _entry(contract: Contract, modules: Iterable[_Module], reasons: Mapping[str, str]) -> dict[str, Any]:
    """What the manifest says of a tool: the function that decides it, and all that its contract is made of."""
    module = next(module for module in modules if contract.digest in module.symbols)
    return {
        "digest": contract.digest,
        "schema_digest": contract.schema_digest,
        "tier": module.tier,
        "tier_reason": reasons.get(contract.digest, "built with Cython and the C compiler"),
        "module": module.name,
        "symbol": module.symbols[contract.digest],
        "profile": contract.profile,
        "options": {"root": contract.root, "limits": asdict(contract.limits)},
        "schema": contract.text,
    }


def _publish(directory: Path, modules: Iterable[_Module], manifest: Mapping[str, Any]) -> None:
    """Write all files, the manifest last, since the others count by it; then remove modules that no longer do."""
    names = ",".join(f"\n    {Lit(tool)}" for tool in manifest["tools"])
    files = {
        **{name: data for module in modules for name, data in module.files().items()},
        "_support.py": Path(_support.__file__).read_bytes(),
        "__init__.pyi": STUB.replace("{tools}", f"Literal[{names},\n]" if names else "NoReturn").encode("ascii"),
        "__init__.py": INIT.encode("ascii"),
        "py.typed": b"",
        MANIFEST: json.dumps(manifest, indent=1).encode("ascii") + b"\n",
    }
    directory.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        _replace(directory / name, data)
    for path in [*directory.iterdir(), *directory.glob("__pycache__/*")]:
        found = _MODULE_FILE.fullmatch(path.name)
        if found and all(module.name != found[1] for module in modules):
            path.unlink(missing_ok=True)


def _replace(path: Path, data: bytes) -> None:
    written = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with written.open("xb") as file:
            file.write(data)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def _name(text: str) -> str:
    return f"admit_{hashlib.sha256(text.encode('ascii')).hexdigest()[:32]}"

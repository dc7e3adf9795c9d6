"""The compiler: from a contract to a function that decides arguments.

    contract ─ lower ─ passes ─ emit ─ print ─ audit ─ load ─ function

Imports: the contract and errors of admit; nothing of its catalog, cache or command line.
"""

from __future__ import annotations

import ast
import itertools
import weakref
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..contract import Contract
from . import passes
from .audit import audit_python, audit_tokens
from .code import Mint
from .emit import emit
from .evaluate import evaluate
from .load import Verdict, forget, load_python
from .lower import lower
from .print_cython import VOCABULARY as CYTHON_VOCABULARY
from .print_cython import print_cython
from .print_python import VOCABULARY as PYTHON_VOCABULARY
from .print_python import print_python
from .statements import Bound, Unit, size

PYTHON_NESTING = 3
"""A call costs as much as two checks in plain Python, so small nests are written in place."""
NATIVE_NESTING = 2

TOOLS_A_MODULE = 60
SCHEMA_BYTES_A_MODULE = 256 << 10
"""Contracts, and text of their schemas, that are built as one native module, about; more are several modules."""
STATEMENTS_A_FUNCTION = 2_000
STATEMENTS_A_TOOL = 10_000
"""What is built natively at most: the C compiler's time grows faster than the text."""

MOST_NEGATIVE = 1 << 14_000
"""Cython writes a folded negative constant in decimal, and Python converts no more than 4,300 digits."""

_serial = itertools.count(1)


def compile_python(contract: Contract, using: Sequence[passes.Pass] = passes.PYTHON) -> tuple[Verdict, str]:
    """The verdict on arguments as a Python function, and the text that it is made of.

    The text is the same for one contract and passes, in every process.
    """
    made = python_text([contract], using)
    filename = f"<admit {contract.digest[7:15]} {next(_serial)}>"
    verdict: Verdict = load_python(made.tree, made.text, filename)[made.symbols[contract.digest]]
    weakref.finalize(verdict, forget, filename).atexit = False
    return verdict, made.text


@dataclass(frozen=True, slots=True)
class PythonText:
    """The text of one Python module for some contracts."""

    text: str
    tree: ast.Module
    """Its syntax tree, audited."""
    symbols: dict[str, str]
    """Contract digest to the function of the module that decides it."""


def python_text(contracts: Iterable[Contract], using: Sequence[passes.Pass] = passes.PYTHON) -> PythonText:
    """One Python module for some contracts. The text depends on them and their order alone."""
    mint = Mint()
    units = [emit(passes.run(lower(contract), using), mint, PYTHON_NESTING) for contract in _distinct(contracts)]
    text = print_python(units)
    return PythonText(text, audit_python(text, mint, PYTHON_VOCABULARY), _symbols(units))


@dataclass(frozen=True, slots=True)
class NativeText:
    """The Cython text of one module for some contracts."""

    text: str
    symbols: dict[str, str]
    """Contract digest to the function of the module that decides it."""
    too_large: dict[str, str]
    """Digests of the contracts that were left out, and why: what reaches the C compiler is bounded."""


def cython_text(contracts: Iterable[Contract], using: Sequence[passes.Pass] = passes.NATIVE) -> NativeText:
    """One Cython module for some contracts. The text depends on them and their order alone."""
    mint = Mint()
    units: list[Unit] = []
    too_large: dict[str, str] = {}
    for contract in _distinct(contracts):
        unit = emit(passes.run(lower(contract), using), mint, NATIVE_NESTING)
        reason = beyond_native(unit)
        if reason is None:
            units.append(unit)
        else:
            too_large[contract.digest] = reason
    text = print_cython(units)
    audit_tokens(text, mint, CYTHON_VOCABULARY)
    return NativeText(text, _symbols(units), too_large)


def in_modules(contracts: Iterable[Contract]) -> list[list[Contract]]:
    """Contracts parted into those of one native module each, of like size: modules are built side by side."""
    distinct = _distinct(contracts)
    total = sum(len(contract.text) for contract in distinct)
    count = max(-(-len(distinct) // TOOLS_A_MODULE), -(-total // SCHEMA_BYTES_A_MODULE))
    modules: list[list[Contract]] = [[] for _ in range(count)]
    sizes = [0] * count
    for contract in distinct:
        smallest = sizes.index(min(sizes))
        modules[smallest].append(contract)
        sizes[smallest] += len(contract.text)
    return [module for module in modules if module]


def _distinct(contracts: Iterable[Contract]) -> Collection[Contract]:
    return {contract.digest: contract for contract in contracts}.values()


def _symbols(units: Iterable[Unit]) -> dict[str, str]:
    return {unit.digest: unit.entry.text for unit in units}


def beyond_native(unit: Unit) -> str | None:
    """Why a program is not given to the C compiler, where it is too large for it; None where it is not."""
    numbers = [constant.number.value for constant in unit.constants if isinstance(constant, Bound)]
    if any(type(number) is int and number < -MOST_NEGATIVE for number in numbers):
        return "Cython reads no negative bound of more than 4,300 digits"
    sizes = [size(function.body) for function in unit.functions]
    if max(sizes) > STATEMENTS_A_FUNCTION:
        return f"a function of {max(sizes)} statements is more than the {STATEMENTS_A_FUNCTION} that are built natively"
    if sum(sizes) > STATEMENTS_A_TOOL:
        return f"{sum(sizes)} statements are more than the {STATEMENTS_A_TOOL} a tool that are built natively"
    return None


__all__ = [
    "NativeText",
    "PythonText",
    "Verdict",
    "compile_python",
    "cython_text",
    "evaluate",
    "in_modules",
    "lower",
    "passes",
    "python_text",
]

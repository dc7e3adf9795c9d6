"""Passes: pure functions from program to program that mean the same, a tuple of them for each target.

Each is in a file of its own, named for what it does, and can be left out. The targets want different objects: plain
Python is quickest asking a small object for each name, native code walking the members that are there.

Imports: program; the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..program import Program
from .drop_true import drop_true
from .hoist_types import hoist_types
from .look_up_small_objects import look_up_small_objects
from .narrow_unions import narrow_unions
from .spread_only_json import spread_only_json

Pass = Callable[[Program], Program]

SHARED: tuple[Pass, ...] = (hoist_types, narrow_unions, spread_only_json, drop_true)
PYTHON: tuple[Pass, ...] = (*SHARED, look_up_small_objects)
NATIVE: tuple[Pass, ...] = SHARED


def run(program: Program, passes: Iterable[Pass]) -> Program:
    """The program after each of the passes in turn."""
    for apply in passes:
        program = apply(program)
    return program

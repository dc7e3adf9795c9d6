"""The progress of a native build, on a terminal.

Imports: nothing of admit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, str], None]
"""Told the name of a module and the step that its build is at."""

STEPS = ("cython", "cc", "done")
"""What the build of a module reports, in order."""


@contextmanager
def bar() -> Iterator[Progress | None]:
    """What to tell the name of a module and its step, to have a bar for each on stderr.

    None where stderr is no terminal, or rich is not installed.
    """
    if not sys.stderr.isatty():
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import Progress as Display
        from rich.progress import TaskID
    except ImportError:
        yield None
        return
    tasks: dict[str, TaskID] = {}
    with Display(console=Console(stderr=True), transient=True) as display:

        def show(module: str, step: str) -> None:
            if module not in tasks:
                tasks[module] = display.add_task("", total=len(STEPS) - 1)
            title = f"native module {list(tasks).index(module) + 1}: {step}"
            display.update(tasks[module], description=title, completed=STEPS.index(step))

        yield show

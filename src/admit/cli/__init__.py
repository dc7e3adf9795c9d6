"""The command line, `admit`: `app` has the commands, each in a module of its own.

Imports: nothing of admit but its own modules, once the extra `cli` is known to be there.
"""

from __future__ import annotations

import io
import os
import sys


def main() -> None:
    """Run the command that the process's arguments name, and exit with its status."""
    _replace_closed_streams()
    try:
        from .app import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("typer", "rich"):
            raise
        print(f"admit: the command line needs {missing}; to install it: pip install 'admit[cli]'", file=sys.stderr)
        sys.exit(3)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # strangers' names on a terminal that is not UTF-8
    app(prog_name="admit")


def _replace_closed_streams() -> None:
    """A standard stream that the process was started without is None: put one there that fails as a file does."""
    wrong = {"stdin": (os.O_WRONLY, "r"), "stdout": (os.O_RDONLY, "w"), "stderr": (os.O_WRONLY, "w")}
    for name, (flags, mode) in wrong.items():  # what is meant for stderr has nowhere to go, and is no failure
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))

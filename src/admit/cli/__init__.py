"""The command line, `admit`: `app` has the commands, each in a module of its own.

Imports: nothing of admit but its own modules, once the extra `cli` is known to be there.
"""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command that the process's arguments name, and exit with its status."""
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

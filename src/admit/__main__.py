"""`python -m admit`: the command line.

Imports: cli.
"""

from __future__ import annotations

from .cli import main

if __name__ == "__main__":
    main()

"""Where the disk cache is, and whether it may be trusted: a directory that only its user can change.

Imports: nothing of admit.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

VARIABLE = "ADMIT_CACHE_DIR"
"""Environment variable that holds an absolute path, or `off`."""


class UntrustedError(OSError):
    """Someone else may change what is in the directory."""


def default_directory() -> Path | None:
    """What `ADMIT_CACHE_DIR` says, else the platform's cache directory; None where that is `off` or unknown.

    The platform's directory is known to `platformdirs`; without it and without the variable, nothing is cached.
    """
    value = os.environ.get(VARIABLE)
    if value:
        return None if value == "off" else Path(value)
    try:
        import platformdirs
    except ImportError:
        return None
    return platformdirs.user_cache_path("admit")


def private_directory(path: Path) -> Path:
    """`path` without symbolic links, made where it was missing, with every directory on the way looked at.

    Raises UntrustedError where anyone but this user and root could change what it holds, OSError where it cannot
    be made or written to.
    """
    if not path.is_absolute():
        raise UntrustedError(f"{path} is no absolute path")
    for entry in (*reversed(path.parents), path):
        entry.mkdir(mode=0o700, exist_ok=True)
        fault = _fault(entry, last=entry == path)
        if fault:
            raise UntrustedError(f"{entry} {fault}")
    if not os.access(path, os.W_OK | os.X_OK):
        raise UntrustedError(f"{path} cannot be written to")
    # Root's own links, such as /home on another disk, are followed: the way behind them is looked at in turn.
    real = Path(os.path.realpath(path))
    return path if real == path else private_directory(real)


def _fault(entry: Path, *, last: bool) -> str | None:
    """Why `entry`, on the way to a directory or the directory itself (`last`), cannot be trusted."""
    status = os.lstat(entry)
    ours = status.st_uid == os.geteuid()
    if not ours and (last or status.st_uid != 0):
        return "belongs to another user"
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link" if ours or last else None
    # In a sticky directory, such as /tmp, others cannot replace what is ours.
    sticky = status.st_mode & stat.S_ISVTX and not last
    if status.st_mode & 0o022 and not sticky:
        return "can be changed by other users"
    return None

"""Files that are whole or absent, and private: reading, publishing and removing them.

Imports: nothing of admit.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_TEMPORARY = ".tmp-"
_HOUR = 3600.0


class DamagedError(OSError):
    """A file is there, but it is not what was published under its name."""


def read(path: Path, limit: int) -> tuple[bytes, os.stat_result]:
    """All bytes of a private file of ours, and its status from before they were read.

    Raises DamagedError where `path` is anything else or longer than `limit`, OSError where it cannot be read.
    """
    try:
        # Not through a link, and without waiting for a pipe's writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise DamagedError(f"{path.name} is a symbolic link") from None
        raise
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        private = status.st_uid == os.geteuid() and not status.st_mode & 0o077
        if not stat.S_ISREG(status.st_mode) or not private or status.st_size > limit:
            raise DamagedError(f"{path.name} is no private file of at most {limit} bytes")
        return file.read(), status


def publish(folder: Path, data: bytes, names: Iterable[str], *, replace: bool = True) -> None:
    """Write `data` into `folder`, once, for all `names`: each is whole or absent, after a power failure too.

    Raises OSError; FileExistsError where a name is taken and not to be replaced.
    """
    written, link = (folder / f"{_TEMPORARY}{os.urandom(8).hex()}" for _ in range(2))
    try:
        with open(written, "xb", opener=_create) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        for name in names:
            if replace:
                os.link(written, link)
                os.replace(link, folder / name)
            else:
                os.link(written, folder / name)
        _sync(folder)
    finally:
        remove(written)
        remove(link)


def _create(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def touch(path: Path, status: os.stat_result) -> None:
    """Note that `path` was used: its time of change, at most once an hour."""
    if time.time() - status.st_mtime > _HOUR:
        with contextlib.suppress(OSError):
            os.utime(path)


def remove(path: Path) -> None:
    """Remove a file, if it is there and can be removed. Processes that have it open or loaded keep it."""
    with contextlib.suppress(OSError):
        path.unlink()


def listing(folder: Path, prefix: str = "") -> Iterator[tuple[Path, os.stat_result]]:
    """The files in `folder` whose names begin with `prefix`, with their status. Raises OSError."""
    with os.scandir(folder) as found:
        for item in found:
            with contextlib.suppress(FileNotFoundError):  # Another process may remove it meanwhile.
                if item.name.startswith(prefix) and not item.is_dir(follow_symlinks=False):
                    yield Path(item.path), item.stat(follow_symlinks=False)


def sweep(folder: Path) -> None:
    """Remove what writers that were killed left in `folder` more than an hour ago. Raises OSError."""
    for path, status in listing(folder, _TEMPORARY):
        if time.time() - status.st_mtime > _HOUR:
            remove(path)

"""Files that are whole or absent, and private: reading, publishing and removing them.

Imports: nothing of admit.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
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
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        private = status.st_uid == os.geteuid() and not status.st_mode & 0o077
        if not stat.S_ISREG(status.st_mode) or not private or status.st_size > limit:
            raise DamagedError(f"{path.name} is no private file of at most {limit} bytes")
        return file.read(), status


def content_name(name: str, data: bytes) -> str:
    """The file name of `data`: its digest, and `name` for people. No two contents share one."""
    return f"{hashlib.sha256(data).hexdigest()}-{name}"


def read_content(path: Path, limit: int) -> tuple[bytes, os.stat_result]:
    """As `read`, of a file with a `content_name`. Raises DamagedError also where it holds other bytes."""
    data, status = read(path, limit)
    if hashlib.sha256(data).hexdigest() != path.name[:64]:
        raise DamagedError(f"{path.name} holds other bytes")
    return data, status


def publish(folder: Path, files: Mapping[str, bytes], place: Callable[[Path, Path], None] = os.replace) -> None:
    """Write `files`, by name, into `folder`, so that each is seen whole or not at all, after a power failure too.

    `place` moves or links a finished file to its name. Raises OSError; what was not placed by then is removed.
    """
    pending = [(folder / f"{_TEMPORARY}{os.urandom(8).hex()}", folder / name) for name in files]
    try:
        for (temporary, _), data in zip(pending, files.values(), strict=True):
            with open(temporary, "xb", opener=_create) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for temporary, target in pending:
            place(temporary, target)
        _sync(folder)
    finally:
        for temporary, _ in pending:
            remove(temporary)


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
        os.unlink(path)


def listing(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Every file in `folder` with its status; what vanishes meanwhile is left out. Raises OSError."""
    with os.scandir(folder) as found:
        for item in found:
            with contextlib.suppress(FileNotFoundError):
                status = item.stat(follow_symlinks=False)
                if not stat.S_ISDIR(status.st_mode):
                    yield Path(item.path), status


def sweep(folder: Path) -> None:
    """Remove what writers that were killed left in `folder` more than an hour ago. Raises OSError."""
    for path, status in listing(folder):
        if path.name.startswith(_TEMPORARY) and time.time() - status.st_mtime > _HOUR:
            remove(path)

"""Compiled schemas on disk, for processes to come: generated text and built modules, verified before they are used.

The layout, under a directory that only its user can change:

    secret                   the key of every seal
    v1/entries/KIND-HEX      a record under a seal: kind, a meta for each key, and the content names of their files
    v1/files/HEX-NAME        a file, named by the digest of its bytes

Keys that were saved together share one record by hard links. HEX is SHA-256, so no name from outside becomes a path;
the seal is HMAC-SHA256 over the record and so, by the content names, over every byte. Files are replaced, never
rewritten, and the bytes at a content name never change: a reader sees an old entry, a new one or none, and a module
that was verified is the module that is loaded.

What the environment does (a full disk, damage, a foreign file) is a miss, told to the logger `admit.cache`.

Imports: files, directory, memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import logging
import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from . import files
from .directory import VARIABLE, UntrustedError, default_directory, private_directory
from .files import DamagedError
from .memory import MemoryCache

VERSION = "v1"
"""Names the layout; another layout goes into another folder."""
MAX_BYTES = 512 << 20
"""What a cache may hold on disk, unless its opener says otherwise."""
SECRET_BYTES = 32

_KIND = re.compile(r"[a-z]+")
_FILE_NAME = re.compile(r"[a-z]+\.[a-z]+")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BLOCK = 4096

log = logging.getLogger("admit.cache")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """What was saved under a key, verified."""

    meta: dict[str, Any]
    paths: Mapping[str, Path]
    """The entry's files by name. One may vanish when it is evicted; none changes what it holds."""
    max_bytes: int

    def read(self, name: str) -> bytes | None:
        """The bytes of the file `name`, verified as they are read; None where it is gone since."""
        path = self.paths[name]
        try:
            data, _ = files.read(path, self.max_bytes)
        except OSError as error:
            log.debug("not loaded: %s", error)
            return None
        return data if _content_name(name, data) == path.name else None


@dataclass(frozen=True, slots=True)
class ModuleEntry:
    """Where a contract's native validator is: a symbol of a built module.

    Another process may evict `path` at any time: a failure to load it is a miss.
    """

    path: Path
    module: str
    symbol: str
    entry: Entry

    def text(self) -> str | None:
        """The source that the module was built from; None where it is gone since."""
        data = self.entry.read("module.pyx")
        return None if data is None else data.decode()


class DiskStore:
    """A directory of entries, shared between threads and processes of one user. Made by `open`."""

    def __init__(self, directory: Path, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._room = 0
        self._records: MemoryCache[dict[str, Any]] = MemoryCache()
        self._digests: MemoryCache[str] = MemoryCache()
        root = private_directory(directory)
        self._entries = private_directory(root / VERSION / "entries")
        self._files = private_directory(root / VERSION / "files")
        for folder in (root, self._entries, self._files):
            files.sweep(folder)
        self._secret = _secret(root)

    @classmethod
    def open(cls, directory: Path | None = None, *, max_bytes: int = MAX_BYTES) -> DiskStore | None:
        """The store in `directory`, or where `default_directory` says; None where there is none to be had.

        A directory that others can change, or that cannot be written to, is refused with one warning a process. So is
        every directory on a system without POSIX owners and modes.
        """
        try:
            chosen = default_directory() if directory is None else directory.absolute()
            if chosen is None:
                return None
            if not hasattr(os, "geteuid"):
                raise UntrustedError("this system has no POSIX owners")
            return cls(chosen, max_bytes)
        except OSError as error:
            _warn_once("%s: no disk cache; set %s to a directory of your own, or to off", error, VARIABLE)
            return None

    def save_entry(self, kind: str, key: str, contents: Mapping[str, bytes], meta: Mapping[str, Any]) -> bool:
        """Save files by name and `meta` (JSON) under a kind and a key, of any text. Whether that was done.

        Raises ValueError where `kind` is no plain word or a name is not like `module.so`.
        """
        return self.save_entries(kind, contents, {key: meta})

    def save_entries(self, kind: str, contents: Mapping[str, bytes], metas: Mapping[str, Mapping[str, Any]]) -> bool:
        """As `save_entry`, for several keys that share their files, with a meta each."""
        if not all(map(_FILE_NAME.fullmatch, contents)):
            raise ValueError(f"no file names: {list(contents)!r}")
        names = {name: _content_name(name, data) for name, data in contents.items()}
        record = {"kind": kind, "metas": dict(metas), "files": names}
        body = json.dumps(record, separators=(",", ":")).encode()
        sealed = self._seal(body) + b"\n" + body
        entries = [_entry_name(kind, key) for key in metas]
        try:
            self._make_room(sum(_on_disk(len(data)) for data in (sealed, *contents.values())))
            for name, data in contents.items():
                files.publish(self._files, data, [names[name]])
            files.publish(self._entries, sealed, entries)
        except OSError as error:
            log.debug("not saved: %s", error)
            return False
        return True

    def load_entry(self, kind: str, key: str) -> Entry | None:
        """The entry of that kind and key, with all its files verified; None where there is none.

        A damaged entry is removed. Raises ValueError where `kind` is no plain word.
        """
        path = self._entries / _entry_name(kind, key)
        try:
            return self._load(path, kind, key)
        except FileNotFoundError:
            return None
        except DamagedError as error:
            log.debug("removed: %s", error)
            files.remove(path)
        except OSError as error:
            log.debug("not loaded: %s", error)
        return None

    def holds(self, kind: str) -> bool:
        """Whether there is any entry of a kind: cheaper than to look for one."""
        with contextlib.suppress(OSError), os.scandir(self._entries) as entries:
            return any(entry.name.startswith(f"{kind}-") for entry in entries)
        return False

    def save_module(self, fingerprint: str, symbols: Mapping[str, str], so_path: Path, text: str) -> None:
        """Save a built module and its source for every contract digest in `symbols` (digest -> symbol).

        `fingerprint` is all that the module depends on beside the contracts: emitter format, Python ABI, Cython,
        compiler and flags. The module's name is the first part of the name of `so_path`. Raises ValueError where a
        digest is no digest, or a name no ASCII identifier.
        """
        module = so_path.name.partition(".")[0]
        for name in (module, *symbols.values()):
            if not _IDENTIFIER.fullmatch(name):
                raise ValueError(f"no identifier: {name!r}")
        metas = {_module_key(fingerprint, digest): {"module": module, "symbol": symbols[digest]} for digest in symbols}
        try:
            built = so_path.read_bytes()
        except OSError as error:
            log.debug("not saved: %s", error)
            return
        self.save_entries("module", {"module.so": built, "module.pyx": text.encode()}, metas)

    def find(self, fingerprint: str, digest: str) -> ModuleEntry | None:
        """The native validator of the contract with `digest`, built under `fingerprint`; None where there is none.

        Raises ValueError where `digest` is no digest.
        """
        entry = self.load_entry("module", _module_key(fingerprint, digest))
        if entry is None:
            return None
        return ModuleEntry(entry.paths["module.so"], entry.meta["module"], entry.meta["symbol"], entry)

    def _load(self, path: Path, kind: str, key: str) -> Entry:
        record = _once(self._records, path, self._read_record)
        if record["kind"] != kind or key not in record["metas"]:
            raise DamagedError(f"{path.name} is the entry of another key")
        paths = {name: self._files / content_name for name, content_name in record["files"].items()}
        for content in paths.values():
            try:
                if _once(self._digests, content, self._read_digest) != content.name[:64]:
                    raise DamagedError(f"{content.name} holds other bytes")
            except FileNotFoundError:
                raise DamagedError(f"{content.name} is missing") from None
            except DamagedError:
                files.remove(content)
                raise
        return Entry(dict(record["metas"][key]), paths, self._max_bytes)

    def _read_record(self, path: Path) -> tuple[dict[str, Any], os.stat_result]:
        sealed, status = files.read(path, self._max_bytes)
        seal, _, body = sealed.partition(b"\n")
        if not hmac.compare_digest(seal, self._seal(body)):
            raise DamagedError(f"{path.name} has no valid seal")
        return json.loads(body), status

    def _read_digest(self, path: Path) -> tuple[str, os.stat_result]:
        data, status = files.read(path, self._max_bytes)
        return hashlib.sha256(data).hexdigest(), status

    def _seal(self, body: bytes) -> bytes:
        return hmac.digest(self._secret, f"admit cache {VERSION}\n".encode() + body, "sha256").hex().encode()

    def _make_room(self, needed: int) -> None:
        """Evict what was used longest ago until `needed` more bytes fit. Raises OSError where they never will.

        The directory is looked through only when the room last seen is used up. That room is never more than a 16th of
        the bound, since other processes save too.
        """
        if needed > self._max_bytes:
            raise OSError(f"{needed} bytes are more than the cache may hold")
        with self._lock:
            if needed > self._room:
                self._room = min(self._max_bytes - self._evict(needed), needed + self._max_bytes // 16)
            self._room -= needed

    def _evict(self, needed: int) -> int:
        """Bytes in use, after eviction down to three quarters of the bound if `needed` more would pass it."""
        found: dict[tuple[int, int], tuple[os.stat_result, list[Path]]] = {}
        for path, status in (*files.listing(self._entries), *files.listing(self._files)):
            found.setdefault((status.st_dev, status.st_ino), (status, []))[1].append(path)
        used = sum(_on_disk(status.st_size) for status, _ in found.values())
        if used + needed > self._max_bytes:
            for status, paths in sorted(found.values(), key=lambda item: item[0].st_mtime_ns):
                for path in paths:
                    files.remove(path)
                used -= _on_disk(status.st_size)
                if used + needed <= self._max_bytes * 3 // 4:
                    break
        return used


def _secret(root: Path) -> bytes:
    """The key of this user's seals, made on first use. Raises OSError."""
    path = root / "secret"
    try:
        return _read_secret(path)
    except DamagedError:
        files.remove(path)
    except FileNotFoundError:
        pass
    with contextlib.suppress(FileExistsError):  # Another process may be first.
        files.publish(root, os.urandom(SECRET_BYTES), [path.name], replace=False)
    return _read_secret(path)


def _read_secret(path: Path) -> bytes:
    secret, _ = files.read(path, SECRET_BYTES)
    if len(secret) != SECRET_BYTES:
        raise DamagedError(f"{path} is cut short")
    return secret


def _entry_name(kind: str, key: str) -> str:
    if not _KIND.fullmatch(kind):
        raise ValueError(f"no kind of entry: {kind!r}")
    return f"{kind}-{hashlib.sha256(json.dumps([kind, key]).encode()).hexdigest()}"


def _module_key(fingerprint: str, digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise ValueError(f"no digest: {digest!r}")
    return json.dumps([fingerprint, digest])


def _content_name(name: str, data: bytes) -> str:
    """The file name of `data`: its digest, and `name` for people. No two contents share one."""
    return f"{hashlib.sha256(data).hexdigest()}-{name}"


def _once(known: MemoryCache[T], path: Path, read: Callable[[Path], tuple[T, os.stat_result]]) -> T:
    """What `read` makes of a file; it is `known` until the file changes. Raises what `read` raises."""
    status = os.lstat(path)
    value = known.get(_signature(status))
    if value is None:
        value, status = read(path)
        known.put(_signature(status), value)
    files.touch(path, status)
    return value


def _signature(status: os.stat_result) -> str:
    """What changes whenever a file is replaced, written to or handed on."""
    return f"{status.st_dev} {status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def _on_disk(size: int) -> int:
    """What a file of `size` bytes takes up, in whole blocks."""
    return -(-size // _BLOCK) * _BLOCK


_warning = threading.Lock()
_warned = False


def _warn_once(message: str, *details: object) -> None:
    global _warned
    with _warning:
        first, _warned = not _warned, True
    if first:
        log.warning(message, *details)

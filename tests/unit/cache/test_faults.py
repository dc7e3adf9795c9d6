"""What the machine may do: full and failing disks, killed writers. Saving fails quietly; reading is right or a miss."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

import admit
from admit.cache import DiskStore

from .conftest import opened
from .test_disk import FINGERPRINT, age, built, digest

NEW = {"module.py": b"new"}


def failing(code: int) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


def leftovers(directory: Path) -> list[Path]:
    return list(directory.rglob(".tmp-*"))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT, errno.EMFILE])
@pytest.mark.parametrize("call", ["open", "fsync", "scandir", "link", "replace"])
def test_saving_fails_quietly_and_leaves_the_old_entry(
    directory: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    assert opened(directory).save_entry("text", "key", {"module.py": b"old"}, {})
    store = opened(directory)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing(code))
        assert not store.save_entry("text", "key", NEW, {})
    assert leftovers(directory) == []
    entry = store.load_entry("text", "key")
    assert entry is not None
    assert entry.read("module.py") == b"old"
    assert store.save_entry("text", "key", NEW, {})
    entry = store.load_entry("text", "key")
    assert entry is not None
    assert entry.read("module.py") == b"new"


def test_bytes_are_on_the_disk_before_their_name_and_names_before_saving_returns(
    store: DiskStore, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def recorded_fsync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "bytes")
        fsync(descriptor)

    def recorded_replace(source: Path, target: Path) -> None:
        done.append(target.parent.name)
        replace(source, target)

    monkeypatch.setattr(os, "fsync", recorded_fsync)
    monkeypatch.setattr(os, "replace", recorded_replace)
    assert store.save_entries("text", NEW, {"a": {}, "b": {}})
    assert done == ["bytes", "files", "folder", "bytes", "entries", "entries", "folder"]


@pytest.mark.parametrize("code", [errno.EIO, errno.EACCES, errno.EMFILE, errno.ESTALE])
@pytest.mark.parametrize("call", ["open", "fstat", "lstat"])
def test_reading_that_fails_is_a_miss_and_removes_nothing(
    store: DiskStore, directory: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    assert store.save_entry("text", "key", NEW, {})
    entry = store.load_entry("text", "key")
    assert entry is not None
    reader = opened(directory)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing(code))
        assert reader.load_entry("text", "key") is None
        assert call == "lstat" or entry.read("module.py") is None
    assert reader.load_entry("text", "key") is not None


def test_a_built_module_that_is_gone_is_not_saved(store: DiskStore, tmp_path: Path) -> None:
    store.save_module(FINGERPRINT, {digest("a"): "f"}, tmp_path / "gone.so", "")
    assert store.find(FINGERPRINT, digest("a")) is None


def run(script: str, *arguments: object) -> subprocess.Popen[str]:
    source = Path(admit.__file__).parent.parent
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )


CUT_SHORT = """
import resource, sys
from pathlib import Path
from admit.cache import DiskStore
store = DiskStore.open(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
print(store.save_entry("text", "large", {"module.py": b"x" * 50_000}, {}))
print(store.save_entry("text", "small", {"module.py": b"x"}, {}))
"""


def test_a_write_that_stops_half_way(directory: Path) -> None:
    with run(CUT_SHORT, directory) as process:
        output, _ = process.communicate(timeout=60)
    assert output.split() == ["False", "True"]
    assert leftovers(directory) == []
    store = opened(directory)
    assert store.load_entry("text", "large") is None
    assert store.load_entry("text", "small") is not None


WRITER = """
import hashlib, random, sys
from pathlib import Path
from admit.cache import DiskStore
store = DiskStore.open(Path(sys.argv[1]))
choose = random.Random(sys.argv[2])
print("ready", flush=True)
while True:
    content = choose.randbytes(choose.randrange(1, 200_000))
    meta = {"sha": hashlib.sha256(content).hexdigest()}
    store.save_entry("text", str(choose.randrange(3)), {"module.so": content}, meta)
"""


def test_writers_killed_at_any_moment_leave_no_torn_entry(directory: Path) -> None:
    reader = opened(directory, max_bytes=32 << 20)
    choose = random.Random(0)
    hits, until = 0, time.monotonic() + 4
    while time.monotonic() < until:
        writers = [run(WRITER, directory, choose.random()) for _ in range(2)]
        try:
            for writer in writers:
                assert writer.stdout is not None
                assert writer.stdout.readline() == "ready\n"
            killing = time.monotonic() + choose.uniform(0.02, 0.2)
            while time.monotonic() < killing:
                for key in "012":
                    entry = reader.load_entry("text", key)
                    content = entry and entry.read("module.so")
                    if entry and content is not None:
                        assert hashlib.sha256(content).hexdigest() == entry.meta["sha"]
                        hits += 1
        finally:
            for writer in writers:
                writer.send_signal(signal.SIGKILL)
                writer.communicate()
    assert hits > 100
    assert opened(directory).save_entry("text", "0", NEW, {})
    assert reader.load_entry("text", "0") is not None


def test_stray_temporary_files_are_swept_after_an_hour(directory: Path, tmp_path: Path) -> None:
    store = opened(directory)
    store.save_module(FINGERPRINT, {digest("a"): "f"}, built(tmp_path, b"ELF"), "")
    folders = [directory, directory / "v1" / "entries", directory / "v1" / "files"]
    old, young = ([folder / f".tmp-{name}" for folder in folders] for name in ("old", "young"))
    for path in (*old, *young):
        path.write_bytes(b"cut sho")
    age(old, 1.1)
    age(young, 0.9)
    opened(directory)
    assert sorted(leftovers(directory)) == sorted(young)
    assert store.find(FINGERPRINT, digest("a")) is not None

"""What others, or a failing disk, may have done to the files: each is a miss, and removes the damaged entry."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from admit.cache import DiskStore, disk

from .conftest import opened
from .test_disk import FINGERPRINT, built, digest, files_of

SO = bytes(range(256))

pytestmark = pytest.mark.usefixtures("quick_disk")


@pytest.fixture
def saved(store: DiskStore, tmp_path: Path) -> Callable[[], None]:
    """Saves one module."""
    path = built(tmp_path, SO)
    return lambda: store.save_module(FINGERPRINT, {digest("a"): "f"}, path, "# the text\n")


def parts(directory: Path) -> dict[str, Path]:
    """The files of the one module: entry, so, pyx."""
    found = {path.suffix or "entry": path for path in files_of(directory)}
    assert sorted(found) == [".pyx", ".so", "entry"]
    return found


def missed(directory: Path, *stores: DiskStore) -> None:
    """A fresh store, or those given, find nothing, and remove what was damaged."""
    for store in stores or (opened(directory),):
        assert store.find(FINGERPRINT, digest("a")) is None
    assert not list((directory / "v1" / "entries").iterdir())


PARTS = pytest.mark.parametrize("part", ["entry", ".so", ".pyx"])


@PARTS
@pytest.mark.parametrize("seen_before", [False, True])
def test_truncated_at_every_prefix(
    saved: Callable[[], None], store: DiskStore, directory: Path, part: str, seen_before: bool
) -> None:
    saved()
    size = parts(directory)[part].stat().st_size
    for length in range(0, size, 1 if size < 20 else 13):
        saved()
        if seen_before:
            assert store.find(FINGERPRINT, digest("a")) is not None
        os.truncate(parts(directory)[part], length)
        missed(directory, *([store] if seen_before else []))
    saved()
    assert store.find(FINGERPRINT, digest("a")) is not None


@PARTS
def test_one_bit_flipped(saved: Callable[[], None], directory: Path, part: str) -> None:
    choose = random.Random(part)
    for _ in range(25):
        saved()
        path = parts(directory)[part]
        data = bytearray(path.read_bytes())
        data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        path.write_bytes(data)
        missed(directory)
        assert not path.exists()


@PARTS
def test_rewritten_in_place_after_it_was_verified(
    saved: Callable[[], None], store: DiskStore, directory: Path, part: str
) -> None:
    saved()
    found = store.find(FINGERPRINT, digest("a"))
    assert found is not None
    path = parts(directory)[part]
    status = path.stat()
    time.sleep(0.05)  # A file system's clock may tick every 10 ms only.
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (found.text() is None) == (part == ".pyx")
    missed(directory, store)


@PARTS
@pytest.mark.parametrize("content", ["zeros", "longer", "empty", "random", "huge"])
def test_other_bytes(saved: Callable[[], None], directory: Path, part: str, content: str) -> None:
    saved()
    path = parts(directory)[part]
    if content == "huge":
        os.truncate(path, 1 << 40)
    else:
        data = path.read_bytes()
        others = {"zeros": bytes(len(data)), "longer": data + b"\n", "empty": b"", "random": os.urandom(len(data))}
        path.write_bytes(others[content])
    missed(directory)


@PARTS
@pytest.mark.parametrize("thing", ["nothing", "link", "pipe", "directory", "writable", "readable"])
def test_another_thing_in_its_place(saved: Callable[[], None], directory: Path, part: str, thing: str) -> None:
    saved()
    path = parts(directory)[part]
    if thing in ("writable", "readable"):
        path.chmod(0o622 if thing == "writable" else 0o644)
    else:
        path.rename(directory / "aside")
    if thing == "link":
        path.symlink_to(directory / "aside")
    elif thing == "pipe":
        os.mkfifo(path, 0o600)
    elif thing == "directory":
        path.mkdir()
    store = opened(directory)
    assert store.find(FINGERPRINT, digest("a")) is None
    saved()
    assert not list(directory.rglob(".tmp-*"))
    if thing == "directory":
        assert store.find(FINGERPRINT, digest("a")) is None  # It is not ours to remove.
    else:
        assert store.find(FINGERPRINT, digest("a")) is not None


@PARTS
def test_a_file_of_another_user(
    saved: Callable[[], None], directory: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved()
    store = opened(directory)
    if os.geteuid() == 0:
        os.chown(parts(directory)[part], 65534, 65534)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 65534)
    missed(directory, store)


def test_a_planted_entry_without_the_secret(store: DiskStore, directory: Path, tmp_path: Path) -> None:
    """An entry that is right in all but its seal, with a module that is really there."""
    attacker = opened(tmp_path / "theirs")
    attacker.save_module(FINGERPRINT, {digest("a"): "f"}, built(tmp_path, b"evil"), "")
    shutil.copytree(tmp_path / "theirs" / "v1", directory / "v1", dirs_exist_ok=True)
    assert attacker.find(FINGERPRINT, digest("a")) is not None
    missed(directory, store)


def two_modules(store: DiskStore, directory: Path, tmp_path: Path) -> tuple[list[Path], list[Path]]:
    """The entries and the modules of two contracts, a and b."""
    entries, modules = [], []
    for name in "ab":
        before = set(files_of(directory))
        store.save_module(FINGERPRINT, {digest(name): "f"}, built(tmp_path, name.encode() * 64), name)
        new = [path for path in files_of(directory) if path not in before]
        entries += [path for path in new if path.parent.name == "entries"]
        modules += [path for path in new if path.suffix == ".so"]
    return entries, modules


def swap(first: Path, second: Path) -> None:
    aside = first.with_name("aside")
    first.rename(aside)
    second.rename(first)
    aside.rename(second)


@pytest.mark.parametrize("what", ["entries", "modules"])
def test_two_contracts_swapped(store: DiskStore, directory: Path, tmp_path: Path, what: str) -> None:
    entries, modules = two_modules(store, directory, tmp_path)
    for name in "ab":
        assert store.find(FINGERPRINT, digest(name)) is not None
    swap(*(entries if what == "entries" else modules))
    for name in "ab":
        assert store.find(FINGERPRINT, digest(name)) is None
        assert opened(directory).find(FINGERPRINT, digest(name)) is None


def test_a_module_linked_to_the_name_of_another(store: DiskStore, directory: Path, tmp_path: Path) -> None:
    _, modules = two_modules(store, directory, tmp_path)
    modules[1].unlink()
    os.link(modules[0], modules[1])
    assert store.find(FINGERPRINT, digest("a")) is not None
    assert store.find(FINGERPRINT, digest("b")) is None
    assert store.find(FINGERPRINT, digest("a")) is not None


@pytest.mark.parametrize("part", ["entry", ".so"])
def test_an_entry_and_a_module_linked_to_each_others_name(
    saved: Callable[[], None], store: DiskStore, directory: Path, part: str
) -> None:
    saved()
    assert store.find(FINGERPRINT, digest("a")) is not None
    path = parts(directory)[part]
    other = parts(directory)[".so" if part == "entry" else "entry"]
    path.unlink()
    os.link(other, path)
    missed(directory, store)


def test_the_record_of_another_contract_copied_over(store: DiskStore, directory: Path, tmp_path: Path) -> None:
    entries, _ = two_modules(store, directory, tmp_path)
    entries[1].write_bytes(entries[0].read_bytes())
    assert store.find(FINGERPRINT, digest("b")) is None
    assert store.find(FINGERPRINT, digest("a")) is not None


def test_the_record_of_another_kind_copied_over(store: DiskStore, directory: Path) -> None:
    for kind in ("text", "contract"):
        assert store.save_entry(kind, "key", {}, {"kind": kind})
    text, contract = sorted((directory / "v1" / "entries").iterdir(), reverse=True)
    contract.write_bytes(text.read_bytes())
    assert store.load_entry("contract", "key") is None
    assert store.load_entry("text", "key") is not None


def test_two_keys_of_one_name_are_told_apart(store: DiskStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_entry_name", lambda kind, key: "text-0")
    assert store.save_entry("text", "a", {}, {})
    assert store.load_entry("text", "b") is None
    assert store.save_entry("text", "a", {}, {})
    assert store.load_entry("text", "a") is not None

"""Where the disk cache is, and which directories are refused."""

from __future__ import annotations

import logging
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs
import pytest

from admit.cache import DiskStore
from admit.cache.directory import VARIABLE, UntrustedError, default_directory, private_directory
from admit.cache.disk import SECRET_BYTES

NOBODY = 65534

pytestmark = pytest.mark.usefixtures("quick_disk")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(directory: Path, caplog: pytest.LogCaptureFixture, reason: str) -> None:
    with caplog.at_level(logging.WARNING, "admit.cache"):
        assert DiskStore.open(directory) is None
        assert DiskStore.open(directory) is None
    (record,) = caplog.records
    assert reason in record.getMessage()


def test_everything_made_is_private(tmp_path: Path) -> None:
    directory = tmp_path / "made" / "on" / "the" / "way"
    previous = os.umask(0)
    try:
        store = DiskStore.open(directory)
        assert store is not None
        assert store.save_entry("text", "key", {"module.py": b"x"}, {})
    finally:
        os.umask(previous)
    for path in (tmp_path / "made", *(tmp_path / "made").rglob("*")):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), path


def test_the_variable_comes_before_the_platform(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(directory))
    assert DiskStore.open() is not None
    assert (directory / "v1").is_dir()


def test_the_platform_directory(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert default_directory() == platformdirs.user_cache_path("admit")


@pytest.mark.parametrize("how", ["off", "no platformdirs"])
def test_no_cache_without_a_word(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, how: str) -> None:
    if how == "off":
        monkeypatch.setenv(VARIABLE, "off")
    else:
        monkeypatch.delenv(VARIABLE, raising=False)
        monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert DiskStore.open() is None
    assert not caplog.records


def test_a_relative_path_is_good_as_an_argument_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert DiskStore.open(Path("here")) is not None
    monkeypatch.setenv(VARIABLE, "there")
    assert DiskStore.open() is None
    assert "no absolute path" in caplog.text
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("bits", [0o777, 0o770, 0o702, 0o720, 0o1777])
@pytest.mark.parametrize("which", ["itself", "v1", "entries", "files"])
def test_a_directory_that_others_can_write_to(
    directory: Path, caplog: pytest.LogCaptureFixture, bits: int, which: str
) -> None:
    assert DiskStore.open(directory) is not None
    chosen = {
        "itself": directory,
        "v1": directory / "v1",
        "entries": directory / "v1" / "entries",
        "files": directory / "v1" / "files",
    }
    chosen[which].chmod(bits)
    if which == "v1" and bits == 0o1777:
        assert DiskStore.open(directory) is not None  # Sticky: nobody else can replace what is in it.
    else:
        refused(directory, caplog, "can be changed by other users")


def test_a_parent_that_others_can_write_to(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    refused(shared / "cache", caplog, "can be changed by other users")
    assert not (shared / "cache").exists()


def test_a_readable_directory_is_good(directory: Path) -> None:
    directory.mkdir(mode=0o755)
    directory.chmod(0o755)
    assert DiskStore.open(directory) is not None
    assert mode(directory / "v1") == 0o700


@pytest.mark.parametrize("where", ["itself", "parent", "v1", "entries"])
def test_a_symbolic_link(tmp_path: Path, caplog: pytest.LogCaptureFixture, where: str) -> None:
    real = tmp_path / "real"
    assert DiskStore.open(real / "cache") is not None
    link = {
        "itself": tmp_path / "cache",
        "parent": tmp_path / "link",
        "v1": real / "cache" / "v1",
        "entries": real / "cache" / "v1" / "entries",
    }[where]
    if where in ("v1", "entries"):
        link.rename(tmp_path / "moved")
    link.symlink_to({"itself": real / "cache", "parent": real}.get(where, tmp_path / "moved"))
    opened = {"itself": link, "parent": link / "cache"}.get(where, real / "cache")
    refused(opened, caplog, "is a symbolic link")


@pytest.mark.parametrize("bits", [0o700, 0o777])
def test_a_link_of_roots_is_followed_to_a_place_that_is_looked_at_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.mkdir()
    target.chmod(bits)
    link.symlink_to(target)
    lstat = os.lstat

    def as_user_1000(path: str | Path, **options: int) -> os.stat_result:
        """The link is root's, and all else that this test made is user 1000's."""
        fields = list(lstat(path, **options))
        fields[stat.ST_UID] = 1000 if Path(path).is_relative_to(tmp_path) and Path(path) != link else 0
        return os.stat_result(fields)

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "lstat", as_user_1000)
    if bits == 0o700:
        assert private_directory(link / "cache") == target / "cache"
    else:
        with pytest.raises(UntrustedError, match="target can be changed by other users"):
            private_directory(link / "cache")


@pytest.mark.parametrize("kind", ["file", "dangling link", "link to itself"])
def test_something_else_in_its_place(directory: Path, caplog: pytest.LogCaptureFixture, kind: str) -> None:
    if kind == "file":
        directory.write_bytes(b"")
    else:
        directory.symlink_to(directory if kind == "link to itself" else directory.parent / "nowhere")
    refused(directory, caplog, "cache")


def test_a_directory_of_another_user(
    directory: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(directory, NOBODY, NOBODY)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
    refused(directory, caplog, "belongs to another user")


@pytest.fixture
def plain_user(tmp_path: Path) -> Iterator[Path]:
    """A directory of a user who is not root, and this process run by that user meanwhile."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    home = Path(tempfile.mkdtemp())
    os.chown(home, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield home
    finally:
        os.setresuid(0, 0, 0)
        shutil.rmtree(home)


@pytest.mark.parametrize("filled", [False, True])
def test_a_directory_that_cannot_be_written_to(
    plain_user: Path, caplog: pytest.LogCaptureFixture, filled: bool
) -> None:
    directory = plain_user / "cache"
    if filled:
        assert DiskStore.open(directory) is not None
    else:
        directory.mkdir()
    directory.chmod(0o500)
    refused(directory, caplog, "cannot be written to")
    directory.chmod(0o700)


def test_a_parent_that_cannot_be_written_to(plain_user: Path, caplog: pytest.LogCaptureFixture) -> None:
    plain_user.chmod(0o500)
    refused(plain_user / "cache", caplog, "Permission denied")
    plain_user.chmod(0o700)


def test_it_becomes_read_only_while_open(plain_user: Path) -> None:
    store = DiskStore.open(plain_user / "cache")
    assert store is not None
    assert store.save_entry("text", "key", {"module.py": b"x"}, {})
    folders = [plain_user / "cache" / "v1" / name for name in ("entries", "files")]
    for folder in folders:
        folder.chmod(0o500)
    assert not store.save_entry("text", "other", {"module.py": b"y"}, {})
    assert store.load_entry("text", "key") is not None
    for folder in folders:
        folder.chmod(0o000)
    assert store.load_entry("text", "key") is None
    for folder in folders:
        folder.chmod(0o700)
    assert store.load_entry("text", "key") is not None


def test_the_warning_comes_once_a_process(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(b"")
        assert DiskStore.open(tmp_path / name) is None
    assert len(caplog.records) == 1


def test_a_system_without_owners_has_no_cache(
    monkeypatch: pytest.MonkeyPatch, directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delattr(os, "geteuid")
    refused(directory, caplog, "no POSIX owners")


def test_all_who_open_at_once_share_one_secret(directory: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        stores = list(pool.map(DiskStore.open, [directory] * 16))
    first, *others = (store for store in stores if store is not None)
    assert len(others) == 15
    assert first.save_entry("text", "key", {}, {"n": 1})
    assert all(store.load_entry("text", "key") is not None for store in others)


def test_another_process_makes_the_secret_first(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others: list[DiskStore | None] = []
    urandom = os.urandom

    def slow(size: int) -> bytes:
        if size == SECRET_BYTES:
            monkeypatch.undo()
            others.append(DiskStore.open(directory))
        return urandom(size)

    monkeypatch.setattr(os, "urandom", slow)
    store = DiskStore.open(directory)
    (other,) = others
    assert store is not None
    assert other is not None
    assert store.save_entry("text", "key", {}, {})
    assert other.load_entry("text", "key") is not None


@pytest.mark.parametrize("damage", ["empty", "short", "long", "readable", "link", "pipe"])
def test_a_damaged_secret_is_made_anew_and_old_entries_are_missed(directory: Path, damage: str) -> None:
    before = DiskStore.open(directory)
    assert before is not None
    assert before.save_entry("text", "key", {}, {})
    secret = directory / "secret"
    old = secret.read_bytes()
    if damage == "readable":
        secret.chmod(0o644)
    else:
        secret.unlink()
        if damage == "link":
            (directory / "elsewhere").write_bytes(old)
            secret.symlink_to(directory / "elsewhere")
        elif damage == "pipe":
            os.mkfifo(secret, 0o600)
        else:
            secret.write_bytes({"empty": b"", "short": old[:-1], "long": old + b"x"}[damage])
            secret.chmod(0o600)
    after = DiskStore.open(directory)
    assert after is not None
    assert secret.read_bytes() != old
    assert mode(secret) == 0o600
    assert after.load_entry("text", "key") is None
    assert after.save_entry("text", "key", {}, {})
    assert after.load_entry("text", "key") is not None

"""The disk store as its users see it: what is saved is found, by another process too, and the size is bounded."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import time
from pathlib import Path

import pytest

from admit.cache import DiskStore, disk

from .conftest import opened

FINGERPRINT = "emitter 1; cpython-311; Cython 3.3.1; gcc -O2"

pytestmark = pytest.mark.usefixtures("quick_disk")


def digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def built(tmp_path: Path, content: bytes, name: str = "admit_0.cpython-311.so") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def files_of(directory: Path) -> list[Path]:
    return [path for path in (directory / "v1").rglob("*") if path.is_file()]


def test_a_module_is_found_by_every_contract_in_it(store: DiskStore, directory: Path, tmp_path: Path) -> None:
    symbols = {digest(name): f"validate_{name}" for name in "abc"}
    store.save_module(FINGERPRINT, symbols, built(tmp_path, b"ELF..."), "# text")
    for reader in (store, opened(directory)):
        for key, symbol in symbols.items():
            found = reader.find(FINGERPRINT, key)
            assert found is not None
            assert (found.module, found.symbol, found.text()) == ("admit_0", symbol, "# text")
            assert found.path.read_bytes() == b"ELF..."
            assert found.path.suffix == ".so"
    assert len(list(directory.rglob("*.so"))) == 1


def test_another_contract_or_fingerprint_is_a_miss(store: DiskStore, tmp_path: Path) -> None:
    store.save_module(FINGERPRINT, {digest("a"): "f"}, built(tmp_path, b"ELF"), "")
    assert store.find(FINGERPRINT, digest("b")) is None
    assert store.find(f"{FINGERPRINT} ", digest("a")) is None
    assert store.find("", digest("a")) is None
    assert store.find(FINGERPRINT, digest("a")) is not None


def test_another_layout_is_a_miss(store: DiskStore, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.save_entry("text", "key", {}, {})
    monkeypatch.setattr(disk, "VERSION", "v2")
    assert opened(directory).load_entry("text", "key") is None
    (directory / "v2").rename(directory / "v2 of its own")
    (directory / "v1").rename(directory / "v2")
    assert opened(directory).load_entry("text", "key") is None


def test_new_content_has_a_new_path_and_the_old_one_stays(store: DiskStore, tmp_path: Path) -> None:
    paths = []
    for content in (b"old", b"new"):
        store.save_module(FINGERPRINT, {digest("a"): "f"}, built(tmp_path, content), "")
        found = store.find(FINGERPRINT, digest("a"))
        assert found is not None
        paths.append(found.path)
    assert [path.read_bytes() for path in paths] == [b"old", b"new"]
    assert paths[0] != paths[1]


def test_a_module_loads_from_the_cache_and_outlives_its_file(store: DiskStore) -> None:
    spec = next(
        (
            spec
            for name in ("_bisect", "_heapq", "_statistics", "_csv", "_json")
            if (spec := importlib.util.find_spec(name)) and (spec.origin or "").endswith(".so")
        ),
        None,
    )
    if spec is None or spec.origin is None:
        pytest.skip("this interpreter has no extension modules in files of their own")
    store.save_module(FINGERPRINT, {digest("a"): "f"}, Path(spec.origin), "")
    found = store.find(FINGERPRINT, digest("a"))
    assert found is not None
    assert found.module == spec.name
    loader = importlib.machinery.ExtensionFileLoader(found.module, str(found.path))
    cached_spec = importlib.util.spec_from_file_location(found.module, found.path, loader=loader)
    assert cached_spec is not None
    module = importlib.util.module_from_spec(cached_spec)
    loader.exec_module(module)
    found.path.unlink()
    assert module.__file__ == str(found.path)
    functions = [value for value in vars(module).values() if callable(value)]
    assert all(repr(function) for function in functions)
    assert store.find(FINGERPRINT, digest("a")) is None


def test_a_warm_start_reads_a_module_once(
    store: DiskStore, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    symbols = {digest(str(number)): f"f{number}" for number in range(50)}
    store.save_module(FINGERPRINT, symbols, built(tmp_path, b"x" * 100_000), "text")
    reader = opened(directory)
    read: list[str] = []
    original = disk.files.read
    monkeypatch.setattr(disk.files, "read", lambda path, limit: read.append(path.name) or original(path, limit))
    assert all(reader.find(FINGERPRINT, key) for key in symbols)
    assert len(read) == 3, "the record that all share, the module and its text"


KEYS = [
    "",
    "../../x",
    "\0",
    "x" * 300,
    "con",
    "-rf",
    "a\nb",
    "\ud800",
    "a\\b",
    "é",
    "e\u0301",
    "Foo",
    "foo",
    "/etc/passwd",
]


def test_keys_are_any_text_and_never_paths(store: DiskStore, directory: Path) -> None:
    for number, key in enumerate(KEYS):
        assert store.save_entry("text", key, {"module.py": str(number).encode()}, {"number": number, "key": key})
    for number, key in enumerate(KEYS):
        entry = store.load_entry("text", key)
        assert entry is not None
        assert entry.meta == {"number": number, "key": key}
        assert entry.read("module.py") == str(number).encode()
    allowed = set("0123456789abcdef")
    for path in files_of(directory):
        kind, _, hexadecimal = path.name.partition("-")
        assert set(hexadecimal if path.parent.name == "entries" else kind) <= allowed


def test_kinds_are_apart(store: DiskStore) -> None:
    assert store.save_entry("text", "key", {}, {"kind": "text"})
    assert store.load_entry("contract", "key") is None
    assert [store.holds(kind) for kind in ("text", "contract", "tex")] == [True, False, False]


@pytest.mark.parametrize(
    "hostile",
    ["", "a" * 64, "sha256:", f"sha256:{'A' * 64}", f"sha256:{'a' * 63}", f"sha256:{'a' * 65}", f"sha256:{'a' * 64}\n",
     f"sha256:../../{'a' * 58}", f"sha256:{'a' * 63}\0", f"sha256:{'a' * 63}é", f"sha512:{'a' * 64}", *KEYS],
)  # fmt: skip
def test_what_is_no_digest_is_refused(store: DiskStore, tmp_path: Path, hostile: str) -> None:
    with pytest.raises(ValueError, match="no digest"):
        store.find(FINGERPRINT, hostile)
    with pytest.raises(ValueError, match="no digest"):
        store.save_module(FINGERPRINT, {hostile: "f"}, built(tmp_path, b"ELF"), "")


@pytest.mark.parametrize("hostile", ["", "a-b", "1a", "a b", "é", "a\n", "a;b", "__import__('os')"])
def test_what_is_no_identifier_is_refused(store: DiskStore, tmp_path: Path, hostile: str) -> None:
    with pytest.raises(ValueError, match="no identifier"):
        store.save_module(FINGERPRINT, {digest("a"): hostile}, built(tmp_path, b"ELF"), "")
    with pytest.raises(ValueError, match="no identifier"):
        store.save_module(FINGERPRINT, {digest("a"): "f"}, tmp_path / f"{hostile}.so", "")


@pytest.mark.parametrize("hostile", ["", "..", "../x", "a/b.py", "module", "module.py\n", "A.py", ".py", "module."])
def test_kinds_and_file_names_are_plain_words(store: DiskStore, hostile: str) -> None:
    with pytest.raises(ValueError, match="no file names"):
        store.save_entry("text", "key", {hostile: b""}, {})
    if hostile != "module":
        with pytest.raises(ValueError, match="no kind"):
            store.save_entry(hostile, "key", {}, {})
        with pytest.raises(ValueError, match="no kind"):
            store.load_entry(hostile, "key")


def age(paths: list[Path], hours: float) -> None:
    then = time.time() - hours * 3600
    for path in paths:
        os.utime(path, (then, then))


def on_disk(directory: Path) -> int:
    sizes = {status.st_ino: status.st_size for status in map(Path.stat, files_of(directory))}
    return sum(-(-size // 4096) * 4096 for size in sizes.values())


def test_the_size_is_bounded_and_the_longest_unused_goes_first(directory: Path) -> None:
    bound = 20 * 4096
    store = opened(directory, max_bytes=bound)
    for number in range(8):
        before = set(files_of(directory))
        assert store.save_entry("text", str(number), {"module.py": bytes([number]) * 4000}, {})
        age([path for path in files_of(directory) if path not in before], 30 - number)
    assert store.load_entry("text", "0") is not None
    for number in range(8, 12):
        assert store.save_entry("text", str(number), {"module.py": bytes([number]) * 4000}, {})
        assert on_disk(directory) <= bound
    left = [number for number in range(12) if store.load_entry("text", str(number))]
    assert left == [0, *range(left[1], 12)]
    assert left[1] > 2


def test_keys_that_share_a_record_count_once_and_go_together(directory: Path) -> None:
    store = opened(directory, max_bytes=20 * 4096)
    keys = [str(number) for number in range(100)]
    assert store.save_entries("text", {"module.py": b"shared"}, {key: {} for key in keys})
    age(files_of(directory), 2)
    for number in range(4):
        assert store.save_entry("other", str(number), {"module.py": bytes([number]) * 4000}, {})
    assert all(store.load_entry("text", key) for key in keys)
    age(files_of(directory), 2)
    for number in range(4, 20):
        assert store.save_entry("other", str(number), {"module.py": bytes([number]) * 4000}, {})
    assert not any(store.load_entry("text", key) for key in keys)
    assert on_disk(directory) <= 20 * 4096


def test_one_of_the_keys_that_share_a_record_is_replaced(store: DiskStore) -> None:
    assert store.save_entries("text", {"module.py": b"old"}, {"a": {"n": 1}, "b": {"n": 2}})
    assert store.save_entry("text", "a", {"module.py": b"new"}, {"n": 3})
    found = [store.load_entry("text", key) for key in "ab"]
    assert [(entry.meta["n"], entry.read("module.py")) for entry in found if entry] == [(3, b"new"), (2, b"old")]


def test_a_store_sees_what_others_saved_before_the_bound(directory: Path) -> None:
    bound = 32 * 4096
    stores = [opened(directory, max_bytes=bound) for _ in range(3)]
    for number in range(50):
        assert stores[number % 3].save_entry("text", str(number), {"module.py": str(number).encode()}, {})
        assert on_disk(directory) <= bound + len(stores) * bound // 16


def test_what_is_larger_than_the_bound_is_not_saved(directory: Path) -> None:
    store = opened(directory, max_bytes=8 * 4096)
    assert store.save_entry("text", "small", {"module.py": b"x"}, {})
    assert not store.save_entry("text", "large", {"module.py": b"x" * 40_000}, {})
    assert store.load_entry("text", "small") is not None
    assert store.load_entry("text", "large") is None


def test_use_is_noted_once_an_hour(store: DiskStore, directory: Path) -> None:
    assert store.save_entry("text", "key", {"module.py": b"x"}, {})
    for hours, noted in [(0.5, False), (1.5, True)]:
        age(files_of(directory), hours)
        before = {path: path.stat().st_mtime_ns for path in files_of(directory)}
        assert store.load_entry("text", "key") is not None
        assert all((path.stat().st_mtime_ns > then) == noted for path, then in before.items())


def test_an_entry_whose_file_goes_while_it_is_held(store: DiskStore, directory: Path) -> None:
    assert store.save_entry("text", "key", {"module.py": b"x"}, {})
    entry = store.load_entry("text", "key")
    assert entry is not None
    entry.paths["module.py"].unlink()
    assert entry.read("module.py") is None
    assert store.load_entry("text", "key") is None
    assert files_of(directory) == []


def test_the_directory_goes_while_it_is_open(store: DiskStore, directory: Path) -> None:
    assert store.save_entry("text", "key", {}, {})
    directory.rename(directory.parent / "elsewhere")
    assert store.load_entry("text", "key") is None
    assert not store.holds("text")
    assert not store.save_entry("text", "key", {}, {})

from __future__ import annotations

from pathlib import Path

import pytest

from admit.cache import DiskStore, disk


@pytest.fixture(autouse=True)
def _no_warning_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_warned", False)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def store(directory: Path) -> DiskStore:
    return opened(directory)


def opened(directory: Path, **options: int) -> DiskStore:
    store = DiskStore.open(directory, **options)
    assert store is not None
    return store

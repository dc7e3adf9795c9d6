from __future__ import annotations

import os
from pathlib import Path

import pytest

from admit.cache import DiskStore, disk


@pytest.fixture(autouse=True)
def _no_warning_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_warned", False)


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the disk. What is written before what is shown in test_faults.py."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


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

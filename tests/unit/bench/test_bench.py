"""The benchmarks run: every engine that is installed, no figure asserted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import admit
from admit import bench
from admit.bench import calls
from admit.bench.engines import ENGINES

ROOT = Path(__file__).parents[3]
CATALOG = ROOT / "examples/catalog.json"


def test_smoke() -> None:
    """Also without the peers, which are an extra: those that are missing are left out."""
    engines = [name for name in ENGINES if ENGINES[name].version()]
    catalog = admit.load_catalog(CATALOG)
    timed = calls.from_file(ROOT / "examples/calls.json", catalog)
    report = bench.run(catalog, timed, engines=engines, settings=bench.Settings(rounds=2, milliseconds=0.05))
    rows = json.loads(json.dumps(report.to_dict()))["engines"]
    assert set(rows) | set(report.left_out) == set(engines)
    assert set(report.left_out) <= ({"admit native"} if os.environ.get("ADMIT_REQUIRE_NATIVE") != "1" else set())
    assert all(row["ns"] > 0 and len(row["tools"]) == len(catalog) for row in rows.values())
    assert rows["admit python"]["ratio"]["admit python"] == 1.0
    assert report.engines[-1] == "empty call"


def test_an_engine_that_cannot_compile_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    monkeypatch.setenv("ADMIT_CACHE_DIR", "off")
    catalog = admit.load_catalog({"read": {"properties": {"path": {"type": "string"}}}})
    settings = bench.Settings(rounds=1, milliseconds=0.01)
    report = bench.run(catalog, {"read": [{"path": "a"}]}, engines=["admit native", "admit python"], settings=settings)
    assert list(report.rounds) == ["admit python"]
    assert "UnavailableError" in report.left_out["admit native"]


def test_calls_are_made_up_where_none_are_given() -> None:
    catalog = admit.load_catalog(CATALOG)
    made = calls.made_up(catalog)
    assert list(made) == [tool.name for tool in catalog]
    admitted = catalog.admit(tier="python")
    assert all(admitted[name].is_valid(arguments) for name, (arguments,) in made.items())


def test_only_valid_calls_are_timed() -> None:
    catalog = admit.load_catalog(CATALOG)
    admitted = catalog.admit(tier="reference")
    for name, timed in calls.from_file(ROOT / "examples/calls.json", catalog).items():
        assert all(map(admitted[name].is_valid, timed))


@pytest.mark.parametrize("text", ["[]", "{}", '{"calls": [1]}', "{"])
def test_files_that_hold_no_calls(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calls.json"
    path.write_text(text)
    with pytest.raises(admit.SchemaError):
        calls.from_file(path, admit.load_catalog(CATALOG))


def test_strategies_run() -> None:
    pytest.importorskip("rich", reason="prints with rich, of the extra cli")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.strategies", "--smoke"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "looking up ÷ walking" in done.stdout

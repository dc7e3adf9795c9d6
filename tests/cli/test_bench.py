"""`admit bench`: that it runs and reports; the figures are the business of benchmarks/."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from admit.bench.report import significant

Run = Callable[..., Result]
Write = Callable[[str, object], Path]

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_example_in_smoke_mode(run: Run) -> None:
    result = run("bench", EXAMPLES / "catalog.json", "--calls", EXAMPLES / "calls.json", "--smoke", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    engines = json.loads(result.stdout)["engines"]
    assert {"admit python", "admit reference"} & set(engines)
    assert all(row["ns"] > 0 for row in engines.values())


def test_the_table_has_a_row_an_engine(run: Run, catalog: Path) -> None:
    base = ("bench", catalog, "--smoke")
    engines = json.loads(run(*base, "--json").stdout)["engines"]
    result = run(*base)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = result.stdout.splitlines()
    assert all(any(row.startswith(f"{name} ") for row in rows) for name in engines)
    assert not any(char in result.stdout for char in "│┃━")
    assert rows[-1] == "smoke run: no figure means anything"
    assert "this ÷ python" in result.stdout
    assert "0.00" not in result.stdout


def test_figures_keep_two_digits() -> None:
    shown = {0.00213: "0.0021", 0.21: "0.21", 1: "1.0", 4.23: "4.2", 9.97: "10", 412.4: "412", 12345: "12345"}
    assert {value: significant(value) for value in shown} == shown


def test_what_cannot_be_measured_is_a_usage_error(run: Run, write: Write, catalog: Path) -> None:
    for options, said in (
        ((write("broken.json", b"{"),), "the catalog is not JSON"),
        ((catalog, "--calls", "nowhere.json"), "nowhere.json cannot be read: No such file or directory"),
        ((catalog, "--calls", write("list.json", [1])), "holds no calls"),
        ((catalog, "--calls", write("text.json", b"{")), "is not JSON"),
        ((catalog, "--calls", write("calls.json", {"calls": []})), "no tool has a valid call to time"),
    ):
        result = run("bench", *options)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert said in result.stderr

"""What the README and the pages in docs/ show is what happens."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def console_blocks(page: Path) -> list[str]:
    return re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def test_console_examples(tmp_path: Path) -> None:
    """Each `$` line prints what stands below it, up to the next; commands run in a folder with the examples."""
    pytest.importorskip("typer", reason="needs the extra cli")
    blocks = console_blocks(ROOT / "README.md")
    assert blocks
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    bin_folder = Path(sys.executable).parent
    for block in blocks:
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            answer = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env={"PATH": f"{bin_folder}:/usr/bin:/bin", "ADMIT_CACHE_DIR": "off"},
                capture_output=True,
                text=True,
            )
            assert answer.stdout + answer.stderr == expected, command


def test_links_lead_somewhere() -> None:
    for page in (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "tests/README.md", ROOT / "examples/README.md"):
        prose = re.sub(r"```.*?```|`[^`\n]+`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", prose):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"

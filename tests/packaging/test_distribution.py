"""The sdist, the wheel made from it, and the wheel installed alone in an empty environment."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "src", "compiler", "tests")
LINK = Path("src/admit/compiler")
PURE = {"ADMIT_PURE": "1"}
REQUIRED = {"ADMIT_PURE": "", "ADMIT_REQUIRE_EXTENSIONS": "1"}
OPTIONAL = {"ADMIT_PURE": "", "ADMIT_REQUIRE_EXTENSIONS": ""}

pytestmark = pytest.mark.slow
needs_a_toolchain = pytest.mark.skipif(
    os.environ.get("ADMIT_REQUIRE_NATIVE") != "1"
    and (importlib.util.find_spec("Cython") is None or not shutil.which(os.environ.get("CC", "cc"))),
    reason="needs Cython and a C compiler",
)


def packaged(root: Path) -> set[str]:
    """Every file of the packages in a checkout, as the path that it has in a wheel."""
    homes = {"admit": root / "src/admit", "admit/compiler": root / "compiler"}
    return {
        f"{package}/{(Path(folder) / name).relative_to(home).as_posix()}"
        for package, home in homes.items()
        for folder, _, names in os.walk(home)
        for name in names
        if Path(folder).name != "__pycache__" and not name.endswith((".so", ".c"))
    }


def checkout(target: Path) -> Path:
    """A copy of the sources, its link a link, with what an earlier build of a module since deleted has left."""
    for name in SOURCE:
        source = ROOT / name
        if source.is_dir():
            junk = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so", "*.c")
            shutil.copytree(source, target / name, symlinks=True, ignore=junk)
        else:
            shutil.copy(source, target / name)
    stale = target / "build/lib/admit/deleted.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
    return target


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    """What the command prints; the test fails with all that it said when it fails."""
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def build(kind: str, source: Path, target: Path, **env: str) -> Path:
    """The one file that the build back end makes of `source`: an `sdist` or a `wheel`."""
    program = f"import sys; from setuptools import build_meta; build_meta.build_{kind}(sys.argv[1])"
    target.mkdir(exist_ok=True)
    run(sys.executable, "-c", program, target, cwd=source, **env)
    (made,) = target.iterdir()
    return made


def wheel_of(sdist: Path, target: Path, **env: str) -> Path:
    """The wheel that pip makes of an sdist, without a network."""
    offline = ("--no-deps", "--no-build-isolation", "--no-index")
    run(sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", target, sdist, cwd=target, **env)
    (made,) = target.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    return build("sdist", checkout(folder), folder / "dist")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(sdist, tmp_path_factory.mktemp("wheel"), **PURE)


@pytest.fixture(scope="module")
def lone_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter whose environment holds the wheel and nothing else; a dependency would fail the install."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", wheel, cwd=folder)
    return python


def contents(wheel: Path) -> set[str]:
    """The files of the packages in a wheel."""
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_sdist_holds_the_compiler_once_and_no_link(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    names = {member.name.partition("/")[2] for member in members}
    assert [member.name for member in members if member.issym() or member.islnk()] == []
    assert not [name for name in names if Path(name).is_relative_to(LINK)]
    assert {name.replace("src/", "", 1) for name in names if name.startswith("src/admit/")} | {
        f"admit/{name}" for name in names if name.startswith("compiler/")
    } >= packaged(ROOT)
    assert "tests/packaging/test_distribution.py" in names


def test_wheel_from_the_sdist_holds_exactly_the_packages(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert contents(wheel) == packaged(ROOT)


@pytest.mark.parametrize("link", ["link", "text file", "absent"])
def test_wheel_of_a_checkout_holds_them_however_the_link_came(link: str, tmp_path: Path) -> None:
    tree = checkout(tmp_path)
    shutil.rmtree(tree / "build")
    if link != "link":
        (tree / LINK).unlink()
    if link == "text file":  # as git leaves it where links cannot be made
        (tree / LINK).write_text("../../compiler")
    assert contents(build("wheel", tree, tmp_path / "dist", **PURE)) == packaged(ROOT)


def test_metadata_names_the_licence_and_requires_nothing(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(name).decode())
        assert f"{name.partition('/')[0]}/licenses/LICENSE" in archive.namelist()
    assert metadata["License-Expression"] == "MIT"
    assert [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line] == []


@pytest.mark.native
@needs_a_toolchain
def test_wheel_holds_the_extension_where_it_can_be_built(sdist: Path, tmp_path: Path) -> None:
    made = contents(wheel_of(sdist, tmp_path, **REQUIRED))
    assert made - packaged(ROOT) == {f"admit/compiler/support/_support_c{sysconfig.get_config_var('EXT_SUFFIX')}"}
    assert packaged(ROOT) <= made


def test_wheel_is_made_without_it_where_the_compiler_fails(sdist: Path, tmp_path: Path) -> None:
    assert contents(wheel_of(sdist, tmp_path, **OPTIONAL, CC="/bin/false")) == packaged(ROOT)


@pytest.mark.native
@needs_a_toolchain
def test_no_wheel_is_made_where_the_extension_is_required_and_fails(sdist: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="/bin/false"):
        wheel_of(sdist, tmp_path, **REQUIRED, CC="/bin/false")


LONE_PROGRAM = """
import importlib.metadata, json, admit

assert [found.name for found in importlib.metadata.distributions()] == ["admit"]
assert importlib.metadata.version("admit") == admit.__version__

schema = {"properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": False}
calls = [{"path": "README.md"}, {"path": 3}, {}, {"path": "README.md", "mode": "r"}]
verdicts = {}
for tier in ("auto", "reference", "python"):
    validator = admit.compile(schema, tier=tier)
    verdicts[f"{tier}: {validator.tier}"] = [validator.is_valid(call) for call in calls]
    assert [failure.keyword for failure in validator.failures(calls[1])] == ["type"]

catalog = admit.load_catalog({"read": schema})
assert catalog.admit()["read"].is_valid(calls[0])

try:
    admit.compile(schema, tier="native")
except admit.UnavailableError as error:
    verdicts["native"] = error.message
print(json.dumps(verdicts))
"""


def test_the_wheel_alone_validates_a_call(lone_python: Path, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    printed = json.loads(run(lone_python, "-I", "-W", "error", "-c", LONE_PROGRAM, cwd=tmp_path, **home))
    assert "admit[native]" in printed.pop("native")
    decided = [True, False, False, False]
    assert printed == {"auto: python": decided, "reference: reference": decided, "python: python": decided}


def test_the_command_without_its_extra_says_what_to_install(lone_python: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [lone_python.with_name("admit"), "check", "x.json"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "admit[cli]" in done.stderr
    assert "Traceback" not in done.stderr

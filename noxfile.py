"""The jobs, for every supported Python: `nox --list`. CI runs `make test` on the default one and some of these."""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["lint", "tests", "package", "bench"]

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
TIERS = {
    # neither Cython nor a C compiler, no extension of admit's own
    "pure": ("cli,cache,mcp", {"CC": "/bin/false", "ADMIT_PURE": "1", "ADMIT_NO_EXTENSIONS": "1"}),
    "native": ("all", {"ADMIT_REQUIRE_EXTENSIONS": "1", "ADMIT_REQUIRE_NATIVE": "1"}),
}


@nox.session(python=PYTHONS)
@nox.parametrize("tier", list(TIERS))
def tests(session: nox.Session, tier: str) -> None:
    """The whole suite."""
    extras, env = TIERS[tier]
    install(session, extras, "test", env)
    session.run("pytest", "-n", "2", "--dist", "loadfile", *session.posargs, env=env)


@nox.session(python=[PYTHONS[0], PYTHONS[-1]])
def short(session: nox.Session) -> None:
    """What is quick of the suite, native required, on the oldest and the newest Python."""
    extras, env = TIERS["native"]
    install(session, extras, "test", env)
    quick = {**env, "HYPOTHESIS_PROFILE": "dev"}
    session.run("pytest", "-n", "2", "--dist", "loadfile", "-m", "not slow", *session.posargs, env=quick)


@nox.session
def lint(session: nox.Session) -> None:
    """Style, types and import fences."""
    install(session, "all,bench", "lint")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("lint-imports")


@nox.session(python=[PYTHONS[0], PYTHONS[-1]])
def package(session: nox.Session) -> None:
    """Sdist, wheel from it, and installs, with the oldest and the newest Python."""
    extras, env = TIERS["native"]
    install(session, extras, "test", env)
    session.run("pytest", "tests/packaging", *session.posargs, env=env)


@nox.session
def bench(session: nox.Session) -> None:
    """The benchmarks in smoke mode: every tier and peer runs, no figure is kept."""
    install(session, "all,bench", "test")
    session.run("admit", "bench", "examples/catalog.json", "--smoke", *session.posargs)


def install(session: nox.Session, extras: str, group: str, env: dict[str, str] | None = None) -> None:
    session.install("--editable", f".[{extras}]", "--group", group, env=env)

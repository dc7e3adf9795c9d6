"""Hypothesis profiles, what the native tests need, and what a test asks to have printed at the end of the run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", deadline=None, suppress_health_check=_SLOW, max_examples=1_300, derandomize=True)
settings.register_profile("dev", deadline=None, suppress_health_check=_SLOW, max_examples=150)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Native tests without a toolchain: a failure where native is required, else skipped with the reason."""
    if item.get_closest_marker("native"):
        from admit.compiler.native import toolchain
        from admit.errors import UnavailableError

        try:
            toolchain()
        except UnavailableError as error:
            required = os.environ.get("ADMIT_REQUIRE_NATIVE") == "1"
            (pytest.fail if required else pytest.skip)(error.message)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The developer's own cache is neither read nor written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADMIT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def summary(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """A function that takes a line to print below the results, also where the test ran in another process."""
    return lambda line: record_property("summary", line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the lines that tests asked for."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            lines = [line for name, line in getattr(report, "user_properties", ()) if name == "summary"]
            if lines and report.when == "call":
                terminalreporter.section(report.nodeid)
                for line in lines:
                    terminalreporter.write_line(line)

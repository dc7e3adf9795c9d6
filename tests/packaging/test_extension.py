"""The helpers of generated code as an extension module: optional, and never an old one."""

from __future__ import annotations

import importlib.util
import os
import sysconfig
from pathlib import Path

import pytest

import admit.compiler.support

SUPPORT = Path(admit.compiler.support.__file__).parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


@pytest.mark.skipif(
    importlib.util.find_spec("admit.compiler.support._support_c") is None
    and os.environ.get("ADMIT_REQUIRE_EXTENSIONS") != "1",
    reason="the extension was not built: Cython or a C compiler was missing at the install",
)
def test_it_is_not_older_than_its_sources() -> None:
    built = (SUPPORT / f"_support_c{SUFFIX}").stat().st_mtime
    sources = [SUPPORT / "_support.py", SUPPORT / "_support_c.pxd"]
    assert [source.name for source in sources if source.stat().st_mtime > built] == []

"""Finds the packages and builds the extension; all metadata is in pyproject.toml.

In a checkout the link src/admit/compiler leads every tool to compiler/. An sdist holds no link, and Windows checks it out
as a text file: there, `admit.compiler` is mapped to the folder.

The extension is `_support.py` compiled with Cython: the helpers of the python tier, several times as quick. Without Cython
or a C compiler admit installs and works without it. ADMIT_PURE=1 leaves it out; ADMIT_REQUIRE_EXTENSIONS=1 fails without it.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, find_packages, setup

REQUIRED = os.environ.get("ADMIT_REQUIRE_EXTENSIONS") == "1"


def extensions() -> list[Extension]:
    """The extension, as C."""
    if os.environ.get("ADMIT_PURE") == "1":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if REQUIRED:
            raise
        return []
    helpers = Extension("admit.compiler.support._support_c", ["compiler/support/_support.py"])
    built: list[Extension] = cythonize(
        [helpers],
        force=True,  # an edited .pxd is not noticed
        compiler_directives={"language_level": 3, "annotation_typing": False, "binding": False},
    )
    for extension in built:
        extension.optional = not REQUIRED  # cythonize() drops it
    return built


package_dir = {"": "src"}
packages = find_packages("src")
if not Path("src/admit/compiler").is_dir():
    package_dir["admit.compiler"] = "compiler"
    packages += ["admit.compiler", *(f"admit.compiler.{name}" for name in find_packages("compiler"))]

setup(package_dir=package_dir, packages=packages, ext_modules=extensions())

"""Maps compiler/ to `admit.compiler` where the link src/admit/compiler is absent; all metadata is in pyproject.toml.

In a checkout the link leads every tool to the folder. An sdist holds no link, and Windows checks it out as a text file.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup

package_dir = {"": "src"}
packages = find_packages("src")
if not Path("src/admit/compiler").is_dir():
    package_dir["admit.compiler"] = "compiler"
    packages += ["admit.compiler", *(f"admit.compiler.{name}" for name in find_packages("compiler"))]

# Extension modules of admit's own would be listed here, optional at install and required with
# ADMIT_REQUIRE_EXTENSIONS=1. `cythonize()` drops `optional=True`: it is set on what it returns.
setup(package_dir=package_dir, packages=packages)

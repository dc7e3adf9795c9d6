"""Maps compiler/ to `admit.compiler` where the link src/admit/compiler is absent, and names the extension module.

In a checkout the link leads every tool to the folder. An sdist holds no link, and Windows checks it out as a text file.
ADMIT_PURE=1 builds no extension; ADMIT_REQUIRE_EXTENSIONS=1 fails where it cannot be built, which else is left out.
All metadata is in pyproject.toml.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from setuptools import Extension, find_packages, setup

REQUIRED = os.environ.get("ADMIT_REQUIRE_EXTENSIONS") == "1"

package_dir = {"": "src"}
packages = find_packages("src")
if not Path("src/admit/compiler").is_dir():
    package_dir["admit.compiler"] = "compiler"
    packages += ["admit.compiler", *(f"admit.compiler.{name}" for name in find_packages("compiler"))]


def extensions() -> list[Extension]:
    """The helpers of generated code in C. One source makes two modules: `_support`, and `_support_c` beside it."""
    if os.environ.get("ADMIT_PURE") == "1":
        return []
    # Cython finds the C types by the module's full name, so it works on a copy in folders that are called so.
    folder = Path("build/cython/admit/compiler/support")
    shutil.copytree("compiler/support", folder, dirs_exist_ok=True)
    helpers = Extension("admit.compiler.support._support_c", [str(folder / "_support.py")])
    try:
        from Cython.Build import cythonize

        directives = {"annotation_typing": False}
        built = cythonize([helpers], include_path=["build/cython"], force=True, compiler_directives=directives)
    except Exception:  # no Cython, or a text that it refuses
        if REQUIRED:
            raise
        return []
    for extension in built:
        extension.optional = not REQUIRED  # cythonize() drops what it was given
    return built


setup(package_dir=package_dir, packages=packages, ext_modules=extensions())

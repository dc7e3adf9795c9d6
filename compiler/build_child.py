"""Builds one extension module, in a process of its own that `native.build` starts in a private directory.

    python -I build_child.py NAME SUPPORT [LIBRARY ...]

makes an extension module of the Cython text NAME.pyx in the working directory, with the header and declarations in
SUPPORT. Cython and setuptools are found as usual, or in a LIBRARY. Steps are written to stdout, all else to stderr.
Ends with one of the statuses below.

Imports: nothing of admit; Cython and setuptools when it runs.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

FLAGS = ("-O2", "-g0")
CPU_SECONDS = 120
"""Processor time that Cython may take for one module, and then the C compiler."""
MEMORY_BYTES = 2 << 30
"""Address space of each process that takes part."""

CYTHON_FAILED = 3
COMPILE_FAILED = 4
NO_COMPILER = 5


def main(name: str, support: str, *libraries: str) -> int:
    """Build; gives the exit status."""
    limit_resources()
    steps = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    sys.path += [library for library in libraries if library not in sys.path]

    print("cython", file=steps)
    if not to_c(name, support):
        return CYTHON_FAILED
    print("cc", file=steps)
    if to_extension(name, support):
        return 0
    Path("probe.c").write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n", "ascii")
    return COMPILE_FAILED if to_extension("probe", support) else NO_COMPILER


def limit_resources() -> None:
    """Bound this process, and each that it starts, where the system can."""
    try:
        import resource
    except ImportError:
        return
    for kind, limit in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        try:
            resource.setrlimit(kind, (bound, bound))
        except (OSError, ValueError):  # macOS knows no limit of address space
            continue


def to_c(name: str, support: str) -> bool:
    """Make NAME.c of NAME.pyx, without the text as comments in it."""
    compiler = import_module("Cython.Compiler.Main")
    options = compiler.CompilationOptions(include_path=[support], compiler_directives={"emit_code_comments": False})
    return not compiler.compile(f"{name}.pyx", options).num_errors


def to_extension(name: str, support: str) -> bool:
    """Make an extension module of NAME.c, beside it."""
    setuptools = import_module("setuptools")
    errors = import_module("setuptools.errors")
    extension = setuptools.Extension(name, [f"{name}.c"], include_dirs=[support], extra_compile_args=list(FLAGS))
    distribution = setuptools.Distribution({"name": name, "ext_modules": [extension]})
    command = distribution.get_command_obj("build_ext")
    command.build_lib = command.build_temp = "."
    command.ensure_finalized()
    try:
        command.run()
    except (errors.CompileError, errors.LinkError) as error:
        print(error, file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

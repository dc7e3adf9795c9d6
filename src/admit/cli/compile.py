"""`admit compile`: a catalog as an importable package of validators.

Imports: catalog, errors, progress; inputs, output; compiler (when run).
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ..catalog import AdmittedCatalog
from ..errors import AdmitError
from ..progress import bar
from . import output
from .inputs import AsJson, CatalogPath, LimitValues, ProfileName, read_catalog, same

Policy = Literal["reject", "quarantine"]

EXAMPLE = "admit compile tools.json -o tool_validators"


def compile(
    catalog: CatalogPath,
    directory: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Directory of the package; its name is the package's.")
    ],
    native: Annotated[bool, typer.Option("--native/--no-native", help="Build with Cython and the C compiler.")] = True,
    on_unsupported: Annotated[
        Policy, typer.Option(help="A tool that is not accepted stops the command, or is left out.")
    ] = "reject",
    force: Annotated[bool, typer.Option("--force", help="Write to DIR though it holds other files.")] = False,
    profile: ProfileName = "core",
    limit: LimitValues = None,
    as_json: AsJson = False,
) -> int:
    """Write a catalog as a package of validators.

    Importing it needs neither admit nor a compiler; `admit.load_compiled` makes full Validators of it.

    Exit status: 0 written, 1 refused, 2 something cannot be read or written, 3 Cython or a C compiler is missing on
    this machine, or admit itself failed.
    """
    from ..compiler import package  # loads the compiler

    admitted = _admitted(catalog, on_unsupported, same(profile, limit))
    contracts = {name: validator.contract for name, validator in admitted.items()}
    try:
        with bar() if native and sys.stderr.isatty() else nullcontext() as progress:
            manifest = package.write(contracts, directory, native=native, force=force, progress=progress)
    except (ValueError, OSError) as error:  # the directory's name, what it holds, or the disk
        raise output.UsageError(_problem(error, directory)) from None
    if as_json:
        rejected = {name: refusal.to_dict() for name, refusal in admitted.rejected.items()}
        output.as_json({"directory": str(directory), "manifest": manifest, "rejected": rejected})
        return output.ACCEPTED
    for name, refusal in admitted.rejected.items():
        output.line(f"left out {name}: {refusal.message}")
    home = directory.resolve()
    tiers = Counter(entry["tier"] for entry in manifest["tools"].values())
    counts = " and ".join(f"{count} {tier}" for tier, count in tiers.items())
    output.line(f"wrote {counts} validator{'s' if len(manifest['tools']) != 1 else ''} to {directory}")
    for name, entry in manifest["tools"].items():
        if native and entry["tier"] != "native":
            output.line(f"{name} is not native: {entry['tier_reason']}")
    output.line(f"to use them, with {home.parent} on sys.path: import {home.name}")
    output.line(f'or, where admit is installed: admit.load_compiled("{home.name}")')
    return output.ACCEPTED


def _problem(error: ValueError | OSError, directory: Path) -> str:
    if isinstance(error, FileExistsError) and not error.strerror and directory.is_dir():
        return f"{error}, or add --force"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or directory} cannot be written: {error.strerror}"
    return str(error)


def _admitted(path: Path, policy: Policy, options: dict[str, Any]) -> AdmittedCatalog:
    """The catalog in a file, checked. Raises an AdmitError where the policy or the lack of any tool leaves nothing."""
    catalog = read_catalog(path)
    if not catalog:
        raise output.UsageError(f"{path} has no tools: there is nothing to compile")
    admitted = catalog.admit("quarantine", tier="reference", **options)
    if admitted and (policy == "quarantine" or not admitted.rejected):
        return admitted
    try:
        return catalog.admit("reject", tier="reference", **options)
    except AdmitError as error:
        way_out = "; `--on-unsupported quarantine` leaves such tools out" if admitted else ""
        raise type(error)(f"{error.message}{way_out}", **error.details) from None

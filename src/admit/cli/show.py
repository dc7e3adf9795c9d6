"""`admit show`: what a tool's schema is at each stage of its compilation.

Imports: contract, errors; inputs, output; compiler (when run).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any, Literal

import typer

from ..contract import Contract
from ..errors import ExecutionError
from . import output
from .inputs import AsJson, CatalogPath, LimitValues, ProfileName, ToolName, same, validator_of

EXAMPLE = "admit show tools.json --tool read --stage python"

Stage = Literal["contract", "program", "passes", "python", "cython"]
Target = Literal["python", "native"]


def show(
    catalog: CatalogPath,
    tool: ToolName,
    stage: Annotated[Stage, typer.Option(help="The stage.")],
    target: Annotated[
        Target | None,
        typer.Option(help="Whose passes `--stage passes` shows; python unless given.", show_default=False),
    ] = None,
    profile: ProfileName = "core",
    limit: LimitValues = None,
    as_json: AsJson = False,
) -> int:
    """Print one stage of a tool's compilation.

    The contract, the program that it is lowered to, the program after each pass that changes it, the Python text,
    or the Cython text.

    Exit status: 0 printed, 1 the tool is refused, 2 something cannot be read, 3 admit itself failed.
    """
    if target and stage != "passes":
        raise output.UsageError(f"--target goes with --stage passes, not with --stage {stage}")
    contract = validator_of(catalog, tool, same(profile, limit)).contract
    value = _value(contract, stage, target or "python")
    if as_json:
        output.as_json({"tool": tool, "stage": stage, "value": value})
    elif stage == "contract":
        for name, text in value.items():
            output.line(f"{name}: {text}" if isinstance(text, str) else f"{name}:")
            if not isinstance(text, str):
                output.source(json.dumps(text, indent=2), "json")
    elif stage == "passes":
        for step in value:
            output.line(f"after {step['pass']}:")
            output.write(step["program"] + "\n")
        if not value:
            output.line(f"no pass for target {target or 'python'} changes the program")
    else:
        output.source(value, stage if stage != "program" else "text")
    return output.ACCEPTED


def _value(contract: Contract, stage: Stage, target: Target) -> Any:
    """The stage's value, as JSON has it."""
    from ..compiler import compile_python, cython_text, lower  # no other command waits for the compiler
    from ..compiler.program import listing

    match stage:
        case "contract":
            names = ("profile", "root", "digest", "schema_digest", "assertion_digest")
            shown = {name: getattr(contract, name) for name in names}
            return {**shown, "limits": asdict(contract.limits), "schema": contract.schema}
        case "program":
            return listing(lower(contract))
        case "passes":
            return list(_changes(contract, target))
        case "python":
            return compile_python(contract)[1]
        case "cython":
            native = cython_text([contract])
            for reason in native.too_large.values():
                raise ExecutionError(f"the tool has no Cython text: {reason}", limit="native_size")
            return native.text


def _changes(contract: Contract, target: Target) -> Iterator[dict[str, str]]:
    """The passes that change the program, with what it is after them."""
    from ..compiler import lower, passes
    from ..compiler.program import listing

    program = lower(contract)
    for change in passes.PYTHON if target == "python" else passes.NATIVE:
        before, program = program, change(program)
        if program != before:
            yield {"pass": change.__name__, "program": listing(program)}

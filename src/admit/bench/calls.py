"""The calls that are timed: those of a file that are valid, or one of our own for each tool.

Imports: catalog, contract, reference, json_text, limits, errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..catalog import Catalog
from ..contract import Contract, check
from ..errors import AdmitError, SchemaError
from ..json_text import JSONTextError, decode
from ..limits import Limits
from ..reference import verdict

SAMPLES: Mapping[str, Any] = {"string": "words", "integer": 7, "number": 1.5, "boolean": True}


def from_file(path: Path, catalog: Catalog) -> dict[str, list[Any]]:
    """The valid calls of a file, `{"calls": [{"tool": …, "arguments": …}]}`, by tool.

    Raises SchemaError where the file holds no calls, OSError where it cannot be read.
    """
    try:
        document = decode(path.read_bytes(), limits=Limits())
        rows = [(row["tool"], row["arguments"]) for row in document["calls"]]
    except JSONTextError as error:
        raise SchemaError(f"{path} is not JSON: {error.reason}") from None
    except (KeyError, TypeError):
        raise SchemaError(f'{path} holds no calls; it should hold {{"calls": [{{"tool", "arguments"}}]}}') from None
    accepted = _accepted(catalog)
    calls: dict[str, list[Any]] = {}
    for tool, arguments in rows:
        if tool in accepted and verdict(accepted[tool], arguments):
            calls.setdefault(tool, []).append(arguments)
    return calls


def made_up(catalog: Catalog) -> dict[str, list[Any]]:
    """One valid call of each tool that takes one of ours: all that the schema declares, with plain values."""
    samples = {name: (contract, sample(contract.document)) for name, contract in _accepted(catalog).items()}
    return {name: [arguments] for name, (contract, arguments) in samples.items() if verdict(contract, arguments)}


def sample(schema: Mapping[str, Any]) -> Any:
    """A value for a schema of profile `core`; the first alternative of a union."""
    if "oneOf" in schema:
        return sample(schema["oneOf"][0])
    kind = schema.get("type", "object")
    if kind == "object":
        return {name: sample(member) for name, member in schema.get("properties", {}).items()}
    if kind == "array":
        return [sample(schema["items"])] * 2 if "items" in schema else []
    return max(SAMPLES[kind], schema["minimum"]) if "minimum" in schema else SAMPLES[kind]


def _accepted(catalog: Catalog) -> dict[str, Contract]:
    contracts = {}
    for tool in catalog:
        try:
            contracts[tool.name] = check(tool.schema)
        except AdmitError:
            continue
    return contracts

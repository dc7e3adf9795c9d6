"""The engines that are compared: how each makes its verdict function, at its best.

Imports: the engine that is asked for, and nothing else.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .. import __version__

Verdicts = Mapping[str, Callable[[Any], Any]]
"""Tool name to a function of the arguments."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine: its name in the tables, the distribution it comes from, and how it compiles a catalog."""

    name: str
    distribution: str
    compile: Callable[[Mapping[str, Any]], Verdicts]

    def version(self) -> str | None:
        """The installed version; None where it is not installed."""
        if self.distribution == "admit":
            return __version__
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None


def _admit(tier: str) -> Callable[[Mapping[str, Any]], Verdicts]:
    def compile_all(schemas: Mapping[str, Any]) -> Verdicts:
        import admit

        admitted = admit.load_catalog(dict(schemas)).admit(tier="python" if tier == "native" else tier)  # type: ignore[arg-type]
        if tier == "native":
            admitted.build()
        return {name: validator.is_valid for name, validator in admitted.items()}

    return compile_all


def _each(module: str, make: Callable[[Any, Any], Callable[[Any], Any]]) -> Callable[[Mapping[str, Any]], Verdicts]:
    def compile_all(schemas: Mapping[str, Any]) -> Verdicts:
        library = importlib.import_module(module)
        return {name: make(library, schema) for name, schema in schemas.items()}

    return compile_all


def _nothing(schemas: Mapping[str, Any]) -> Verdicts:
    """A function of the interpreter's own that does next to nothing: what calling costs."""
    return dict.fromkeys(schemas, callable)


ENGINES = {
    engine.name: engine
    for engine in (
        Engine("admit native", "admit", _admit("native")),
        Engine("admit python", "admit", _admit("python")),
        Engine("admit reference", "admit", _admit("reference")),
        Engine("jsonschema-rs", "jsonschema-rs", _each("jsonschema_rs", lambda m, s: m.validator_for(s).is_valid)),
        Engine(
            "corvus-json-schema-rs",
            "corvus-json-schema-rs",
            _each("corvus_json_schema_rs", lambda m, s: m.compile(s).is_valid),
        ),
        Engine("corvus-json-schema", "corvus-json-schema", _each("corvus_json_schema", lambda m, s: m.compile(s))),
        Engine("fastjsonschema", "fastjsonschema", _each("fastjsonschema", lambda m, s: m.compile(s))),
        Engine("jsonschema", "jsonschema", _each("jsonschema", lambda m, s: m.Draft202012Validator(s).is_valid)),
        Engine("empty call", "admit", _nothing),
    )
}

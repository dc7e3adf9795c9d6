"""Many tools at once: `load_catalog` reads their descriptors, `Catalog.admit` decides which of them can be called.

Imports: contract, validator, tiers, progress, json_text, limits, pointer, errors.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeGuard

from .contract import check
from .errors import AdmitError, SchemaError
from .json_text import JSONTextError, decode
from .limits import Limits
from .pointer import pointer, preview
from .progress import Progress, bar
from .tiers import evict
from .validator import Tier, Validator, build_natively, compile

Policy = Literal["reject", "quarantine", "defer"]
"""What becomes of a tool that cannot be admitted."""

POLICIES = ("reject", "quarantine", "defer")

ACCEPTED = (
    'a tools/list result or a list of MCP tools ({"name", "inputSchema"}), Anthropic tools ({"name", "input_schema"}), '
    'OpenAI functions ({"name", "parameters"}), Gemini functionDeclarations, Bedrock toolSpecs, '
    "or an object of tool names and schemas"
)
LISTS = (("tools",), ("result", "tools"), ("toolConfig", "tools"))
"""Where the descriptors are listed in an object that holds more than them."""
GROUPS = ("functionDeclarations", "function_declarations")
"""Where one entry of a list holds several descriptors (Gemini)."""
WRAPPERS = {"toolSpec": "bedrock", "function": "openai"}
"""Keys that an entry may hold its descriptor under, and the format that it is in then."""
SCHEMA_KEYS = {
    "inputSchema": "mcp",
    "input_schema": "anthropic",
    "parameters": "openai",
    "parametersJsonSchema": "gemini",
    "parameters_json_schema": "gemini",
}
"""Keys that a descriptor may hold its schema under, and the format that it is in where nothing else says so."""


@dataclass(frozen=True, slots=True)
class ToolDescriptor:
    """One tool as a catalog declares it."""

    name: str
    schema: Any
    """The schema as written; None where the descriptor has none."""
    descriptor: Any
    """The whole entry, unchanged."""
    format: str
    """`mcp`, `anthropic`, `openai`, `gemini`, `bedrock`, or `schema` for a bare one."""
    location: str
    """JSON Pointer of the entry in the catalog."""
    fault: SchemaError | None = None
    """Why it is not clear which schema the tool has."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """Tools in the order of their declaration; names may occur twice."""

    tools: tuple[ToolDescriptor, ...]

    def __len__(self) -> int:
        return len(self.tools)

    def __iter__(self) -> Iterator[ToolDescriptor]:
        return iter(self.tools)

    def __repr__(self) -> str:
        return f"<admit.Catalog {len(self)} tools>"

    def admit(self, on_unsupported: Policy = "reject", tier: Tier = "auto", **same: Any) -> AdmittedCatalog:
        """Check and compile every tool; `same` are the options of `admit.check`.

        What becomes of a tool that cannot be admitted, whatever its AdmitError, and of all bearers of one name:
        `"reject"` raises one error of the first tool's class for the whole batch, with every tool's error in
        `details["tools"]`; `"quarantine"` leaves the tool out; `"defer"` registers it, and every call of it raises.

        Raises UnavailableError where `tier` is `"native"` and the machine cannot build.
        """
        if on_unsupported not in POLICIES:
            raise ValueError(f"on_unsupported is one of {', '.join(POLICIES)}, not {on_unsupported!r}")
        return AdmittedCatalog(self, on_unsupported, tier, same)


class DeferredValidator(Validator):
    """Stands in for the validator of a tool whose schema was refused: every call raises that error.

    It has no contract.
    """

    __slots__ = ("error",)

    def __init__(self, error: AdmitError) -> None:
        self.error = error
        self.tier, self.tier_reason, self.source = "deferred", error.message, None
        self.is_valid = self._refuse

    def __repr__(self) -> str:
        return f"<admit.DeferredValidator {self.error.code}>"

    def _refuse(self, *arguments: object, **options: object) -> NoReturn:
        raise copy(self.error)  # a fresh exception for every call: each collects a traceback

    validate = failures = is_valid_json = validate_json = failures_json = _refuse


@dataclass(frozen=True, slots=True)
class _Admission:
    """What one catalog came to."""

    tools: tuple[ToolDescriptor, ...]
    validators: Mapping[str, Validator]
    rejected: Mapping[str, AdmitError]

    @property
    def callable(self) -> list[Validator]:
        """The validators that have a contract, each once: tools of one schema share theirs."""
        found = {id(found): found for name, found in self.validators.items() if name not in self.rejected}
        return list(found.values())


class AdmittedCatalog(Mapping[str, Validator]):
    """The validators of the tools that can be called, by name, in the order of the catalog."""

    def __init__(self, catalog: Catalog, policy: Policy, tier: Tier, options: Mapping[str, Any]) -> None:
        self._policy, self._tier, self._options = policy, tier, dict(options)
        self._now = self._admission(catalog, [])

    def __getitem__(self, name: str) -> Validator:
        """Raises KeyError, which says whether the tool was refused or is unknown, and what known names are near."""
        now = self._now
        try:
            return now.validators[name]
        except KeyError:
            raise KeyError(_missing(name, now)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._now.validators

    if not TYPE_CHECKING:  # the types are Mapping's

        def get(self, name, default=None):
            """The validator of a tool, or the default."""
            return self._now.validators.get(name, default)

    def __repr__(self) -> str:
        return f"<admit.AdmittedCatalog {len(self)} tools, {len(self.rejected)} rejected>"

    def __iter__(self) -> Iterator[str]:
        return iter(self._now.validators)

    def __len__(self) -> int:
        return len(self._now.validators)

    # A view that looks every value up through `self` could see two listings where `refresh` comes between.

    def values(self) -> ValuesView[Validator]:
        """The validators, of one listing."""
        return self._now.validators.values()

    def items(self) -> ItemsView[str, Validator]:
        """The names with their validators, of one listing."""
        return self._now.validators.items()

    @property
    def tools(self) -> tuple[ToolDescriptor, ...]:
        """The descriptors of the tools in this mapping, unchanged: what a host lists."""
        return self._now.tools

    @property
    def rejected(self) -> Mapping[str, AdmitError]:
        """Why a tool was refused, by name, in order; a deferred tool is here too."""
        return self._now.rejected

    def build(self, *, progress: Progress | None = None) -> None:
        """Build every validator natively that is not native yet; returns when all are built.

        Raises UnavailableError where Cython or a C compiler is missing.
        """
        _build(self._now, progress)

    def refresh(self, catalog: Catalog) -> None:
        """Take over a new listing, under the options of the first, all at once.

        A tool whose contract is the same keeps its validator; a changed one gets a new one, at the tier that is at
        hand. Raises what `Catalog.admit` raises, and then nothing has changed.
        """
        before, self._now = self._now, self._admission(catalog, self._now.callable)
        used = {validator.contract.digest for validator in self._now.callable}
        for validator in before.callable:
            if validator.contract.digest not in used:
                evict(validator.contract.digest)

    def _admission(self, catalog: Catalog, before: Collection[Validator]) -> _Admission:
        known = {old.contract.digest: old for old in before}
        validators: dict[str, Validator] = {}
        rejected: dict[str, AdmitError] = {}
        bearers = Counter(tool.name for tool in catalog)
        for tool in catalog:
            try:
                validators[tool.name] = self._validator(tool, bearers[tool.name], known)
            except AdmitError as error:
                error.details = {**error.details, "tool": tool.name}
                rejected.setdefault(tool.name, error)
                if self._policy == "defer":
                    validators.setdefault(tool.name, DeferredValidator(error))
        if rejected and self._policy == "reject":
            raise _refusal(rejected, len(catalog))
        kept = tuple(tool for tool in catalog if tool.name in validators)
        admission = _Admission(kept, MappingProxyType(validators), MappingProxyType(rejected))
        if self._tier == "native":
            _build(admission, None)
        return admission

    def _validator(self, tool: ToolDescriptor, bearers: int, known: dict[str, Validator]) -> Validator:
        if bearers > 1:
            raise SchemaError(f"the name {preview(tool.name)} is borne by {bearers} tools")
        if tool.fault:
            raise copy(tool.fault)
        contract = check(tool.schema, **self._options)
        if contract.digest not in known:
            # One module for all: a native catalog is built when every tool has been checked.
            known[contract.digest] = compile(contract, tier="auto" if self._tier == "native" else self._tier)
        return known[contract.digest]


def load_catalog(path_or_object: str | os.PathLike[str] | object) -> Catalog:
    """The tools of a JSON file, or of the object that such a file holds.

    Raises SchemaError where the text is no strict JSON, the shape is not clear or a tool has no name; ExecutionError
    where the text passes a limit; OSError where the file cannot be read.
    """
    value = path_or_object
    if isinstance(value, (str, os.PathLike)):
        try:
            value = decode(Path(value).read_bytes(), limits=Limits())
        except JSONTextError as error:
            raise SchemaError(f"the catalog is not JSON: {error.reason}", location="") from None
    return Catalog(tuple(_tools(value)))


def _tools(value: object) -> Iterable[ToolDescriptor]:
    lists = [((), value), *((keys, _at(value, *keys)) for keys in LISTS)]
    match [(keys, found) for keys, found in lists if _is_list(found)]:
        case [(keys, entries)]:
            return chain.from_iterable(_entry(entry, pointer((*keys, index))) for index, entry in enumerate(entries))
        case [_, *_]:
            raise _unclear(value, "")
    names = [_at(value, "name"), *(_at(value, wrapper, "name") for wrapper in WRAPPERS)]
    if any(isinstance(name, str) for name in names) or any(_is_list(_at(value, group)) for group in GROUPS):
        return _entry(value, "")
    if isinstance(value, Mapping) and all(isinstance(schema, (Mapping, bool, NoneType)) for schema in value.values()):
        return (ToolDescriptor(_name(name, ""), value[name], value[name], "schema", pointer([name])) for name in value)
    raise _unclear(value, "")


def _entry(entry: object, location: str) -> Iterator[ToolDescriptor]:
    """The descriptors in one entry of a list."""
    for group in GROUPS:
        if _is_list(found := _at(entry, group)):
            for index, declared in enumerate(found):
                yield _descriptor(declared, f"{location}/{group}/{index}", "gemini")
            return
    yield _descriptor(entry, location, None)


def _descriptor(entry: object, location: str, group: str | None) -> ToolDescriptor:
    wrapper = None if isinstance(_at(entry, "name"), str) else next(filter(partial(_at, entry), WRAPPERS), None)
    declared = _at(entry, wrapper) if wrapper else entry
    if not isinstance(declared, Mapping):
        raise _unclear(entry, location)
    name = _name(declared.get("name"), location)
    keys = [key for key in SCHEMA_KEYS if declared.get(key) is not None]
    format = WRAPPERS[wrapper] if wrapper else group or (SCHEMA_KEYS[keys[0]] if keys else "mcp")
    schema = declared[keys[0]] if keys else None
    if wrapper == "toolSpec":
        schema = _at(schema, "json")
    fault = SchemaError(f"the tool has {len(keys)} schemas: {' and '.join(keys)}") if len(keys) > 1 else None
    return ToolDescriptor(name, schema, entry, format, location, fault)


def _at(value: object, *keys: str) -> Any:
    """The member at the end of `keys`; None where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, (list, tuple))


def _name(name: object, location: str) -> str:
    if isinstance(name, str) and name:
        return name
    where = location or "the root"
    raise SchemaError(f"a tool has a name, a string that is not empty; none is at {where}", location=location)


def _unclear(value: object, location: str) -> SchemaError:
    found = f"a Python {type(value).__name__}"
    if isinstance(value, Mapping):
        keys = [preview(str(key)) for key in islice(value, 5)]
        found = f"an object with {', '.join(keys)}{' and more' if len(value) > 5 else ''}"
    where = location or "the root"
    return SchemaError(
        f"it is not clear which tools {found}, at {where}, holds; accepted: {ACCEPTED}", location=location
    )


def _refusal(rejected: Mapping[str, AdmitError], total: int) -> AdmitError:
    """One error for a whole batch: the first tool's, with every tool's in its details."""
    first = next(iter(rejected.values()))
    shown = "; ".join(f"{preview(name)}: {error.message}" for name, error in list(rejected.items())[:3])
    more = f"; and {len(rejected) - 3} more" if len(rejected) > 3 else ""
    tools = {name: error.to_dict() for name, error in rejected.items()}
    message = f"{len(rejected)} of {total} tools were refused: {shown}{more}"
    return type(first)(message, **{**first.details, "tools": tools})


def _missing(name: object, admission: _Admission) -> str:
    """Why a name has no validator."""
    if name in admission.rejected:
        return f"{name} was not admitted: see .rejected"
    near = get_close_matches(str(name), [*admission.validators, *admission.rejected])
    return f"no tool {name}" + (f"; did you mean {' or '.join(near)}?" if near else "")


def _build(admission: _Admission, progress: Progress | None) -> None:
    with nullcontext(progress) if progress else bar() as shown:
        build_natively(admission.callable, shown)

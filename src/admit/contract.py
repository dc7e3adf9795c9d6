"""A schema that was accepted whole: `check` makes a `Contract` of it, or says why not, before any argument is seen.

Imports: document, profiles, limits, errors.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import document, profiles
from .errors import ExecutionError, UnsupportedCapabilityError
from .limits import Limits
from .profiles import Profile

SEMANTICS_VERSION = 1
"""Changes when the meaning of an accepted schema changes: a digest then changes too."""


@dataclass(frozen=True, eq=False)
class Contract:
    """An immutable schema under a profile. Made by `check`; two with one `digest` judge alike."""

    document: Any
    """The private copy of the schema, in exact built-in types. Never changed, never handed out."""
    rules: Profile
    root: str
    limits: Limits

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self.rules.name

    @property
    def schema(self) -> Any:
        """The schema as it was checked, as a fresh copy."""
        return copy.deepcopy(self.document)

    @cached_property
    def schema_digest(self) -> str:
        """Digest of the schema alone, whatever the order of its members: what two sides compare."""
        return _digest(canonical_json(self.document, sort_keys=True))

    @cached_property
    def assertion_digest(self) -> str:
        """Digest of what the schema asserts: an edited description leaves it as it is."""
        return _digest(canonical_json(self._assertions(self.document), sort_keys=True))

    @cached_property
    def digest(self) -> str:
        """Digest of all that a compiled validator depends on: the key of every cache."""
        options = {"profile": self.profile, "root": self.root, "instance_depth": self.limits.instance_depth}
        return _digest(f"admit {SEMANTICS_VERSION} {canonical_json(options, sort_keys=True)} {self.text}")

    @cached_property
    def text(self) -> str:
        """The schema in its own order as compact JSON."""
        return canonical_json(self.document, sort_keys=False)

    def keywords(self, schema: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
        """The keywords of one subschema: name, key as written, value, in document order."""
        for key, value in schema.items():
            yield self.rules.aliases.get(key, key), key, value

    def _assertions(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        kept: dict[str, Any] = {}
        for keyword, _, value in self.keywords(schema):
            if keyword in self.rules.annotations:
                continue
            match self.rules.applicators.get(keyword):
                case "one":
                    value = self._assertions(value)
                case "list":
                    value = [self._assertions(item) for item in value]
                case "members":
                    value = {name: self._assertions(member) for name, member in value.items()}
            kept[keyword] = value
        return kept


def check(
    schema: object,
    *,
    profile: str = "core",
    root: str = "object",
    resources: Mapping[str, object] | None = None,
    annotations: Collection[str] = (),
    assert_format: bool = False,
    limits: Limits | Mapping[str, int] | None = None,
) -> Contract:
    """Accept a whole schema under a profile.

    `schema` is read once; what happens to the object later changes nothing. `root` is `"object"`: arguments are
    objects. `resources`, `annotations` and `assert_format` belong to the wider profiles and are refused under `core`.

    Raises UnsupportedCapabilityError where the schema asks for more than the profile has, SchemaError where it is
    malformed, ExecutionError where it passes one of `limits`; TypeError for an unknown limit.
    """
    rules, bounds = profiles.get(profile), Limits.of(limits)
    asked = {"resources": resources, "annotations": annotations, "assert_format": assert_format}
    for option, value in {**asked, "root": root != "object"}.items():
        if value:
            raise UnsupportedCapabilityError(f"option `{option}` is outside profile {profile}", profiles=[])
    try:
        read = document.read(schema, bounds)
        rules.check(read, bounds)
    except RecursionError as error:
        raise ExecutionError("the stack is too deep to check a schema on it", limit="stack") from error
    return Contract(read.root, rules, root, bounds)


def canonical_json(value: Any, *, sort_keys: bool) -> str:
    """`value` as compact ASCII JSON, integers exact whatever their size."""
    try:
        return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"), allow_nan=False)
    except ValueError:  # an integer of more digits than the interpreter converts
        return "".join(_pieces(value, sort_keys))


def _pieces(value: Any, sort_keys: bool) -> Iterator[str]:
    if type(value) is int:
        yield ("-" if value < 0 else "") + decimal_digits(abs(value))
    elif type(value) is list:
        yield "["
        for index, item in enumerate(value):
            yield "," if index else ""
            yield from _pieces(item, sort_keys)
        yield "]"
    elif type(value) is dict:
        yield "{"
        for index, key in enumerate(sorted(value) if sort_keys else value):
            yield ("," if index else "") + json.dumps(key) + ":"
            yield from _pieces(value[key], sort_keys)
        yield "}"
    else:
        yield json.dumps(value, allow_nan=False)


def decimal_digits(number: int) -> str:
    """The decimal digits of a non-negative int of any size, in less than quadratic time."""
    size = number.bit_length() * 3 // 20  # about half of its digits
    if size < 300:
        return str(number)
    high, low = divmod(number, 10**size)
    return decimal_digits(high) + decimal_digits(low).rjust(size, "0")


def _digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()

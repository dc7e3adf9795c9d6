"""A contract with the function that decides it: `compile` makes a `Validator`.

Imports: contract, reference, tiers, json_text, limits, progress, errors; native_tier (when first needed).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Literal, TypeVar

from . import json_text, tiers
from .contract import Contract, check
from .errors import ExecutionError, Failure, ValidationError
from .limits import Limits
from .progress import Progress
from .reference import cut_short, explain
from .tiers import Compiled

Tier = Literal["auto", "reference", "python", "native"]
T = TypeVar("T")

ASKED_FOR = "asked for"


class Validator:
    """Decides arguments by one contract. Shared between threads as it is.

    `is_valid(arguments)` is an attribute that holds the compiled function itself: it returns a bool, and raises
    ExecutionError where a limit is reached. Whoever keeps the function keeps its tier.
    """

    __slots__ = ("contract", "is_valid", "source", "tier", "tier_reason")

    contract: Contract
    is_valid: Callable[[object], bool]
    tier: str
    """`reference`, `python` or `native`."""
    tier_reason: str
    """Why it is that tier."""
    source: str | None
    """The generated text; None at the reference tier."""

    def __init__(self, contract: Contract, compiled: Compiled) -> None:
        self.contract = contract
        self.use(compiled)

    def use(self, compiled: Compiled) -> None:
        """Go over to another tier: from now on `is_valid` is its function."""
        self.tier, self.tier_reason, self.source = compiled.tier, compiled.reason, compiled.source
        self.is_valid = compiled.is_valid

    def __repr__(self) -> str:
        return f"<admit.Validator {self.contract.digest[7:15]} {self.tier}>"

    def validate(self, arguments: T) -> T:
        """The same object, unchanged. Raises ValidationError, or ExecutionError where a limit is reached."""
        if self.is_valid(arguments):
            return arguments
        raise ValidationError(self._explained(arguments, 3))

    def failures(self, arguments: object, *, limit: int = 3) -> list[Failure]:
        """At most `limit` reasons why the arguments are refused, likeliest root cause first; [] when they are valid.

        Raises ExecutionError where a limit is reached.
        """
        if limit < 1:
            raise ValueError("limit must be at least 1")
        return [] if self.is_valid(arguments) else self._explained(arguments, limit)

    def is_valid_json(self, data: json_text.Text) -> bool:
        """Whether JSON text (bytes or str) is unambiguous and holds valid arguments."""
        try:
            arguments = json_text.decode(data, limits=self.contract.limits)
        except json_text.JSONTextError:
            return False
        return self.is_valid(arguments)

    def validate_json(self, data: json_text.Text) -> Any:
        """The arguments that JSON text holds. Raises ValidationError, or ExecutionError where a limit is reached."""
        try:
            arguments = json_text.decode(data, limits=self.contract.limits)
        except json_text.JSONTextError as error:
            raise ValidationError([_text_failure(error)]) from None
        return self.validate(arguments)

    def failures_json(self, data: json_text.Text, *, limit: int = 3) -> list[Failure]:
        """As `failures`, for JSON text; text that is no unambiguous JSON is one failure."""
        try:
            arguments = json_text.decode(data, limits=self.contract.limits)
        except json_text.JSONTextError as error:
            return [_text_failure(error)]
        return self.failures(arguments, limit=limit)

    def _explained(self, arguments: object, limit: int) -> list[Failure]:
        """Reasons for a refusal. The reference gives them; a limit that it meets leaves the refusal standing."""
        try:
            found = explain(self.contract, arguments, limit)
        except ExecutionError as error:
            return [cut_short(error.message)]
        return found or self._judged_again(arguments, limit)

    def _judged_again(self, arguments: object, limit: int) -> list[Failure]:
        """The tiers disagreed: either the arguments changed between them, or one is wrong. Never a pass."""
        copied = private_copy(arguments, self.contract.limits.instance_depth)
        found = explain(self.contract, copied, limit)
        if found and not self.is_valid(copied):
            return found
        raise ExecutionError(
            f"the {self.tier} tier refused what the reference finds valid, or the arguments changed meanwhile",
            digest=self.contract.digest,
            tier=self.tier,
        )


def compile(
    schema: object,
    *,
    tier: Tier = "auto",
    profile: str = "core",
    root: str = "object",
    resources: Mapping[str, object] | None = None,
    annotations: Collection[str] = (),
    assert_format: bool = False,
    limits: Limits | Mapping[str, int] | None = None,
) -> Validator:
    """A validator for a schema under the options of `check`, or for a Contract, which has its own.

    `tier`: `native` builds with Cython and the C compiler, `python` makes plain Python, `reference` interprets; `auto`
    takes a native build that is at hand in the cache and otherwise `python`, and never starts a build.

    Raises what `check` raises, UnavailableError where `native` is asked for without Cython or a C compiler, and
    TypeError where options are given beside a Contract.
    """
    if not isinstance(schema, Contract):
        contract = check(
            schema,
            profile=profile,
            root=root,
            resources=resources,
            annotations=annotations,
            assert_format=assert_format,
            limits=limits,
        )
    elif (profile, root, resources, annotations, assert_format, limits) == ("core", "object", None, (), False, None):
        contract = schema
    else:
        raise TypeError("a Contract has its options already: give them to check")
    match tier:
        case "reference":
            return Validator(contract, tiers.reference(contract, ASKED_FOR))
        case "python":
            return Validator(contract, tiers.python(contract, ASKED_FOR))
        case "native":
            validator = Validator(contract, tiers.python(contract, "not built yet"))
            build_natively([validator])
            return validator
        case "auto":
            from .native_tier import native_at_hand

            at_hand = native_at_hand(contract)
            return Validator(contract, at_hand or tiers.python(contract, "no native build is at hand"))
    raise ValueError(f"a tier is auto, reference, python or native, not {tier!r}")


def build_natively(validators: Iterable[Validator], progress: Progress | None = None) -> None:
    """Make validators native, all at once when all are built; one that cannot be stays as it is, and says why.

    Raises UnavailableError where Cython or a C compiler is missing.
    """
    from . import native_tier

    waiting = [validator for validator in validators if validator.tier != "native"]
    built = native_tier.build([validator.contract for validator in waiting], progress)
    for validator in waiting:
        digest = validator.contract.digest
        if digest in built.compiled:
            validator.use(built.compiled[digest])
        else:
            validator.tier_reason = built.left_out[digest]


def private_copy(value: Any, depth: int) -> Any:
    """Exact dicts and lists copied, everything else as it is. Raises ExecutionError beyond `depth` levels."""
    if type(value) not in (dict, list):
        return value
    if depth < 1:
        raise ExecutionError("the arguments are nested too deep", limit="instance_depth")
    if type(value) is dict:
        return {name: private_copy(member, depth - 1) for name, member in list(value.items())}
    return [private_copy(item, depth - 1) for item in list(value)]


def _text_failure(error: json_text.JSONTextError) -> Failure:
    """The failure of text that is no unambiguous JSON: it is at the whole arguments, and breaks no keyword."""
    message = f"The arguments are not JSON: {error.reason}."
    return Failure("", "", "", "", "", "text that is not JSON", "one JSON object", message)

"""The errors that admit raises, and `Failure`, one reason why arguments were refused.

Every error is an `AdmitError` with a stable `code`, a sentence for people and a mapping of details for programs.

Imports: nothing of admit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

MODEL_TEXT_LIMIT = 4096
"""Characters that `ValidationError.to_model_text` returns at most."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason why an instance breaks its contract.

    The place and the keyword are those of the deepest explained failure: a missing `label` in the nearest branch of a
    `oneOf` is a `required`, with the `oneOf` in its evaluation path.
    """

    instance_location: str
    """JSON Pointer (RFC 6901) into the arguments; it resolves there."""
    keyword_location: str
    """JSON Pointer into the schema, of the keyword as it is written there; it resolves there."""
    evaluation_path: str
    """JSON Pointer of the keywords passed on the way, references included (2020-12 core, section 12.3.2)."""
    keyword: str
    """The keyword that was not met."""
    argument: str
    """The place as the caller knows it: `options[1].label`; empty for the arguments as a whole."""
    received: str
    """What was given, in a few words."""
    permitted: str
    """What the contract asks for there, in a few words."""
    message: str
    """One sentence made of the above."""
    resource: str = ""
    """URI of the schema resource that `keyword_location` points into; empty for the contract's own document."""

    def to_dict(self) -> dict[str, str]:
        """This failure as a JSON object; `resource` only where it is not the contract's own."""
        row = {name: getattr(self, name) for name in self.__slots__ if name != "resource"}
        return {**row, "resource": self.resource} if self.resource else row


class AdmitError(Exception):
    """Base of every error that admit raises about a schema, arguments or the machine.

    `details` holds `location`, `keyword`, `profiles`, `limit` and `tool`, as they apply.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, Any] = {name: value for name, value in details.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """The error as a JSON object: code, message, details."""
        return {"code": self.code, "message": self.message, "details": dict(self.details)}

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message, dict(self.details))


def _rebuild(kind: type[AdmitError], message: str, details: dict[str, Any]) -> AdmitError:
    return kind(message, **details)


class UnsupportedCapabilityError(AdmitError):
    """A well-formed schema asks for a keyword, type, dialect or vocabulary outside the profile."""

    code = "unsupported_capability"


class SchemaError(AdmitError):
    """The schema is malformed, or a reference in it leads nowhere."""

    code = "validation"


class ExecutionError(AdmitError):
    """A limit was reached, or two tiers disagree: the arguments are neither valid nor invalid."""

    code = "execution_failure"


class UnavailableError(AdmitError):
    """Something outside the schema is missing: Cython, a C compiler, an extra, a package for this interpreter."""

    code = "unavailable"


class ValidationError(AdmitError):
    """The arguments break the contract; `failures` says where, likeliest root cause first."""

    code = "validation"

    def __init__(self, failures: Sequence[Failure], **details: Any) -> None:
        self.failures = tuple(failures)
        first = self.failures[0]
        super().__init__(first.message, location=first.instance_location, keyword=first.keyword, **details)

    def __reduce__(self) -> tuple[Any, ...]:
        rest = {name: value for name, value in self.details.items() if name not in ("location", "keyword")}
        return _rebuild_validation, (self.failures, rest)

    def to_dict(self) -> dict[str, Any]:
        """The error as a JSON object, with its failures."""
        return {**super().to_dict(), "failures": [failure.to_dict() for failure in self.failures]}

    def to_basic(self) -> dict[str, Any]:
        """JSON Schema's *basic* output (2020-12 core, section 12.4.2)."""
        return {
            "valid": False,
            "errors": [
                {
                    "keywordLocation": failure.evaluation_path,
                    "absoluteKeywordLocation": f"{failure.resource}#{failure.keyword_location}",
                    "instanceLocation": failure.instance_location,
                    "error": failure.message,
                }
                for failure in self.failures
            ],
        }

    def to_model_text(self) -> str:
        """The refusal as text for the model that made the call: a sentence a line, at most 4 KiB."""
        text = "\n".join(failure.message for failure in self.failures)
        return text if len(text) <= MODEL_TEXT_LIMIT else text[: MODEL_TEXT_LIMIT - 1] + "…"


def _rebuild_validation(failures: tuple[Failure, ...], details: dict[str, Any]) -> ValidationError:
    return ValidationError(failures, **details)

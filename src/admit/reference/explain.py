"""Chooses, of all that is violated, what the caller should read: likeliest root cause first.

Imports: place, errors, messages, pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import Failure
from ..messages import sentence
from ..pointer import argument_name, pointer
from .place import Violation


def explained(found: Iterable[Violation], limit: int) -> list[Failure]:
    """At most `limit` of the violations as failures; a union is explained by the alternative that was meant."""
    flat = [inner for violation in found for inner in deepest(violation)]
    return [failure_of(violation) for violation in flat[:limit]]


def deepest(violation: Violation) -> Iterator[Violation]:
    """The violation itself, or where one alternative of a union was meant, what is violated in that one."""
    meant = [branch for branch in violation.branches if branch and not _is_other_type(violation, branch)]
    if not meant or any(not branch for branch in violation.branches):
        yield violation
        return
    for inner in min(meant, key=len):
        yield from deepest(inner)


def _is_other_type(union: Violation, branch: tuple[Violation, ...]) -> bool:
    return any(inner.keyword == "type" and inner.instance_path == union.instance_path for inner in branch)


def failure_of(violation: Violation) -> Failure:
    """A violation in the words of the table in `messages`."""
    argument = argument_name(violation.instance_path)
    received, permitted, message = sentence(violation.keyword, argument, violation.instance, violation.parameters)
    return Failure(
        instance_location=pointer(violation.instance_path),
        keyword_location=pointer(violation.keyword_path),
        evaluation_path=pointer(violation.evaluation_path),
        keyword=violation.keyword,
        argument=argument,
        received=received,
        permitted=permitted,
        message=message,
    )


def cut_short(reason: str) -> Failure:
    """The failure of arguments that are refused, where a limit was met before any reason was found."""
    return Failure("", "", "", "", "", "arguments that could not be explained", "arguments within the limits", reason)

"""Judges hostile cases in a process of its own: `python -m hostile.judge` under limits of time and memory.

Reads a job from stdin (`tier`, `cases`, `limits`), writes a line of JSON to stdout for each case that was judged:
`{"id", "problems": [...]}`. No line for a case means that the process died of it.

Imports: admit's public names.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import admit
from support.pointers import resolve

from .cases import Case
from .objects import evaluate

REFUSALS = (admit.SchemaError, admit.UnsupportedCapabilityError, admit.ExecutionError)
MAX_S = 20
"""Seconds of CPU time that a case may take."""
MESSAGE_LIMIT, TEXT_LIMIT, FAILURES_LIMIT = 2_048, 4_096, 3
SMALL_STACK, CALLS = 256 * 1024, 100
"""The thread that deep cases are judged in a second time: the bytes of its stack, the calls already on it."""
LOOKED_AT = 20_000
"""Containers in arguments that are compared before and after."""
KEPT: list[Any] = []
"""What was made for a case. The main thread frees it: CPython 3.13 overflows a small stack on freeing what is deep."""
CANARY = "HOSTILE_PWNED", Path("hostile_canary_c")
SENTINEL = {
    "id": "sentinel",
    "schema": {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]},
}
"""What is judged between the cases, to see that they leave nothing behind."""
ACTIVITY = ("exec", "compile", "import", "open", "marshal.", "os.", "pickle.", "socket.", "subprocess.", "ctypes.")
"""Audit events, or how they begin, that no verdict may cause."""

Compile = Callable[[Case], "tuple[Any, Any]"]
"""Gives the schema of a case, and its validator or the error that refused it."""


class Audit:
    """What the interpreter reports while `watching`."""

    def __init__(self) -> None:
        self.on, self.events = False, list[str]()
        sys.addaudithook(self._note)

    def _note(self, event: str, _: object) -> None:
        if self.on and event.startswith(ACTIVITY):
            self.events.append(event)

    @contextlib.contextmanager
    def watching(self) -> Iterator[list[str]]:
        self.events, self.on = [], True
        try:
            yield self.events
        finally:
            self.on = False


AUDIT = Audit()


def attempt(act: Callable[[], Any]) -> Any:
    """What `act` returns or raises, whatever that is."""
    try:
        return act()
    except BaseException as error:
        return error


def made(case: Case) -> Any:
    """The schema of a case, made afresh."""
    KEPT.append(evaluate(case["schema_expr"]) if "schema_expr" in case else json.loads(json.dumps(case["schema"])))
    return KEPT[-1]


def given(check: dict[str, Any]) -> Any:
    """The arguments of a check, made afresh."""
    text = check.get("arguments_json") or json.dumps(check.get("arguments"))
    KEPT.append(evaluate(check["arguments_expr"]) if "arguments_expr" in check else json.loads(text))
    return KEPT[-1]


def fingerprint(value: Any) -> list[tuple[int, ...]]:
    """Which objects a value is made of, and in which order, as far as it is looked at; asks nothing of any of them."""
    marks, seen, left = list[tuple[int, ...]](), set[int](), containers([value])
    while left and len(seen) < LOOKED_AT:
        item = left.pop()
        if id(item) not in seen:
            seen.add(id(item))
            keyed = issubclass(type(item), dict)
            members = [*dict.keys(item), *dict.values(item)] if keyed else list(list.__iter__(item))
            marks.append((id(item), *map(id, members)))
            left += containers(members)
    return marks


def containers(values: list[Any]) -> list[Any]:
    """The dicts and lists among values."""
    kinds = {kind for kind in set(map(type, values)) if issubclass(kind, (dict, list))}
    return [value for value in values if type(value) in kinds] if kinds else []


def verdict(result: Any) -> str:
    """The outcome that `is_valid` gave, in the words of the cases."""
    if isinstance(result, admit.ExecutionError):
        return "refuse"
    return {True: "valid", False: "invalid"}[result] if type(result) is bool else f"neither: {named(result)}"


def named(result: Any) -> str:
    """A result or error, short and safe to print."""
    return ascii(f"{type(result).__name__}: {result}" if is_error(result) else type(result))[:300]


def is_error(result: Any) -> bool:
    """Whether `attempt` gave what was raised; unlike isinstance, asks the object nothing."""
    return issubclass(type(result), BaseException)


def resolves(document: Any, location: str) -> bool:
    """Whether a pointer leads somewhere."""
    try:
        resolve(document, location)
    except Exception:
        return False
    return True


# Each of the following yields what is wrong, as sentences.


def text_problems(what: str, text: str, limit: int) -> Iterator[str]:
    if len(text) > limit:
        yield f"{what} has {len(text)} characters"
    if not text.isprintable():
        yield f"{what} holds control characters: {text[:200]!a}"


def error_problems(error: admit.AdmitError) -> Iterator[str]:
    yield from text_problems("the error's message", error.message, MESSAGE_LIMIT)
    yield from text_problems("the error's str()", str(error), MESSAGE_LIMIT)
    json.dumps(error.to_dict(), allow_nan=False)
    if isinstance(error, admit.ValidationError):
        text = error.to_model_text()
        yield from text_problems("the text for the model", text.replace("\n", " "), TEXT_LIMIT)


def failure_problems(failure: admit.Failure, arguments: Any, schema: Any) -> Iterator[str]:
    for part in ("message", "received", "permitted", "argument"):
        yield from text_problems(f"a failure's {part}", getattr(failure, part), MESSAGE_LIMIT)
    for document, location in ((arguments, failure.instance_location), (schema, failure.keyword_location)):
        if not resolves(document, location):
            yield f"pointer {location[:200]!a} does not resolve"


def explanation_problems(validator: admit.Validator, outcome: str, arguments: Any, schema: Any) -> Iterator[str]:
    """`validate` and `failures` say what `is_valid` said."""
    validated = attempt(partial(validator.validate, arguments))
    failures = attempt(partial(validator.failures, arguments))
    if outcome == "valid":
        if validated is not arguments or failures != []:
            yield f"valid, but validate gave {named(validated)}, failures {named(failures)}"
    elif outcome == "refuse":
        for result in (validated, failures):
            if isinstance(result, admit.ExecutionError):
                yield from error_problems(result)
            else:
                yield f"refused, but explained: {named(result)}"
    elif not isinstance(validated, admit.ValidationError) or not isinstance(failures, list):
        yield f"invalid, but validate gave {named(validated)}, failures {named(failures)}"
    elif not 1 <= len(failures) <= FAILURES_LIMIT:
        yield f"invalid, with {len(failures)} failures"
    else:
        yield from error_problems(validated)
        for failure in (*failures, *validated.failures):
            yield from failure_problems(failure, arguments, schema)


def check_problems(case: Case, check: dict[str, Any], validator: admit.Validator, schema: Any) -> Iterator[str]:
    arguments = given(check)
    before = fingerprint(arguments)
    with AUDIT.watching() as events:
        result = attempt(partial(validator.is_valid, arguments))
    outcome = verdict(result)
    expected = check["expect"]
    if case.get("object_roots_only") and type(arguments) is not dict:
        expected = ["invalid"]
    if outcome not in expected:
        yield f"{outcome}, not {' or '.join(expected)}"
    if events:
        yield f"is_valid caused {events}"
    if outcome in ("valid", "invalid", "refuse"):
        yield from explanation_problems(validator, outcome, arguments, schema)
    if fingerprint(arguments) != before:
        yield "the arguments were changed, or their accessors called"


def sentinel_problems(case: Case, validator: admit.Validator, sentinel: admit.Validator) -> Iterator[str]:
    """Nothing that was asked before stays behind."""
    if (sentinel.is_valid({"a": 1}), sentinel.is_valid({"a": 0})) != (True, False):
        yield "another validator is wrong afterwards"
    for check in case["checks"]:
        if "arguments" in check:
            outcome = verdict(attempt(partial(validator.is_valid, check["arguments"])))
            if outcome not in check["expect"]:
                yield f"{json.dumps(check['arguments'])[:200]} is {outcome} afterwards"


def validator_problems(
    case: Case, schema: Any, validator: admit.Validator, sentinel: admit.Validator, tier: str
) -> Iterator[str]:
    if "ok" not in case["compile"]:
        yield "the schema was accepted"
    if validator.tier != tier and not (case.get("may_stay") and validator.tier_reason):
        yield f"the tier is {validator.tier}: {validator.tier_reason}"
    yield from text_problems("the tier's reason", validator.tier_reason, MESSAGE_LIMIT)
    if validator.source is not None and not validator.source.isascii():
        yield "the generated text is not ASCII"
    if "mutate_expr" in case:
        evaluate(case["mutate_expr"], schema=schema, validator=validator)
    document = validator.contract.schema
    validator.is_valid({})  # once unwatched
    for check in case["checks"]:
        where = str(check.get("arguments_expr") or check.get("arguments_json") or json.dumps(check.get("arguments")))
        found = [*check_problems(case, check, validator, document), *sentinel_problems(case, validator, sentinel)]
        yield from (f"{where[:200]}: {problem}" for problem in found)


def refusal_problems(case: Case, error: Any) -> Iterator[str]:
    if not isinstance(error, REFUSALS):
        yield f"compilation raised {named(error)}"
        return
    if "reject" not in case["compile"]:
        yield f"the schema was refused: {named(error)}"
    if type(error).__name__ != case.get("error", type(error).__name__):
        yield f"refused with {named(error)}, not {case['error']}"
    yield from error_problems(error)


def problems(case: Case, compiled: Compile, sentinel: admit.Validator, tier: str) -> list[str]:
    """All that is wrong with how a case was compiled, or refused, and judged."""
    schema, result = compiled(case)
    if is_error(result):
        found = list(refusal_problems(case, result))
    else:
        found = list(validator_problems(case, schema, result, sentinel, tier))
    variable, file = CANARY
    if os.environ.pop(variable, None) or file.exists():
        file.unlink(missing_ok=True)
        found.append("text of the case was executed")
    return found


def on_small_stack(act: Callable[[], list[str]]) -> list[str]:
    """What `act` gives, called in a thread with a small stack and many calls already on it."""
    results = list[Any]()

    def descend(calls: int) -> None:
        if calls:
            descend(calls - 1)
        else:
            results.append(attempt(act))

    threading.stack_size(SMALL_STACK)
    thread = threading.Thread(target=descend, args=(CALLS,))
    thread.start()
    thread.join()
    threading.stack_size(0)
    (found,) = results
    return [f"on a small stack: {problem}" for problem in ([named(found)] if is_error(found) else found)]


def singly(tier: str) -> Compile:
    """Each case compiled by itself, whenever it is asked for."""

    def compiled(case: Case) -> tuple[Any, Any]:
        schema = made(case)
        return schema, attempt(partial(admit.compile, schema, tier=tier))

    return compiled


def natively(cases: list[Case]) -> Compile:
    """All cases built at once, as a catalog that strangers wrote."""
    compiled = {case["id"]: singly("python")(case) for case in cases}
    tools = [
        {"name": name, "inputSchema": schema}
        for name, (schema, result) in compiled.items()
        if not is_error(result) or isinstance(result, admit.AdmitError)  # any other is reported as it is
    ]
    admitted = admit.load_catalog(tools).admit(on_unsupported="quarantine", tier="python")
    admitted.build()
    validators = {**admitted.rejected, **admitted}
    return lambda case: (compiled[case["id"]][0], validators.get(case["id"], compiled[case["id"]][1]))


def cpu_seconds() -> float:
    """What this process and the compilers it started have used."""
    return sum(os.times()[:4])


def main() -> None:
    job = json.load(sys.stdin)
    for name, limit in job["limits"].items():
        resource.setrlimit(getattr(resource, name), (limit, limit))
    faulthandler.register(signal.SIGPROF, chain=True)  # when the timer is up: where it was, then the end
    tier, cases = job["tier"], job["cases"]
    try:
        compiled = natively([*cases, SENTINEL]) if tier == "native" else singly(tier)
    except admit.UnavailableError as error:
        print(json.dumps({"unavailable": error.message}), flush=True)
        return
    _, sentinel = compiled(SENTINEL)
    since = 0.0 if len(cases) == 1 else cpu_seconds()  # a case that is built alone pays for the build
    for case in cases:
        allowed = case.get("max_s", MAX_S)
        signal.setitimer(signal.ITIMER_PROF, allowed)
        once = partial(problems, case, compiled, sentinel, tier)
        found = once() + (on_small_stack(once) if case.get("stack") else [])
        KEPT.clear()
        since, spent = cpu_seconds(), cpu_seconds() - since
        if spent > allowed:
            found.append(f"{spent:.0f} s of CPU time were used")
        print(json.dumps({"id": case["id"], "problems": found}), flush=True)


if __name__ == "__main__":
    main()

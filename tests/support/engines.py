"""Every engine on one contract, side by side: `Trial.judge` says what they agree on, or which stage departs.

    outside voice ↔ reference ↔ program ↔ each pass ↔ python ↔ native

Each engine is held against the one before it, so a disagreement is named after the stage that lies between them.

Imports: admit; voice, pointers.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from admit import reference
from admit.compiler import compile_python, evaluate, lower, passes
from admit.compiler.program import Program
from admit.compiler.verify import verify
from admit.contract import Contract, check
from admit.errors import ExecutionError, Failure
from strategies.foreign import TOUCHED

from .pointers import is_in_union, resolve
from .voice import Violations, Voice

Judge = Callable[[Any], bool]
Passes = tuple[passes.Pass, ...]
VOICE = Voice()
MANY = 64
"""Failures that are asked for, so that none is left out."""


class Disagreement(AssertionError):
    """Two engines differ; `stage` is the one that changed the verdict."""

    def __init__(self, stage: str, contract: Contract, arguments: object, verdicts: dict[str, Any]) -> None:
        super().__init__(f"{stage} changes the verdict: {verdicts}, {reprlib.repr(arguments)} by {contract.text}")
        self.stage = stage


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages under test that a test may exchange for others."""

    lower: Callable[[Contract], Program] = lower
    python: Passes = passes.PYTHON
    native: Passes = passes.NATIVE
    voice: Voice = field(default=VOICE)


@dataclass(frozen=True, slots=True)
class Engine:
    """One way to a verdict: the stage that makes it, and the engine that it is held against."""

    stage: str
    judge: Judge
    after: str


class Trial:
    """The engines for one schema."""

    def __init__(self, schema: Any, stages: Stages | None = None, native: Judge | None = None, **options: Any) -> None:
        self.schema = schema
        self.contract = check(schema, **options)
        self.stages = stages or Stages()
        self.engines = dict(self._engines(native))

    def _engines(self, native: Judge | None) -> Iterator[tuple[str, Engine]]:
        stages, contract = self.stages, self.contract
        yield "reference", Engine("reference", lambda value: reference.verdict(contract, value), "outside voice")
        programs: dict[Passes, Program] = {(): verify(stages.lower(contract))}
        names = {programs[()]: "program"}
        yield "program", Engine("lower", self._run(programs[()]), "reference")
        for using in _selections(stages):
            before, program = programs[using[:-1]], programs.setdefault(using, verify(using[-1](programs[using[:-1]])))
            if program not in names:
                names[program] = " + ".join(one.__name__ for one in using)
                yield names[program], Engine(f"pass {using[-1].__name__}", self._run(program), names[before])
        whole, *fewer = _all_and_all_but_one(stages.python)
        left_out = fewer[int(contract.digest[-4:], 16) % len(fewer)]  # each pass has its turn among many schemas
        for name, using in {names[programs[using]]: using for using in (whole, left_out)}.items():
            judge, text = compile_python(contract, using)
            yield f"python: {name}", Engine("python", judge, name)
        assert compile_python(contract, using)[1] == text, "the text differs from one emission to the next"
        if native:
            yield "native", Engine("native", native, names[programs[stages.native]])

    @staticmethod
    def _run(program: Program) -> Judge:
        return lambda value: evaluate(program, value)

    def judge(self, arguments: Any) -> bool | None:
        """The verdict of all engines; None where the arguments are beyond a limit and some engine gave up.

        Raises Disagreement where two engines differ, also where one gives up within the limits; AssertionError where
        the arguments are changed, or an explanation points at what is not there.
        """
        before = fingerprint(arguments)
        TOUCHED.clear()
        verdicts = {name: _verdict(engine.judge, arguments) for name, engine in self.engines.items()}
        failures = [] if verdicts["reference"] is None else reference.explain(self.contract, arguments, MANY)
        assert not TOUCHED, f"accessors of foreign values were called: {TOUCHED}"
        assert fingerprint(arguments) == before, f"the arguments were changed: {arguments!r}"
        violations = self.stages.voice.violations(self.schema, arguments)
        verdicts["outside voice"] = not violations
        is_deep = depth(arguments) > self.contract.limits.instance_depth
        beyond = is_deep and None in verdicts.values()
        for name, engine in self.engines.items():
            verdict, held_against = verdicts[name], verdicts["outside voice" if beyond else engine.after]
            if verdict is not held_against and not (beyond and verdict is None):
                raise Disagreement(self._suspect(name, verdicts), self.contract, arguments, verdicts)
        if not self._are_explained(arguments, failures, None if is_deep or len(failures) == MANY else violations):
            raise Disagreement("reference", self.contract, arguments, {"explained": failures, "violated": violations})
        return None if beyond else verdicts["reference"]

    def _suspect(self, name: str, verdicts: dict[str, Any]) -> str:
        """The stage to blame; where reference and program are of one mind, they share what is wrong."""
        shared = name == "reference" and verdicts["reference"] is verdicts["program"]
        return "check" if shared else self.engines[name].stage

    def _are_explained(self, arguments: Any, failures: Sequence[Failure], violations: Violations | None) -> bool:
        """Whether every failure points at what is there, and they are all the violations, where these are given.

        What is wrong in a union is explained in the alternative that was meant, so there it must only be somewhere.
        """
        plain, in_unions = set(), set()
        for failure in failures:
            resolve(arguments, failure.instance_location)
            resolve(self.contract.schema, failure.keyword_location)
            assert failure.message and failure.received and failure.permitted
            unknown = failure.keyword == "additionalProperties"
            place = failure.instance_location.rpartition("/")[0] if unknown else failure.instance_location
            if is_in_union(failure.evaluation_path):
                in_unions.add(place)
            else:
                plain.add((place, failure.keyword))
        if violations is None:
            return True
        unions = {place for place, keyword in violations if keyword == "oneOf"}
        return plain == {(place, keyword) for place, keyword in violations if keyword != "oneOf"} and all(
            any(place.startswith(union) for place in in_unions) for union in unions
        )


def assert_agree(schema: Any, arguments: Sequence[Any], **options: Any) -> list[bool | None]:
    """The verdicts of every engine on each of the arguments; `options` are those of `check`."""
    trial = Trial(schema, **options)
    return [trial.judge(value) for value in arguments]


def _verdict(judge: Judge, arguments: Any) -> bool | None:
    try:
        verdict = judge(arguments)
    except ExecutionError:
        return None
    assert type(verdict) is bool, f"{verdict!r} is no verdict"
    return verdict


def _selections(stages: Stages) -> Iterator[Passes]:
    """The passes of each target, all but each of them, and each alone; before any of these, each beginning of it."""
    whole = [*_all_and_all_but_one(stages.python), *_all_and_all_but_one(stages.native)]
    alone = [(one,) for one in (*stages.python, *stages.native)]
    yield from dict.fromkeys(using[:count] for using in (*whole, *alone) for count in range(1, len(using) + 1))


def _all_and_all_but_one(target: Passes) -> list[Passes]:
    return [target, *(tuple(one for one in target if one is not left_out) for left_out in target)]


def depth(value: Any) -> float:
    """Containers nested in one another; infinite where one contains itself."""
    deepest, level = 0, [value]
    while level := list({id(item): item for item in level if type(item) in (dict, list)}.values()):
        deepest += 1
        if deepest > 10_000:
            return math.inf
        level = [member for item in level for member in (item.values() if type(item) is dict else item)]
    return deepest


def fingerprint(value: Any) -> Any:
    """What must be the same before and after: each object's identity, and what it contains, in order."""
    parts, left, seen = [], [value], set()
    while left:
        item = left.pop()
        inner = _contents(item)
        parts.append((id(item), tuple(map(id, inner))))
        if id(item) not in seen:
            seen.add(id(item))
            left.extend(inner)
    return parts


def _contents(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return [part for pair in dict.items(item) for part in pair]
    return list(list.__iter__(item)) if isinstance(item, list) else []

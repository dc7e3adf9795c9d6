"""A check that cannot fail proves nothing: a bug planted in a stage must be found, and blamed on that stage."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase

from admit.compiler import lower, passes
from admit.compiler.emit import emit
from admit.compiler.print_python import print_python
from admit.compiler.program import (
    JSON_TYPES,
    Always,
    ArrayItems,
    Node,
    NumberAtLeast,
    ObjectMembers,
    OfType,
    Program,
    TypeIs,
    bottom_up,
)
from admit.contract import check
from admit.reference.keywords import KEYWORDS
from strategies.arguments import cases
from strategies.core_schemas import objects
from support.engines import Disagreement, Stages, Trial
from support.samples import each


def blamed(**stages: Any) -> str:
    """The stage that generated schemas and arguments lead to."""

    def agree(case: tuple[dict[str, Any], list[Any]]) -> None:
        schema, arguments = case
        trial = Trial(schema, Stages(**stages))
        for value in arguments:
            trial.judge(value)

    with pytest.raises(Disagreement) as caught:
        each(cases(objects(2), bases=2, edited=6), 1_000, agree, phases=[Phase.generate])
    return caught.value.stage


# Bugs in a program: what a wrong lowering, pass or emission makes of it.


def wrong_bound(node: Node) -> Node:
    return replace(node, bound=node.bound + 1) if isinstance(node, NumberAtLeast) else node


def skipped_items(node: Node) -> Node:
    return replace(node, then=Always(node.at)) if isinstance(node, ArrayItems) else node


def dropped_required(node: Node) -> Node:
    if not isinstance(node, ObjectMembers):
        return node
    return replace(node, members=tuple(replace(member, required=False) for member in node.members))


def true_for_one(node: Node) -> Node:
    if not isinstance(node, (TypeIs, OfType)) or "integer" not in node.types:
        return node
    return replace(node, types=tuple(sorted({*node.types, "boolean"}, key=JSON_TYPES.index)))


BUGS = (wrong_bound, skipped_items, dropped_required, true_for_one)
each_bug = pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)


def with_bug(bug: Callable[[Node], Node], program: Program) -> Program:
    return replace(program, root=bottom_up(program.root, bug))


@each_bug
def test_in_lowering(bug: Callable[[Node], Node]) -> None:
    assert blamed(lower=lambda contract: with_bug(bug, lower(contract))) == "lower"


@pytest.mark.parametrize("target", ["python", "native"])
@each_bug
def test_in_a_pass(bug: Callable[[Node], Node], target: str) -> None:
    whole: tuple[passes.Pass, ...] = {"python": passes.PYTHON, "native": passes.NATIVE}[target]
    last = whole[-1]
    wrong = functools.wraps(last)(lambda program: with_bug(bug, last(program)))
    assert blamed(**{target: (*whole[:-1], wrong)}) == f"pass {last.__name__}"


@each_bug
def test_in_the_emitter(bug: Callable[[Node], Node], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("admit.compiler.emit", lambda program, *rest: emit(with_bug(bug, program), *rest))
    assert blamed() == "python"


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        pytest.param(r" < (\S+):", r" <= \1:", id="wrong_bound"),
        pytest.param(r"( +)(for element\w* in \w+:\n)", r"\1\2\1    return True\n", id="skipped_items"),
        pytest.param(r"if (.+) not in (item\w*|arguments|value\w*):", r"if \1 in ():", id="dropped_required"),
        pytest.param(r"type\((\w+)\) is not int", r"type(\1) is not int and type(\1) is not bool", id="true_for_one"),
    ],
)
def test_in_the_python_printer(pattern: str, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("admit.compiler.print_python", lambda units: re.sub(pattern, wrong, print_python(units)))
    assert blamed() == "python"


def test_in_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.engines.check", lambda schema: check({**schema, "required": []}))
    assert blamed() in ("check", "reference")  # what every engine is handed wrong, only the outside voice notices


# Bugs in the reference: the outside voice tells that the program is right.


def minimum(place: Any, bound: Any) -> Iterable[Any]:
    return KEYWORDS_AS_THEY_ARE["minimum"](place, bound + 1)


def items(place: Any, schema: Any) -> Iterable[Any]:
    shortened = copy.copy(place)
    if type(place.instance) is list:
        shortened.instance = place.instance[:-1]
    return KEYWORDS_AS_THEY_ARE["items"](shortened, schema)


def required(place: Any, names: list[str]) -> Iterable[Any]:
    return KEYWORDS_AS_THEY_ARE["required"](place, names[1:])


def type_(place: Any, expected: str) -> Iterable[Any]:
    return () if expected == "integer" and place.instance is True else KEYWORDS_AS_THEY_ARE["type"](place, expected)


KEYWORDS_AS_THEY_ARE = dict(KEYWORDS)


@pytest.mark.parametrize("bug", [minimum, items, required, type_], ids=lambda bug: bug.__name__.strip("_"))
def test_in_the_reference(bug: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KEYWORDS, bug.__name__.strip("_"), bug)
    assert blamed() == "reference"

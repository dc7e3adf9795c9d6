"""The runner of the hostile cases tells what is wrong, names who killed a process, and goes on after it."""

from __future__ import annotations

from .cases import Case
from .runner import run

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}


def case(**more: object) -> Case:
    good = {"arguments": {"a": 1}, "expect": ["valid"]}
    return {"compile": ["ok"], "schema": SCHEMA, "checks": [good], **more}


def judging(verdict: str) -> Case:
    """A case whose validator gives something else instead of its verdict."""
    return case(mutate_expr=f"setattr(validator, 'is_valid', lambda arguments: {verdict})")


BAD = {
    "wrong verdict": (case(checks=[{"arguments": {"a": "s"}, "expect": ["valid"]}]), "invalid, not valid"),
    "wrong refusal": (case(schema={"$ref": "#"}), "the schema was refused"),
    "wrong acceptance": (case(compile=["reject"]), "the schema was accepted"),
    "wrong error": (case(schema={"$ref": "#"}, compile=["reject"], error="SchemaError"), "not SchemaError"),
    "untyped error": (judging("1 / 0"), "ZeroDivisionError"),
    "no bool": (judging("1"), "neither"),
    "disagreement": (judging("False"), "invalid, but validate gave"),
    "change": (judging("arguments.clear() is None"), "the arguments were changed"),
    "activity": (judging("eval('True')"), "is_valid caused ['compile', 'exec']"),
    "executed": (case(mutate_expr="eval(CODE)"), "text of the case was executed"),
    "small stack": (
        case(mutate_expr="len(__import__('inspect').stack()) < 50 or 1 / 0", stack=True),
        "on a small stack",
    ),
    "crash": (case(mutate_expr="__import__('os').abort()"), "the process died: status -6"),
    "hang": (case(mutate_expr="sum(iter(int, 1))", max_s=1), "the process died: status -27"),
    "memory": (case(mutate_expr="'x' * (4 << 30)"), "MemoryError"),
}


def test_what_is_wrong_is_told() -> None:
    cases = [{**bad, "id": name} for name, (bad, _) in BAD.items()]
    good = [{**case(), "id": f"good {number}"} for number in range(2)]
    outcomes = run("python", [good[0], *cases, good[1]])
    assert {name: found for name, found in outcomes.items() if name.startswith("good")} == {"good 0": [], "good 1": []}
    for name, (_, told) in BAD.items():
        assert any(told in problem for problem in outcomes[name]), (name, outcomes[name])

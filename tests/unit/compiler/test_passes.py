"""Each pass on the smallest program that it changes, and the rules that programs keep."""

from __future__ import annotations

from typing import Any

import pytest

from admit import check
from admit.compiler import lower, passes
from admit.compiler.passes import drop_true, hoist_types, look_up_small_objects, narrow_unions, spread_only_json
from admit.compiler.program import (
    AllOf,
    Always,
    ArrayItems,
    Case,
    ExactlyOne,
    Member,
    Never,
    Node,
    NumberAtLeast,
    ObjectMembers,
    OfType,
    OnlyJson,
    Program,
    TypeIs,
    TypeSwitch,
    listing,
)
from admit.compiler.verify import MalformedProgramError, verify

STRING, OBJECT, ARRAY = TypeIs("", ("string",)), TypeIs("", ("object",)), TypeIs("", ("array",))
OPEN = ObjectMembers("", (Member("a", True, STRING),), Always(""))


def after(apply: passes.Pass, root: Node) -> Node:
    return verify(apply(verify(Program("sha256:0", 256, root)))).root


def test_hoist_types() -> None:
    assert after(hoist_types, AllOf("", (OBJECT, OPEN))) == OfType("", ("object",), OPEN)
    assert after(hoist_types, OfType("", ("object",), AllOf("", (OBJECT, OPEN)))) == OfType("", ("object",), OPEN)
    assert after(hoist_types, AllOf("", (OPEN, OBJECT))) == AllOf("", (OPEN, OBJECT))


def test_narrow_unions() -> None:
    union = ExactlyOne("", (STRING, OfType("", ("object",), OPEN)))
    assert after(narrow_unions, union) == TypeSwitch("", (Case(("object",), OPEN), Case(("string",), Always(""))))


def test_narrow_unions_of_numbers() -> None:
    integer, number = TypeIs("", ("integer",)), TypeIs("", ("number",))
    assert after(narrow_unions, ExactlyOne("", (integer, number))) == TypeSwitch(
        "",
        (Case(("integer",), ExactlyOne("", (Always(""), Always("")))), Case(("number",), Always(""))),
    )


def test_narrow_unions_leaves_untyped_alternatives() -> None:
    union = ExactlyOne("", (STRING, OPEN))
    assert after(narrow_unions, union) == union


def test_spread_only_json() -> None:
    only = OnlyJson("")
    assert after(spread_only_json, AllOf("", (only, STRING))) == STRING
    proved = ObjectMembers("", (Member("a", True, STRING),), OnlyJson(""))
    assert after(spread_only_json, AllOf("", (only, OfType("", ("object",), OPEN)))) == OfType("", ("object",), proved)
    closed = ObjectMembers("", (Member("a", True, STRING),), Never(""))
    assert after(spread_only_json, AllOf("", (only, OfType("", ("object",), closed)))) == OfType(
        "", ("object",), closed
    )
    assert after(spread_only_json, AllOf("", (only, ExactlyOne("", (STRING, STRING))))) == ExactlyOne(
        "", (STRING, STRING)
    )
    bounded = NumberAtLeast("", 1)
    assert after(spread_only_json, AllOf("", (only, OfType("", ("number",), bounded)))) == OfType(
        "", ("number",), bounded
    )
    assert after(spread_only_json, AllOf("", (only, bounded))) == AllOf("", (only, bounded)), "of any other type"
    assert after(spread_only_json, AllOf("", (only, OfType("", ("array",), ArrayItems("", Always("")))))) == OfType(
        "", ("array",), ArrayItems("", only)
    )


def test_drop_true() -> None:
    always = Always("")
    assert after(drop_true, AllOf("", (always, STRING, always))) == STRING
    assert after(drop_true, AllOf("", (AllOf("", (STRING, OBJECT)), ARRAY))) == AllOf("", (STRING, OBJECT, ARRAY))
    assert after(drop_true, OfType("", ("array",), ArrayItems("", always))) == ARRAY
    assert after(drop_true, ArrayItems("", always)) == ArrayItems("", always), "a foreign value fails it"
    assert after(drop_true, ExactlyOne("", (STRING,))) == STRING
    assert after(drop_true, TypeSwitch("", (Case(("string",), always),))) == STRING
    unsaid = ObjectMembers("", (Member("a", False, always), Member("b", True, always)), always)
    assert after(drop_true, unsaid) == ObjectMembers("", (Member("b", True, always),), always)
    closed = ObjectMembers("", (Member("a", False, always),), Never(""))
    assert after(drop_true, closed) == closed, "a name that is allowed is not to be forgotten"


def test_look_up_small_objects() -> None:
    node = after(look_up_small_objects, OPEN)
    assert isinstance(node, ObjectMembers)
    assert node.strategy == "look_up"
    many = ObjectMembers("", tuple(Member(f"p{i}", False, STRING) for i in range(100)), Always(""))
    assert after(look_up_small_objects, many) == many


@pytest.mark.parametrize(
    "root",
    [
        TypeIs("", ()),
        TypeIs("", ("text",)),
        TypeIs("", ("string", "object")),
        TypeIs("no pointer", ("string",)),
        TypeSwitch("", (Case(("string",), Always("")), Case(("string",), Never("")))),
        ObjectMembers("", (Member("a", True, STRING), Member("a", False, STRING)), Always("")),
        ObjectMembers("", (), Always(""), "guess"),  # type: ignore[arg-type]
        ExactlyOne("", ()),
        AllOf("", (STRING, Case(("string",), STRING))),  # type: ignore[arg-type]
    ],
)
def test_verify_refuses(root: Any) -> None:
    with pytest.raises(MalformedProgramError):
        verify(Program("sha256:0", 256, root))


def test_a_listing_names_every_node() -> None:
    program = lower(check({"properties": {"a\r": {"oneOf": [{"type": "array", "items": {"type": "string"}}]}}}))
    text = listing(program)
    for name in ("ObjectMembers", "'a\\r'?:", "OnlyJson", "ExactlyOne", "ArrayItems", "TypeIs string"):
        assert name in text
    assert text.isprintable() or all(line.isprintable() for line in text.split("\n"))

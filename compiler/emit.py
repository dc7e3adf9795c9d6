"""Emission: from a program to the statements of the functions that run it.

Each object and each array of containers becomes a function of its own, so no function is nested deeper than its schema
object is; what is inside a leaf is checked where it is found. A check ends its function at the first fault.

Imports: program, code, statements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from .code import Lit, Mint, Name, plain_pointer
from .program import (
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
    Types,
    TypeSwitch,
    children,
    with_children,
)
from .statements import (
    Arm,
    Block,
    Bound,
    CaseTable,
    Constant,
    Count,
    CountIs,
    End,
    FindCase,
    ForItems,
    ForMembers,
    ForNames,
    Function,
    HasStringNames,
    Holds,
    If,
    IsBelow,
    IsJson,
    IsMissing,
    IsOneOf,
    IsOnlyJson,
    IsType,
    LookUp,
    NameSet,
    Not,
    Note,
    Statement,
    Switch,
    Test,
    Unit,
)

FAIL = End(False)
OBJECT: Types = ("object",)
ARRAY: Types = ("array",)
NUMBERS = {"integer", "number"}
NAMES_WRITTEN_OUT = 50
EXACT = 1 << 53
"""Below this every integer has a float of its own."""


def emit(program: Program, mint: Mint) -> Unit:
    """The functions of a program, with names and literals of `mint`."""
    emitter = _Emitter(program, mint)
    entry = mint.name("is_valid")
    emitter.define(program.root, mint.name("check"), mint.fixed("arguments"), entry)
    return Unit(
        program.digest,
        mint.lit(program.depth_limit),
        entry,
        tuple(emitter.constants),
        tuple(emitter.functions),
    )


@dataclass(slots=True)
class _Emitter:
    program: Program
    mint: Mint
    constants: list[Constant] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    notes: int = 0

    def define(self, node: Node, name: Name, parameter: Name, public: Name | None = None) -> None:
        """A function that tells whether a node holds for its parameter."""
        body = (*self.require(node, parameter, None), End(True))
        self.functions.append(Function(name, parameter, body, public))

    def require(self, node: Node, value: Name, known: Types | None) -> Block:
        """Statements that end the function unless `node` holds for `value`; `known` are the types it may have."""
        match node:
            case Always():
                return ()
            case Never():
                return (FAIL,)
            case TypeIs(types=types):
                return (self.note("type", node.at), *self.of_type(types, value, named=False))
            case OfType(types=types, then=then):
                walked = isinstance(then, ObjectMembers) and types == OBJECT
                test = self.of_type(types, value, named=walked)
                return (self.note("type", node.at), *test, *self.require(then, value, types))
            case TypeSwitch():
                return self.switch_type(node, value)
            case NumberAtLeast():
                below = (If(IsBelow(value, self.bound(node.bound)), (FAIL,)),)
                return (self.note("minimum", node.at), *self.guarded(below, value, known, NUMBERS))
            case ArrayItems():
                return self.guarded(self.items(node, value), value, known, set(ARRAY))
            case ObjectMembers():
                read = self.walk if node.strategy == "walk" else self.look_up
                return self.guarded(read(node, value), value, known, set(OBJECT))
            case AllOf(parts=parts):
                return tuple(statement for part in parts for statement in self.require(part, value, known))
            case ExactlyOne():
                return self.exactly_one(node, value)
            case OnlyJson():
                return (self.note("only JSON", node.at), If(Not(IsOnlyJson(value)), (FAIL,)))

    def note(self, word: str, at: str) -> Note:
        """A comment that says which keyword is checked, and where it stands as far as that may be said."""
        self.notes += 1
        return Note(word, plain_pointer(at) or (f"node {self.notes}" if at else "the root"))

    def of_type(self, types: Types, value: Name, *, named: bool) -> Block:
        """Fail unless the value is of a type; `named`: the member names of an object are looked at by what follows."""
        tested: Block = (If(Not(IsType(value, types)), (FAIL,)),)
        if named or "object" not in types:
            return tested
        names: Block = (If(Not(HasStringNames(value)), (FAIL,)),)
        return (*tested, *(names if types == OBJECT else (If(IsType(value, OBJECT), names),)))

    def guarded(self, body: Block, value: Name, known: Types | None, own: set[str]) -> Block:
        """`body` for values of its own type; any other JSON value passes by, a foreign one fails."""
        if known is not None and own.issuperset(known):
            return body
        types = tuple(name for name in ("object", "array", "number") if name in own)
        return (If(IsType(value, types), body, (If(Not(IsJson(value)), (FAIL,)),)),)

    def bound(self, number: int | float) -> Lit | Name:
        literal = self.mint.lit(number)
        if type(number) is int and abs(number) < EXACT:
            return literal
        self.constants.append(Bound(self.mint.name("bound"), literal))
        return self.constants[-1].name

    def switch_type(self, node: TypeSwitch, value: Name) -> Block:
        block: Block = (FAIL,)
        for case in reversed(node.cases):
            block = (If(IsType(value, case.types), self.case(case, value), block),)
        return (self.note("by type", node.at), *block)

    def case(self, case: Case, value: Name) -> Block:
        """What is left to check for a value of the case's types."""
        names = self.of_type(case.types, value, named=isinstance(case.then, ObjectMembers) and case.types == OBJECT)
        return (*names[1:], *self.require(case.then, value, case.types))

    def items(self, node: ArrayItems, value: Name) -> Block:
        element = self.mint.fixed("element")
        body = self.require_part(node.then, element, loops=0)
        return (self.note("items", node.at), ForItems(value, element, body)) if body else ()

    def require_part(self, node: Node, part: Name, loops: int = 1) -> Block:
        """Statements for a member or an item, by a function of its own where it has more than `loops` to go through."""
        if loops_of(node) > loops:
            return (If(Not(Holds(self.function(node), part)), (FAIL,)),)
        return self.require(node, part, None)

    def function(self, node: Node) -> Name:
        name = self.mint.name("check")
        self.define(node, name, self.mint.fixed("value"))
        return name

    def exactly_one(self, node: ExactlyOne, value: Name) -> Block:
        matches = self.mint.fixed("matches")
        block: list[Statement] = [self.note("oneOf", node.at), Count(matches, start=True)]
        for alternative in node.alternatives:
            test: Test = Holds(self.function(alternative), value)
            if isinstance(alternative, TypeIs) and "object" not in alternative.types:
                test = IsType(value, alternative.types)
            block.append(If(test, (Count(matches, start=False),)))
        return (*block, If(Not(CountIs(matches, self.mint.lit(1))), (FAIL,)))

    def walk(self, node: ObjectMembers, value: Name) -> Block:
        """Go through the members that are there; what must be there is counted."""
        key, item, case, seen = map(self.mint.fixed, ("key", "item", "case", "seen"))
        closed = self.require_part(node.other, item)
        if not node.members and not closed:
            return (self.note("member names", node.at), If(Not(HasStringNames(value)), (FAIL,)))
        arms: dict[tuple[bool, Node], list[str]] = {}
        for member in sorted(node.members, key=lambda member: not member.required):
            arms.setdefault((member.required, alike(member.then)), []).append(member.name)
        body: list[Statement] = [If(Not(IsType(key, ("string",))), (FAIL,))]
        if arms:
            table = self.table(arms.values())
            body += [FindCase(table, key, case), Switch(case, self.arms(node.members, arms, item, seen), closed)]
        else:
            body += closed
        needed = sum(member.required for member in node.members)
        start, end = (Count(seen, start=True),), (If(Not(CountIs(seen, self.mint.lit(needed))), (FAIL,)),)
        note = self.note("members", node.at)
        return (note, *(start if needed else ()), ForMembers(value, key, item, tuple(body)), *(end if needed else ()))

    def table(self, arms: Collection[list[str]]) -> Name:
        """A constant that has, for each name, the number of its arm."""
        table = self.mint.name("cases")
        names = [name for arm in arms for name in arm]
        cases = [index for index, arm in enumerate(arms) for _ in arm]
        if len(names) > NAMES_WRITTEN_OUT:
            self.constants.append(CaseTable(table, self.mint.json(names), self.mint.json(cases)))
        else:
            self.constants.append(CaseTable(table, tuple(map(self.mint.lit, names)), tuple(map(self.mint.lit, cases))))
        return table

    def arms(
        self, members: Iterable[Member], arms: dict[tuple[bool, Node], list[str]], item: Name, seen: Name
    ) -> tuple[Arm, ...]:
        first = {member.name: member.then for member in members}
        return tuple(
            Arm(
                self.mint.lit(index),
                (
                    *((Count(seen, start=False),) if required else ()),
                    *self.require_part(first[names[0]], item),
                ),
            )
            for index, ((required, _), names) in enumerate(arms.items())
        )

    def look_up(self, node: ObjectMembers, value: Name) -> Block:
        """Look at every name, then ask for each member that the schema names."""
        key, item = self.mint.fixed("key"), self.mint.fixed("item")
        string_key = If(Not(IsType(key, ("string",))), (FAIL,))
        others = self.require_part(node.other, item)
        block: list[Statement] = [self.note("members", node.at)]
        if others:
            unnamed: Block = others
            if node.members:
                names = self.mint.name("names")
                self.constants.append(NameSet(names, tuple(self.mint.lit(member.name) for member in node.members)))
                unnamed = (If(Not(IsOneOf(key, names)), others),)
            if others == (FAIL,):
                block.append(ForNames(value, key, (string_key, *unnamed)))
            else:
                block.append(ForMembers(value, key, item, (string_key, *unnamed)))
        else:
            block.append(ForNames(value, key, (string_key,)))
        for member in node.members:
            block += self.member(member, value, item)
        return tuple(block)

    def member(self, member: Member, value: Name, item: Name) -> Block:
        body = self.require_part(member.then, item)
        look_up = LookUp(value, self.mint.lit(member.name), item)
        if not member.required:
            return (look_up, If(Not(IsMissing(item)), body)) if body else ()
        if isinstance(member.then, (TypeIs, OfType, TypeSwitch)):
            return (look_up, *body)  # what stands for a missing member is of no type
        return (look_up, If(IsMissing(item), (FAIL,)), *body)


def loops_of(node: Node) -> int:
    """Loops within loops that a node needs; objects count as many."""
    if isinstance(node, ObjectMembers):
        return 2
    return isinstance(node, ArrayItems) + max((loops_of(inner) for inner in children(node)), default=0)


def alike(node: Node) -> Node:
    """The node without its locations: two members that are checked alike share an arm."""
    return replace(with_children(node, alike), at="")

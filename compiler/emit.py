"""Emission: from a program to the statements of the functions that run it.

Each object and each array of containers becomes a function of its own, so no function is nested deeper than its schema
object is; what is inside a leaf is checked where it is found. A check ends its function at the first fault.

Imports: program, code, statements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

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
)
from .statements import (
    Arm,
    Block,
    Bound,
    CaseTable,
    Constant,
    Count,
    CountIs,
    CountMembers,
    End,
    FindCase,
    ForItems,
    ForMembers,
    Function,
    HasMember,
    HasStringNames,
    Holds,
    If,
    IsBelow,
    IsJson,
    IsObject,
    IsOneOf,
    IsOnlyJson,
    IsType,
    NameSet,
    Not,
    Note,
    Statement,
    Switch,
    Take,
    Test,
    Unit,
)

FAIL = End(False)
OBJECT: Types = ("object",)
ARRAY: Types = ("array",)
NUMBERS = {"integer", "number"}
NAMES_WRITTEN_OUT = 50
"""Names of a constant that stand one by one in the text; more are one string of JSON."""
WORTH_COUNTING = 4
"""Optional members for which it pays to know first whether any member is left."""
EXACT = 1 << 53
"""Below this every integer has a float of its own."""


def emit(program: Program, mint: Mint, nesting: int) -> Unit:
    """The functions of a program, with names and literals of `mint`.

    `nesting`: how many objects and arrays within one another one function goes through; what is deeper is a function of
    its own.
    """
    emitter = _Emitter(mint, nesting)
    entry = mint.name("is_valid")
    emitter.waiting.append(_Wanted(program.root, mint.name("check"), mint.fixed("arguments"), None, entry))
    while emitter.waiting:
        emitter.define(emitter.waiting.pop())
    return Unit(
        program.digest,
        mint.lit(program.depth_limit),
        entry,
        tuple(emitter.constants),
        tuple(reversed(emitter.functions)),
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A function that is called and still to be written: it tells whether a node holds for its parameter."""

    node: Node
    name: Name
    parameter: Name
    known: Types | None
    """The types that the parameter may have."""
    public: Name | None = None


@dataclass(slots=True)
class _Emitter:
    mint: Mint
    nesting: int
    constants: list[Constant] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    """Callers before those they call."""
    waiting: list[_Wanted] = field(default_factory=list)
    bounds: dict[str, Name] = field(default_factory=dict)
    level: int = 0
    """Objects and arrays that the function being written is in."""
    notes: int = 0

    def local(self, kind: str) -> Name:
        """A local name at the present level: `item`, within it `item_2`, and so on."""
        return self.mint.fixed(kind if self.level < 2 else f"{kind}_{self.level}")

    def define(self, wanted: _Wanted) -> None:
        """Write a function; those that it calls wait for their turn."""
        self.level = 0
        body = (*self.require(wanted.node, wanted.parameter, wanted.known), End(True))
        self.functions.append(Function(wanted.name, wanted.parameter, body, wanted.public))

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
                test = self.of_type(types, value, named=_is_walked(then) and types == OBJECT)
                return (self.note("type", node.at), *test, *self.require(then, value, types))
            case TypeSwitch():
                return self.switch_type(node, value)
            case NumberAtLeast():
                below = (If(IsBelow(value, self.bound(node.bound)), (FAIL,)),)
                return (self.note("minimum", node.at), *self.guarded(below, value, known, NUMBERS))
            case ArrayItems():
                return self.guarded(self.inside(self.items, node, value), value, known, set(ARRAY))
            case ObjectMembers():
                names: Block = () if known == OBJECT else (If(Not(HasStringNames(value)), (FAIL,)),)
                read = self.walk if _is_walked(node) else self.look_up
                body = (*(() if _is_walked(node) else names), *self.inside(read, node, value))
                return self.guarded(body, value, known, set(OBJECT))
            case AllOf(parts=parts):
                return tuple(statement for part in parts for statement in self.require(part, value, known))
            case ExactlyOne():
                return self.exactly_one(node, value, known)
            case OnlyJson():
                return (self.note("only JSON", node.at), If(Not(IsOnlyJson(value)), (FAIL,)))

    def note(self, word: str, at: str) -> Note:
        """A comment that says which keyword is checked, and where it stands as far as that may be said."""
        self.notes += 1
        return Note(word, plain_pointer(at) or (f"node {self.notes}" if at else "the root"))

    def of_type(self, types: Types, value: Name, *, named: bool) -> Block:
        """Fail unless the value is of a type; `named`: the member names of an object are looked at by what follows."""
        if types == OBJECT and not named:
            return (If(Not(IsObject(value)), (FAIL,)),)
        tested = If(Not(IsType(value, types)), (FAIL,))
        return (tested,) if named or "object" not in types else (tested, self.string_names(types, value))

    def string_names(self, types: Types, value: Name) -> If:
        """Fail where a value of some types is an object with a member name that is no string."""
        names = If(Not(HasStringNames(value)), (FAIL,))
        return names if types == OBJECT else If(IsType(value, OBJECT), (names,))

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
        text = str(literal)
        if text not in self.bounds:
            self.bounds[text] = self.mint.name("bound")
            self.constants.append(Bound(self.bounds[text], literal))
        return self.bounds[text]

    def switch_type(self, node: TypeSwitch, value: Name) -> Block:
        block: Block = (FAIL,)
        for case in reversed(node.cases):
            block = (If(IsType(value, case.types), self.case(case, value), block),)
        return (self.note("by type", node.at), *block)

    def case(self, case: Case, value: Name) -> Block:
        """What is left to check for a value of the case's types."""
        walked = _is_walked(case.then) and case.types == OBJECT
        names = () if walked or "object" not in case.types else (self.string_names(case.types, value),)
        return (*names, *self.require(case.then, value, case.types))

    def inside(self, read: Callable[[Any, Name], Block], node: Node, value: Name) -> Block:
        """Statements that go through an object or an array, one level further in."""
        self.level += 1
        block = read(node, value)
        self.level -= 1
        return block

    def items(self, node: ArrayItems, value: Name) -> Block:
        element = self.local("element")
        body = self.require_part(node.then, element)
        return (self.note("items", node.at), ForItems(value, element, body)) if body else ()

    def require_part(self, node: Node, part: Name) -> Block:
        """Statements for a member or an item: by a function of its own where it would be nested too deep."""
        if not fits(node, self.nesting - self.level):
            return (If(Not(Holds(self.function(node), part)), (FAIL,)),)
        return self.require(node, part, None)

    def function(self, node: Node, known: Types | None = None) -> Name:
        """The name of a function that tells whether a node holds."""
        name = self.mint.name("check")
        self.waiting.append(_Wanted(node, name, self.mint.fixed("value"), known))
        return name

    def exactly_one(self, node: ExactlyOne, value: Name, known: Types | None) -> Block:
        """Count the alternatives that hold; a second one ends it."""
        matches = self.local("matches")
        again = If(CountIs(matches, self.mint.lit(1)), (FAIL,))
        block: list[Statement] = [self.note("oneOf", node.at), Count(matches, "zero")]
        for index, alternative in enumerate(node.alternatives):
            counted: Block = (*((again,) if index else ()), Count(matches, "up"))
            block += counted if isinstance(alternative, Always) else [If(self.test(alternative, value, known), counted)]
        return (*block, If(CountIs(matches, self.mint.lit(0)), (FAIL,)))

    def test(self, node: Node, value: Name, known: Types | None) -> Test:
        """Whether a node holds, as a test: by a function of its own where it takes more than one."""
        if isinstance(node, TypeIs) and "object" not in node.types:
            return IsType(value, node.types)
        if isinstance(node, NumberAtLeast) and known and NUMBERS.issuperset(known):
            return Not(IsBelow(value, self.bound(node.bound)))
        return Holds(self.function(node, known), value)

    def walk(self, node: ObjectMembers, value: Name) -> Block:
        """Go through the members that are there; what must be there is counted."""
        key, item, case, seen = map(self.local, ("key", "item", "case", "seen"))
        closed = self.require_part(node.other, item)
        if not node.members and not closed:
            return (self.note("member names", node.at), If(Not(HasStringNames(value)), (FAIL,)))
        arms: dict[tuple[bool, str], list[str]] = {}
        for member in sorted(node.members, key=lambda member: not member.required):
            arms.setdefault((member.required, alike(member.then) or f"member {member.name}"), []).append(member.name)
        body: list[Statement] = [If(Not(IsType(key, ("string",))), (FAIL,))]
        if arms:
            table = self.table(arms.values())
            body += [FindCase(table, key, case), Switch(case, self.arms(node.members, arms, item, seen), closed)]
        else:
            body += closed
        needed = sum(member.required for member in node.members)
        start, end = (Count(seen, "zero"),), (If(Not(CountIs(seen, self.mint.lit(needed))), (FAIL,)),)
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
        self, members: Iterable[Member], arms: dict[tuple[bool, str], list[str]], item: Name, seen: Name
    ) -> tuple[Arm, ...]:
        first = {member.name: member.then for member in members}
        return tuple(
            Arm(
                self.mint.lit(index),
                (
                    *((Count(seen, "up"),) if required else ()),
                    *self.require_part(first[names[0]], item),
                ),
            )
            for index, ((required, _), names) in enumerate(arms.items())
        )

    def look_up(self, node: ObjectMembers, value: Name) -> Block:
        """Ask for each member that the schema names, first for those that must be there. All names are strings."""
        left = self.local("left")
        others = self.others(node, value)
        needed = [member for member in node.members if member.required]
        optional = [member for member in node.members if not member.required]
        rest: list[Statement] = []
        for member in optional:
            body = (*((Count(left, "down"),) if others else ()), *self.taken(member, value))
            rest += [If(HasMember(value, self.mint.lit(member.name)), body)] if body else []
        if others:
            rest.append(If(Not(CountIs(left, self.mint.lit(0))), others) if optional else others[0])
        if others or len(optional) >= WORTH_COUNTING:
            some_left = If(Not(CountIs(left, self.mint.lit(0))), tuple(rest))
            rest = [CountMembers(left, value, self.mint.lit(len(needed))), some_left]
        return (
            self.note("members", node.at),
            *(statement for member in needed for statement in self.needed(member, value)),
            *rest,
        )

    def needed(self, member: Member, value: Name) -> Block:
        missing = If(Not(HasMember(value, self.mint.lit(member.name))), (FAIL,))
        return (missing, *self.taken(member, value))

    def taken(self, member: Member, value: Name) -> Block:
        item = self.local("item")
        body = self.require_part(member.then, item)
        return (Take(value, self.mint.lit(member.name), item), *body) if body else ()

    def others(self, node: ObjectMembers, value: Name) -> Block:
        """What is done where members are left that the schema does not name."""
        key, item = self.local("key"), self.local("item")
        body = self.require_part(node.other, item)
        if not body or body == (FAIL,):
            return body
        if node.members:
            names = self.mint.name("names")
            self.constants.append(NameSet(names, tuple(self.mint.lit(member.name) for member in node.members)))
            body = (If(Not(IsOneOf(key, names)), body),)
        return (ForMembers(value, key, item, body),)


def _is_walked(node: Node) -> bool:
    return isinstance(node, ObjectMembers) and node.strategy == "walk"


def fits(node: Node, levels: int) -> bool:
    """Whether a node goes through at most so many objects and arrays within one another; alternatives are functions."""
    levels -= isinstance(node, (ObjectMembers, ArrayItems))
    return levels >= 0 and (isinstance(node, ExactlyOne) or all(fits(inner, levels) for inner in children(node)))


def alike(node: Node) -> str | None:
    """What a node checks, where it looks at the value alone: members that are checked alike share an arm. Else None.

    A string, because the hashes of strings cannot be chosen.
    """
    if not is_leaf(node):
        return None
    own = [str(Lit(node.bound))] if isinstance(node, NumberAtLeast) else []
    types = node.types if isinstance(node, (TypeIs, OfType)) else ()
    if isinstance(node, TypeSwitch):
        types = tuple("+".join(case.types) for case in node.cases)
    inner = [str(alike(child)) for child in children(node)]
    return f"{type(node).__name__}({' '.join([*own, *types, *inner])})"


def is_leaf(node: Node) -> bool:
    """Whether a node looks at a value and not into it."""
    into = (ObjectMembers, ArrayItems, ExactlyOne, OnlyJson)
    return not isinstance(node, into) and all(is_leaf(inner) for inner in children(node))

"""The statements that validators are made of: a small tree over a closed list of primitives.

Each primitive has one meaning, said here; `print_python` writes it as plain Python, `print_cython` as C. A *test* is
true or false; a statement goes on, or ends its function with a verdict.

Imports: code, program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Union

from .code import Lit, Name
from .program import Types


@dataclass(frozen=True, slots=True)
class IsType:
    """The value is of one of the JSON Schema types; of a dict, the names of its members are not looked at."""

    value: Name
    types: Types


@dataclass(frozen=True, slots=True)
class IsObject:
    """The value is an exact dict, and every member name of it is an exact str."""

    value: Name


@dataclass(frozen=True, slots=True)
class HasStringNames:
    """Every member name of the dict is an exact str."""

    value: Name


@dataclass(frozen=True, slots=True)
class IsJson:
    """The value is of a JSON type, member names included; what is under it is not looked at."""

    value: Name


@dataclass(frozen=True, slots=True)
class IsOnlyJson:
    """Neither the value nor anything under it is foreign. Ends the call where it is nested deeper than the limit."""

    value: Name


@dataclass(frozen=True, slots=True)
class IsBelow:
    """The number is below a bound, compared exactly. An integer within ±2**53 stands as it is, others as constants."""

    value: Name
    bound: Lit | Name


@dataclass(frozen=True, slots=True)
class HasMember:
    """The dict has a member of that name."""

    value: Name
    name: Lit


@dataclass(frozen=True, slots=True)
class IsOneOf:
    """The member name is one of a set of names."""

    key: Name
    names: Name


@dataclass(frozen=True, slots=True)
class Holds:
    """Another function's verdict on the value."""

    function: Name
    value: Name


@dataclass(frozen=True, slots=True)
class CountIs:
    """A counter stands at a number."""

    counter: Name
    number: Lit


@dataclass(frozen=True, slots=True)
class Not:
    """The test is false."""

    test: Test


Test = Union[IsType, IsObject, HasStringNames, IsJson, IsOnlyJson, IsBelow, HasMember, IsOneOf, Holds, CountIs, Not]


@dataclass(frozen=True, slots=True)
class Note:
    """A comment: a keyword or a word of admit's, and a location of plain word characters or a node number."""

    word: str
    place: str


@dataclass(frozen=True, slots=True)
class End:
    """End the function with a verdict."""

    verdict: bool


@dataclass(frozen=True, slots=True)
class If:
    """A choice."""

    test: Test
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class ForMembers:
    """Go through the members of a dict."""

    value: Name
    key: Name
    item: Name
    body: Block


@dataclass(frozen=True, slots=True)
class ForItems:
    """Go through the items of a list."""

    value: Name
    item: Name
    body: Block


@dataclass(frozen=True, slots=True)
class Take:
    """Take a member out of a dict that has it."""

    value: Name
    name: Lit
    into: Name


@dataclass(frozen=True, slots=True)
class FindCase:
    """Find the case that a member name has in a table: -1 where it has none. The name is known to be an exact str."""

    table: Name
    key: Name
    into: Name


@dataclass(frozen=True, slots=True)
class Arm:
    """What is done in one case."""

    case: Lit
    body: Block


@dataclass(frozen=True, slots=True)
class Switch:
    """Do what belongs to the case; the arms are numbered from 0."""

    case: Name
    arms: tuple[Arm, ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Count:
    """Set a counter to zero, add one to it, or take one from it."""

    counter: Name
    step: Literal["zero", "up", "down"]


@dataclass(frozen=True, slots=True)
class CountMembers:
    """Set a counter to how many members a dict has beyond a number."""

    counter: Name
    value: Name
    beyond: Lit


Statement = Union[Note, End, If, ForMembers, ForItems, Take, FindCase, Switch, Count, CountMembers]
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function from one value to a verdict. That of a whole program has a `public` name, under which it is called."""

    name: Name
    parameter: Name
    body: Block
    public: Name | None = None


@dataclass(frozen=True, slots=True)
class NameSet:
    """A constant: a set of member names."""

    name: Name
    members: tuple[Lit, ...]


@dataclass(frozen=True, slots=True)
class CaseTable:
    """A constant: member names and the case of each. Long ones are strings of JSON, which cost less to compile."""

    name: Name
    names: tuple[Lit, ...] | Lit
    cases: tuple[Lit, ...] | Lit


@dataclass(frozen=True, slots=True)
class Bound:
    """A constant: a number to compare with."""

    name: Name
    number: Lit


Constant = Union[NameSet, CaseTable, Bound]


@dataclass(frozen=True, slots=True)
class Unit:
    """The functions and constants of one program, and the name that answers for it."""

    digest: str
    depth_limit: Lit
    entry: Name
    constants: tuple[Constant, ...]
    functions: tuple[Function, ...]
    """Called ones before their callers; the public one is last."""


def inner_blocks(statement: Statement) -> Iterator[Block]:
    """The blocks directly inside a statement."""
    match statement:
        case If(then=then, otherwise=otherwise):
            yield then
            yield otherwise
        case ForMembers(body=body) | ForItems(body=body):
            yield body
        case Switch(arms=arms, otherwise=otherwise):
            yield from (arm.body for arm in arms)
            yield otherwise


def size(block: Block) -> int:
    """How many statements a block has, inner ones included; notes do not count."""
    own = sum(not isinstance(statement, Note) for statement in block)
    return own + sum(size(inner) for statement in block for inner in inner_blocks(statement))

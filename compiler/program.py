"""The program: what a contract asserts, as a closed set of frozen nodes named for their meaning.

A node judges one value and holds or fails. A value that is no JSON fails every node but `Always`. Nodes are data only;
a strategy is a field, and a fact (this value is an object) is where a node stands: under `OfType` or in a case of a
`TypeSwitch`. `at` is the location in the schema of the keyword that the node comes from.

Imports: nothing of admit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Union

JSON_TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
Types = tuple[str, ...]
"""JSON Schema types, in the order of `JSON_TYPES`; `number` includes `integer`."""


@dataclass(frozen=True, slots=True)
class Always:
    """Holds, for any value; the value is not looked at."""

    at: str


@dataclass(frozen=True, slots=True)
class Never:
    """Fails, for any value."""

    at: str


@dataclass(frozen=True, slots=True)
class TypeIs:
    """Holds if the value is of one of the types."""

    at: str
    types: Types


@dataclass(frozen=True, slots=True)
class OfType:
    """Holds if the value is of one of the types and `then` holds for it."""

    at: str
    types: Types
    then: Node


@dataclass(frozen=True, slots=True)
class Case:
    """What must hold for a value of some types."""

    types: Types
    then: Node


@dataclass(frozen=True, slots=True)
class TypeSwitch:
    """Holds if the first case that has the value's type holds for it; fails where no case has it."""

    at: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class NumberAtLeast:
    """Holds for other values than numbers, and for numbers that are not below `bound`."""

    at: str
    bound: int | float


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object: its name, whether it must be there, and what must hold for its value."""

    name: str
    required: bool
    then: Node


Strategy = Literal["walk", "look_up"]
"""How an object is read: go through the members that are there, or ask for each name."""


@dataclass(frozen=True, slots=True)
class ObjectMembers:
    """Holds for other values than objects, and for objects whose members hold, the named ones and all `other` ones."""

    at: str
    members: tuple[Member, ...]
    other: Node
    strategy: Strategy = "walk"


@dataclass(frozen=True, slots=True)
class ArrayItems:
    """Holds for other values than arrays, and for arrays for each of whose items `then` holds."""

    at: str
    then: Node


@dataclass(frozen=True, slots=True)
class AllOf:
    """Holds if all parts hold."""

    at: str
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ExactlyOne:
    """Holds if exactly one of the alternatives holds."""

    at: str
    alternatives: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OnlyJson:
    """Holds if neither the value nor anything under it is foreign: what no failure of a part may turn into a pass."""

    at: str


Node = Union[
    Always,
    Never,
    TypeIs,
    OfType,
    TypeSwitch,
    NumberAtLeast,
    ObjectMembers,
    ArrayItems,
    AllOf,
    ExactlyOne,
    OnlyJson,
]


@dataclass(frozen=True, slots=True)
class Program:
    """What one contract asserts about its root value, with what is needed to run it apart from the contract."""

    digest: str
    depth_limit: int
    """Containers nested in one another, where a value is looked into for foreign ones."""
    root: Node


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node, in order."""
    for field in fields(node):
        value = getattr(node, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, (Case, Member)):
                yield item.then
            elif hasattr(item, "at"):
                yield item


def with_children(node: Node, inner: Iterable[Node]) -> Node:
    """The node with others in place of those directly inside it, in their order; itself where they are the same."""
    following = iter(inner)
    changed: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            new: Any = tuple([_exchanged(item, following) for item in value])
            if any(one is not other for one, other in zip(new, value, strict=True)):
                changed[field.name] = new
        else:
            new = _exchanged(value, following)
            if new is not value:
                changed[field.name] = new
    return replace(node, **changed) if changed else node


def _exchanged(item: Any, following: Iterator[Node]) -> Any:
    if isinstance(item, (Case, Member)):
        then = next(following)
        return item if then is item.then else replace(item, then=then)
    return next(following) if hasattr(item, "at") else item


def bottom_up(root: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with `change` applied to every node, innermost first. No recursion: schemas may be deep."""
    result: list[Node] = []
    stack: list[tuple[Node, list[Node], list[Node], list[Node]]] = [(root, list(children(root)), result, [])]
    while stack:
        node, waiting, siblings, done = stack[-1]
        if len(done) < len(waiting):
            following = waiting[len(done)]
            stack.append((following, list(children(following)), done, []))
        else:
            stack.pop()
            siblings.append(change(with_children(node, done)))
    return result[0]


def listing(program: Program) -> str:
    """The program as indented text, a node a line: what `admit show` prints."""
    lines = [f"program {program.digest}"]

    def add(node: object, depth: int) -> None:
        assert hasattr(node, "at")
        label = type(node).__name__
        shown = []
        inner: list[tuple[str, Node]] = []
        for field in fields(node):  # type: ignore[arg-type]
            value = getattr(node, field.name)
            items = value if isinstance(value, tuple) else (value,)
            if field.name == "at":
                continue
            if items and hasattr(items[0], "at"):
                inner += [(field.name if not isinstance(value, tuple) else "", item) for item in items]
            elif items and isinstance(items[0], Case):
                inner += [(" ".join(case.types), case.then) for case in items]
            elif items and isinstance(items[0], Member):
                inner += [(ascii(member.name) + ("" if member.required else "?"), member.then) for member in items]
            elif value != ():
                shown.append(" ".join(map(str, items)) if field.name == "types" else f"{field.name}={value!r}")
        lines.append("  " * depth + " ".join([label, *shown]) + f"  @ {ascii(node.at)[1:-1] or '/'}")
        for role, child in inner:
            if role:
                lines.append("  " * (depth + 1) + f"{role}:")
            add(child, depth + (2 if role else 1))

    add(program.root, 1)
    return "\n".join(lines)

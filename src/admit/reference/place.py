"""Where an evaluation stands: a subschema, the part of the instance it is applied to, and how both were reached.

Imports: contract, semantics, limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional
from weakref import WeakKeyDictionary

from ..contract import Contract
from ..limits import reached
from ..semantics import Path, json_type


class Link(NamedTuple):
    """A path as the steps that were taken last and the path before them: a step costs the same at any depth."""

    before: Optional[Link]  # noqa: UP045  (a NamedTuple evaluates its annotations on Python 3.10)
    steps: Path


def path_of(link: Link | None) -> Path:
    """The steps of a linked path, first step first."""
    parts: list[Path] = []
    while link:
        link, steps = link
        parts.append(steps)
    return tuple(step for part in reversed(parts) for step in part)


@dataclass(frozen=True, slots=True)
class Violation:
    """A keyword that an instance does not meet, with what is needed to explain it."""

    keyword: str
    keyword_path: Path
    evaluation_path: Path
    instance_path: Path
    instance: Any
    parameters: Mapping[str, Any]

    @property
    def branches(self) -> tuple[tuple[Violation, ...], ...]:
        """What is violated in each alternative of a union."""
        return tuple(self.parameters.get("branches", ()))


Rule = Callable[["Place", Any], Iterable["Place"]]
"""A keyword: judges its value at a place, and yields the evaluations it needs done before it goes on."""


@dataclass(frozen=True, slots=True)
class Subschema:
    """One schema object of the contract, its keywords in the order in which they are judged."""

    path: Path
    keys: Mapping[str, str]
    """Keyword to its key as it is written."""
    values: Mapping[str, Any]
    """Keyword to its value."""
    rules: tuple[tuple[str, Rule, Any], ...]


class Evaluation:
    """One judgement of arguments by a contract: the contract's subschemas, and how much is to be found."""

    __slots__ = ("_subschemas", "contract", "keywords", "most")

    def __init__(self, contract: Contract, keywords: Mapping[str, Rule], most: int) -> None:
        self.contract, self.keywords, self.most = contract, keywords, most
        self._subschemas = _met.setdefault(contract, {})

    def subschema(self, schema: Any, parent: Path = (), steps: Path = ()) -> Subschema:
        """The subschema that `schema` is, an object of the contract's document, `steps` below `parent`."""
        known = self._subschemas.get(id(schema))
        if known is None:
            entries = list(self.contract.keywords(schema))
            values = {keyword: value for keyword, _, value in entries}
            rules = tuple((name, rule, values[name]) for name, rule in self.keywords.items() if name in values)
            known = Subschema((*parent, *steps), {keyword: key for keyword, key, _ in entries}, values, rules)
            self._subschemas[id(schema)] = known
        return known


_met: WeakKeyDictionary[Contract, dict[int, Subschema]] = WeakKeyDictionary()
"""The subschemas of each contract that were met so far, by the identity of their objects, which the contract holds."""


class Place:
    """One subschema applied to one part of the instance; `found` takes what is violated."""

    __slots__ = ("depth", "evaluation", "evaluation_path", "found", "instance", "instance_path", "kind", "subschema")

    def __init__(
        self,
        evaluation: Evaluation,
        subschema: Subschema,
        instance: Any,
        found: list[Violation],
        evaluation_path: Link | None = None,
        instance_path: Link | None = None,
        depth: int = 0,
    ) -> None:
        self.evaluation = evaluation
        self.subschema = subschema
        self.instance = instance
        self.kind = json_type(instance)
        self.found = found
        self.evaluation_path = evaluation_path
        self.instance_path = instance_path
        self.depth = depth

    def member(self, keyword: str, *tokens: str, schema: Any, at: str | int) -> Place:
        """The evaluation of a subschema on a member of the instance; what it violates, this place violates."""
        return next(self.members(keyword, *tokens, schema=schema, members=((at, self.instance[at]),)))

    def members(
        self, keyword: str, *tokens: str, schema: Any, members: Iterable[tuple[str | int, Any]]
    ) -> Iterator[Place]:
        """The evaluations of one subschema on several members of the instance, each given with its name or index."""
        limit = self.evaluation.contract.limits.instance_depth
        if self.depth >= limit:
            raise reached("instance_depth", limit, "the nesting of the arguments")
        subschema, path = self._enter(keyword, tokens, schema)
        evaluation, found, before, depth = self.evaluation, self.found, self.instance_path, self.depth + 1
        for token, member in members:
            yield Place(evaluation, subschema, member, found, path, Link(before, (token,)), depth)

    def branch(self, keyword: str, index: int, schema: Any) -> Place:
        """The evaluation of an alternative on the same instance; what it violates is collected apart."""
        subschema, evaluation_path = self._enter(keyword, (index,), schema)
        return Place(self.evaluation, subschema, self.instance, [], evaluation_path, self.instance_path, self.depth)

    def _enter(self, keyword: str, tokens: tuple[str | int, ...], schema: Any) -> tuple[Subschema, Link | None]:
        steps = (self.subschema.keys[keyword], *tokens)
        return self.evaluation.subschema(schema, self.subschema.path, steps), Link(self.evaluation_path, steps)

    def fail(self, keyword: str, *, at: Path = (), instance: Any = None, **parameters: Any) -> None:
        """Record that `keyword` is not met by this place's instance, or by `instance`, a part of it at `at`."""
        key = (self.subschema.keys[keyword],) if keyword in self.subschema.keys else ()
        violation = Violation(
            keyword,
            (*self.subschema.path, *key),
            (*path_of(self.evaluation_path), *key),
            (*path_of(self.instance_path), *at),
            instance if at else self.instance,
            parameters,
        )
        self.found.append(violation)

    @property
    def is_full(self) -> bool:
        """Whether as much was found as is asked for."""
        return len(self.found) >= self.evaluation.most

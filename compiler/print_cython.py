"""Prints statements as Cython: the same primitives, on borrowed references, through `support/admit_native.h`.

Nothing that is printed here runs Python code, so nothing can change or free what is borrowed: the two exceptions, an
error that is raised and the tables made at import, borrow nothing.

Imports: code, statements, program, print_python.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .code import Lit, Name, Vocabulary
from .print_python import ERROR_DOC, ERROR_TEXT, STEPS, TITLE
from .program import Types
from .statements import (
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
    Function,
    HasStringNames,
    Holds,
    If,
    IsBelow,
    IsJson,
    IsObject,
    IsOnlyJson,
    IsType,
    Not,
    Note,
    Statement,
    Switch,
    Test,
    Unit,
    inner_blocks,
)

HEADER = f'''# cython: language_level=3, binding=False, boundscheck=False, wraparound=False, embedsignature=False
"""{TITLE}"""

from json import loads

from admit_native cimport *


class ExecutionError(Exception):
    """{ERROR_DOC}"""


cdef int undecided(int reason) except -1:
    if reason == -2:
        raise MemoryError
    raise ExecutionError("{ERROR_TEXT}")


cdef inline int is_only_json(PyObject *value, Py_ssize_t depth_limit) except -1:
    cdef int answer = admit_is_json(value, depth_limit)
    return answer if answer >= 0 else undecided(answer)
'''

DECLARATIONS = {
    "position": "Py_ssize_t ",
    "index": "Py_ssize_t ",
    "key": "PyObject *",
    "item": "PyObject *",
    "element": "PyObject *",
    "case": "int ",
    "seen": "int ",
    "matches": "int ",
}
"""The C types of a function's locals, by the kind of their names."""

EXACT = {
    "object": "admit_is_object",
    "array": "admit_is_array",
    "string": "admit_is_string",
    "integer": "admit_is_integer",
    "number": "admit_is_number",
    "boolean": "admit_is_boolean",
    "null": "admit_is_null",
}

VOCABULARY = Vocabulary(
    frozenset(EXACT.values())
    | frozenset(f"{kind}{level}" for kind in ("position", "index") for level in ("", "_2", "_3", "_4"))
    | frozenset(
        """
        json loads cimport admit_native ExecutionError Exception MemoryError cdef int bint PyObject Py_ssize_t inline
        noexcept undecided reason is_only_json value depth_limit answer admit_is_json admit_is_json_type
        admit_has_string_names admit_table admit_table_new admit_find admit_bound admit_bound_new admit_below
        admit_below_small admit_descend admit_descend_raising PyDict_Next PyList_GET_SIZE PyList_GET_ITEM
        """.split()
    ),
    frozenset([TITLE, ERROR_DOC, ERROR_TEXT, 0, 1, 2]),
)


def print_cython(units: Sequence[Unit]) -> str:
    """A Cython module with the functions of some programs."""
    parts = [HEADER]
    for unit in units:
        constants = [_constant(constant) for constant in unit.constants]
        if constants:
            parts.append("\n".join(constants) + "\n")
        raising: set[Name] = set()
        for function in unit.functions:
            if _may_raise(function.body, raising):
                raising.add(function.name)
            parts.append(_function(function, unit, raising))
    return "\n\n".join(parts)


def _constant(constant: Constant) -> str:
    match constant:
        case Bound(name=name, number=number):
            return f"cdef admit_bound *{name} = admit_bound_new({number})"
        case CaseTable(name=name, names=names, cases=cases):
            return f"cdef admit_table *{name} = admit_table_new({_list(names)}, {_list(cases)})"
    raise NotImplementedError(f"native code has no use for {type(constant).__name__}")


def _list(items: Sequence[Lit] | Lit) -> str:
    return f"loads({items})" if isinstance(items, Lit) else f"[{', '.join(map(str, items))}]"


def _function(function: Function, unit: Unit, raising: Collection[Name]) -> str:
    kind, convention = ("int", "except -1") if function.name in raising else ("bint", "noexcept")
    lines = [f"cdef {kind} {function.name}(PyObject *{function.parameter}) {convention}:"]
    if function.public:
        lines.append(f"    # contract {unit.digest}")
    used = _locals(function.body)
    lines += [f"    cdef {DECLARATIONS[kind]}{name}" for kind, name in sorted(used)]
    lines += _block(function.body, unit, raising, 1)
    if function.public:
        lines += [
            "",
            "",
            f"def {function.public}({function.parameter}, /):",
            f"    return {function.name}(<PyObject *>{function.parameter}) == 1",
        ]
    return "\n".join(lines) + "\n"


def _may_raise(block: Block, raising: set[Name]) -> bool:
    """Whether a block asks for what can raise: a search that meets the depth limit."""
    return any(
        isinstance(test, IsOnlyJson) or (isinstance(test, Holds) and test.function in raising) for test in _tests(block)
    )


def _tests(block: Block) -> Iterator[Test]:
    for statement in block:
        if isinstance(statement, If):
            yield statement.test.test if isinstance(statement.test, Not) else statement.test
        for inner in inner_blocks(statement):
            yield from _tests(inner)


def _locals(block: Block) -> set[tuple[str, str]]:
    """The names that a block assigns to, with their kinds."""
    found: set[tuple[str, str]] = set()
    for statement in block:
        match statement:
            case ForMembers(key=key, item=item):
                found |= {_kind(key.text), _kind(item.text), _kind(_beside(key, "position"))}
            case ForItems(item=item):
                found |= {_kind(item.text), _kind(_beside(item, "index"))}
            case FindCase(into=name) | Count(counter=name):
                found.add(_kind(name.text))
        for inner in inner_blocks(statement):
            found |= _locals(inner)
    return found


def _kind(name: str) -> tuple[str, str]:
    return name.partition("_")[0], name


def _beside(name: Name, kind: str) -> str:
    """The name of a kind at the level of another name."""
    return kind + name.text[len(_kind(name.text)[0]) :]


def _block(block: Block, unit: Unit, raising: Collection[Name], depth: int) -> Iterator[str]:
    for statement in block:
        yield from _statement(statement, unit, raising, depth)
    if all(isinstance(statement, Note) for statement in block):
        yield "    " * depth + "pass"


def _statement(statement: Statement, unit: Unit, raising: Collection[Name], depth: int) -> Iterator[str]:
    pad = "    " * depth
    match statement:
        case Note(word=word, place=place):
            yield f"{pad}# {word}: {place}"
        case End(verdict=verdict):
            yield f"{pad}return {int(verdict)}"
        case If(test=test, then=then, otherwise=otherwise):
            yield f"{pad}if {_test(test, unit, raising)}:"
            yield from _block(then, unit, raising, depth + 1)
            yield from _else(otherwise, unit, raising, depth)
        case ForMembers(value=value, key=key, item=item, body=body):
            position = _beside(key, "position")
            yield f"{pad}{position} = 0"
            yield f"{pad}while PyDict_Next({value}, &{position}, &{key}, &{item}):"
            yield from _block(body, unit, raising, depth + 1)
        case ForItems(value=value, item=item, body=body):
            index = _beside(item, "index")
            yield f"{pad}{index} = 0"
            yield f"{pad}while {index} < PyList_GET_SIZE({value}):"
            yield f"{pad}    {item} = PyList_GET_ITEM({value}, {index})"
            yield f"{pad}    {index} += 1"
            yield from _block(body, unit, raising, depth + 1)
        case FindCase(table=table, key=key, into=into):
            yield f"{pad}{into} = admit_find({table}, {key})"
        case Switch(case=name, arms=arms, otherwise=otherwise):
            for arm in arms:
                yield f"{pad}{'if' if arm is arms[0] else 'elif'} {name} == {arm.case}:"
                yield from _block(arm.body, unit, raising, depth + 1)
            yield from _else(otherwise, unit, raising, depth)
        case Count(counter=counter, step=step):
            yield f"{pad}{counter} {STEPS[step]}"
        case _:
            raise NotImplementedError(f"native code has no use for {type(statement).__name__}")


def _else(block: Block, unit: Unit, raising: Collection[Name], depth: int) -> Iterator[str]:
    pad = "    " * depth
    if len(block) == 1 and isinstance(block[0], If):
        first, *rest = _statement(block[0], unit, raising, depth)
        yield f"{pad}el{first.lstrip()}"
        yield from rest
    elif block:
        yield f"{pad}else:"
        yield from _block(block, unit, raising, depth + 1)


def _test(test: Test, unit: Unit, raising: Collection[Name]) -> str:
    match test:
        case IsType(value=value, types=types):
            return " or ".join(_is_type(value, types))
        case Not(test=IsType(value=value, types=types)):
            return " and ".join(f"not {text}" for text in _is_type(value, types))
        case IsObject(value=value):
            return f"admit_is_object({value}) and admit_has_string_names({value})"
        case Not(test=IsObject(value=value)):
            return f"not admit_is_object({value}) or not admit_has_string_names({value})"
        case HasStringNames(value=value):
            return f"admit_has_string_names({value})"
        case IsJson(value=value):
            return f"admit_is_json_type({value})"
        case IsOnlyJson(value=value):
            return f"is_only_json({value}, {unit.depth_limit})"
        case IsBelow(value=value, bound=Lit() as bound):
            return f"admit_below_small({value}, {bound})"
        case IsBelow(value=value, bound=bound):
            return f"admit_below({value}, {bound})"
        case Holds(function=function, value=value):
            descend = "admit_descend_raising" if function in raising else "admit_descend"
            return f"{descend}({function}, {value})"
        case CountIs(counter=counter, number=number):
            return f"{counter} == {number}"
        case Not(test=CountIs(counter=counter, number=number)):
            return f"{counter} != {number}"
        case Not(test=inner):
            return f"not {_test(inner, unit, raising)}"
    raise NotImplementedError(f"native code has no use for {type(test).__name__}")


def _is_type(value: Name, types: Types) -> Iterator[str]:
    return (f"{EXACT[name]}({value})" for name in types)

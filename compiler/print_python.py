"""Prints statements as plain Python.

Imports: code, statements, program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .code import Lit, Name, Vocabulary
from .program import Types
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

EMITTER_FORMAT = 1
"""Changes when generated text changes its form: what was built before is then built anew."""

STEPS = {"zero": "= 0", "up": "+= 1", "down": "-= 1"}
EXACT = {"object": "dict", "array": "list", "string": "str", "boolean": "bool"}
ARMS_IN_A_ROW = 8
"""Arms that are tried one after the other; more are told apart by halves."""

TITLE = f"Validators made by admit (emitter format {EMITTER_FORMAT}). Do not edit: make them anew from their schemas."
ERROR_DOC = "Neither valid nor invalid: a limit was reached while the arguments were read."
ERROR_TEXT = "the arguments are nested too deep, or were changed while they were read"

HEADER = f'''"""{TITLE}"""

{{imports}}
class ExecutionError(Exception):
    """{ERROR_DOC}"""
'''

ROOT_END = f'''    except (RuntimeError, KeyError) as error:  # nested too deep, or changed by another thread meanwhile
        raise ExecutionError("{ERROR_TEXT}") from error'''

SUPPORT = ("is_object", "has_string_names", "is_json", "is_only_json")

VOCABULARY = Vocabulary(
    frozenset(
        """
        json loads _support is_object has_string_names is_json is_only_json ExecutionError Exception RuntimeError
        KeyError error type dict list str bool int float is_integer items len frozenset zip
        """.split()
    ),
    frozenset([TITLE, ERROR_DOC, ERROR_TEXT, 0, 1, 0.0]),
)


def print_python(units: Sequence[Unit]) -> str:
    """A Python module with the functions of some programs."""
    parts: list[str] = []
    for unit in units:
        constants = [_constant(constant) for constant in unit.constants]
        if constants:
            parts.append("\n".join(constants) + "\n")
        parts += [_function(function, unit) for function in unit.functions]
    text = "\n\n".join(parts)
    used = [name for name in SUPPORT if re.search(rf"\b{name}\b", text)]
    imports = "from json import loads\n\n" if "loads(" in text else ""
    if used:
        imports += f"from ._support import {', '.join(used)}\n\n"
    return "\n\n".join([HEADER.replace("{imports}", imports), text])


def _constant(constant: Constant) -> str:
    match constant:
        case Bound(name=name, number=number):
            return f"{name} = {number}"
        case NameSet(name=name, members=members):
            return f"{name} = frozenset({_tuple(members)})"
        case CaseTable(name=name, names=Lit() as names, cases=cases):
            return f"{name} = dict(zip(loads({names}), loads({cases})))"
        case CaseTable(name=name, names=names, cases=cases):
            return f"{name} = {{{', '.join(map('{}: {}'.format, names, cases))}}}"  # type: ignore[arg-type]


def _tuple(items: Sequence[Lit]) -> str:
    return f"({', '.join(map(str, items))}{',' if len(items) == 1 else ''})"


def _function(function: Function, unit: Unit) -> str:
    lines = [f"def {function.public or function.name}({function.parameter}):"]
    if function.public:
        lines += [f"    # contract {unit.digest}", "    try:", *_block(function.body, unit, 2), ROOT_END]
    else:
        lines += _block(function.body, unit, 1)
    return "\n".join(lines) + "\n"


def _block(block: Block, unit: Unit, depth: int) -> Iterator[str]:
    for statement in block:
        yield from _statement(statement, unit, depth)
    if all(isinstance(statement, Note) for statement in block):
        yield "    " * depth + "pass"


def _statement(statement: Statement, unit: Unit, depth: int) -> Iterator[str]:
    pad = "    " * depth
    match statement:
        case Note(word=word, place=place):
            yield f"{pad}# {word}: {place}"
        case End(verdict=verdict):
            yield f"{pad}return {verdict}"
        case If(test=test, then=then, otherwise=otherwise):
            yield f"{pad}if {_test(test, unit)}:"
            yield from _block(then, unit, depth + 1)
            if len(otherwise) == 1 and isinstance(otherwise[0], If):
                first, *rest = _statement(otherwise[0], unit, depth)
                yield f"{pad}el{first.lstrip()}"
                yield from rest
            elif otherwise:
                yield f"{pad}else:"
                yield from _block(otherwise, unit, depth + 1)
        case ForMembers(value=value, key=key, item=item, body=body):
            yield f"{pad}for {key}, {item} in {value}.items():"
            yield from _block(body, unit, depth + 1)
        case ForItems(value=value, item=item, body=body):
            yield f"{pad}for {item} in {value}:"
            yield from _block(body, unit, depth + 1)
        case Take(value=value, name=name, into=into):
            yield f"{pad}{into} = {value}[{name}]"
        case FindCase(table=table, key=key, into=into):
            yield f"{pad}{into} = {table}[{key}] if {key} in {table} else -1"
        case Switch(case=case, arms=arms, otherwise=otherwise):
            yield from _switch(case, arms, otherwise, unit, depth)
        case Count(counter=counter, step=step):
            yield f"{pad}{counter} {STEPS[step]}"
        case CountMembers(counter=counter, value=value, beyond=beyond):
            yield f"{pad}{counter} = len({value})" + (f" - {beyond}" if beyond.value else "")


def _switch(
    case: Name, arms: Sequence[Arm], otherwise: Block, unit: Unit, depth: int, *, complete: bool = False
) -> Iterator[str]:
    """The arms; `complete` where the case is known to be one of theirs."""
    pad = "    " * depth
    if len(arms) > ARMS_IN_A_ROW:
        half = len(arms) // 2
        yield f"{pad}if {case} >= {arms[half].case}:"
        yield from _switch(case, arms[half:], (), unit, depth + 1, complete=True)
        yield f"{pad}else:"
        yield from _switch(case, arms[:half], otherwise, unit, depth + 1, complete=complete)
        return
    *earlier, last = arms
    for index, arm in enumerate(earlier):
        yield f"{pad}{'elif' if index else 'if'} {case} == {arm.case}:"
        yield from _block(arm.body, unit, depth + 1)
    if complete and earlier:
        yield f"{pad}else:"
    else:
        yield f"{pad}{'elif' if earlier else 'if'} {case} == {last.case}:"
    yield from _block(last.body, unit, depth + 1)
    if otherwise:
        yield f"{pad}else:"
        yield from _block(otherwise, unit, depth + 1)


def _test(test: Test, unit: Unit) -> str:
    match test:
        case IsType(value=value, types=types):
            return " or ".join(_is_type(value, types))
        case Not(test=IsType(value=value, types=types)):
            return " and ".join(_is_no_type(value, types))
        case IsObject(value=value):
            return f"is_object({value})"
        case HasStringNames(value=value):
            return f"has_string_names({value})"
        case IsJson(value=value):
            return f"is_json({value})"
        case IsOnlyJson(value=value):
            return f"is_only_json({value}, {unit.depth_limit})"
        case IsBelow(value=value, bound=bound):
            return f"{value} < {bound}"
        case HasMember(value=value, name=name):
            return f"{name} in {value}"
        case Not(test=HasMember(value=value, name=name)):
            return f"{name} not in {value}"
        case IsOneOf(key=key, names=names):
            return f"{key} in {names}"
        case Not(test=IsOneOf(key=key, names=names)):
            return f"{key} not in {names}"
        case Holds(function=function, value=value):
            return f"{function}({value})"
        case CountIs(counter=counter, number=number):
            return f"{counter} == {number}" if number.value else f"not {counter}"
        case Not(test=CountIs(counter=counter, number=number)):
            return f"{counter} != {number}" if number.value else f"{counter}"
        case Not(test=inner):
            return f"not {_test(inner, unit)}"
    raise AssertionError(test)


def _is_type(value: Name, types: Types) -> Iterator[str]:
    for name in types:
        if name in EXACT:
            yield f"type({value}) is {EXACT[name]}"
        elif name == "null":
            yield f"{value} is None"
        elif name == "integer":
            yield f"type({value}) is int or type({value}) is float and {value}.is_integer()"
        else:
            yield f"type({value}) is int or type({value}) is float and {value} - {value} == 0.0"


def _is_no_type(value: Name, types: Types) -> Iterator[str]:
    for name in types:
        if name in EXACT:
            yield f"type({value}) is not {EXACT[name]}"
        elif name == "null":
            yield f"{value} is not None"
        elif name == "integer":
            yield f"type({value}) is not int and (type({value}) is not float or not {value}.is_integer())"
        else:
            yield f"type({value}) is not int and (type({value}) is not float or {value} - {value} != 0.0)"

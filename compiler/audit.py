"""The audit of printed text: nothing becomes code whose names and constants were not minted.

Imports: code; errors of admit.
"""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections.abc import Iterator

from ..errors import ExecutionError
from .code import Lit, Mint, Vocabulary

FORMS = (
    *(ast.Module, ast.Expr, ast.Constant, ast.ImportFrom, ast.alias, ast.ClassDef, ast.FunctionDef, ast.arguments),
    *(ast.arg, ast.Assign, ast.AugAssign, ast.If, ast.For, ast.Try, ast.ExceptHandler, ast.Raise, ast.Return, ast.Pass),
    *(ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Dict, ast.Tuple, ast.IfExp, ast.BoolOp, ast.Compare),
    *(ast.UnaryOp, ast.BinOp, ast.boolop, ast.cmpop, ast.unaryop, ast.operator, ast.expr_context),
)
"""What syntax the Python printer writes."""
OPERATORS = frozenset("( ) [ ] , : = * & += == != < > >= - /".split())
"""The operators that the Cython printer writes."""


def audit_python(text: str, mint: Mint, vocabulary: Vocabulary) -> ast.Module:
    """The syntax tree of a Python module whose every name is minted or in `vocabulary`, and every constant minted.

    Raises ExecutionError where one is not.
    """
    tree = ast.parse(text)
    allowed = mint.names | vocabulary.names
    for node in ast.walk(tree):
        if not isinstance(node, FORMS):
            raise ExecutionError("generated text has a form that no printer writes", form=type(node).__name__)
        for name in _names(node):
            if name not in allowed:
                raise ExecutionError("generated text holds a name that was not minted", name=name[:64])
        if isinstance(node, ast.Constant) and not _is_minted(node.value, mint, vocabulary):
            raise ExecutionError("generated text holds a constant that was not minted")
    return tree


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Attribute(attr=name):
            yield name
        case ast.arg(arg=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield name
            if other:
                yield other
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.ImportFrom(module=str(name)):
            yield name
        case ast.keyword(arg=str(name)):
            yield name


def audit_tokens(text: str, mint: Mint, vocabulary: Vocabulary) -> None:
    """The same of text that is no Python, token by token: names, numbers, strings.

    Raises ExecutionError where one was not minted.
    """
    allowed = mint.names | vocabulary.names | frozenset(keyword.kwlist)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string not in allowed:
            raise ExecutionError("generated text holds a name that was not minted", name=token.string[:64])
        if token.type in (tokenize.NUMBER, tokenize.STRING) and not _is_minted(
            ast.literal_eval(token.string), mint, vocabulary
        ):
            raise ExecutionError("generated text holds a constant that was not minted")
        if token.type == tokenize.ERRORTOKEN and not token.string.isspace():
            raise ExecutionError("generated text holds what is no token")
        if token.type == tokenize.OP and token.string not in OPERATORS:  # from 3.12 on, what is no token too
            raise ExecutionError("generated text holds an operator that no printer writes")


def _is_minted(value: object, mint: Mint, vocabulary: Vocabulary) -> bool:
    if value is None or isinstance(value, bool):
        return True
    return isinstance(value, (str, int, float)) and (str(Lit(value)) in mint.literals or value in vocabulary.constants)

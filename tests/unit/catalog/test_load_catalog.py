"""Descriptors of every provider, read from files and objects; shapes that are not clear."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from admit import ExecutionError, SchemaError, load_catalog
from admit.pointer import resolve

A = {"type": "object", "properties": {"a": {"type": "string"}}}
B = {"type": "object", "properties": {"b": {"type": "integer"}}}
GEMINI = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
MCP = [{"name": "x", "description": "d", "inputSchema": A}, {"name": "y", "inputSchema": B}]

SHAPES: dict[str, tuple[Any, list[tuple[str, Any, str, str]]]] = {
    "tools/list result": (
        {"tools": MCP, "nextCursor": "2", "_meta": {}},
        [("x", A, "mcp", "/tools/0"), ("y", B, "mcp", "/tools/1")],
    ),
    "JSON-RPC response": (
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": MCP}},
        [("x", A, "mcp", "/result/tools/0"), ("y", B, "mcp", "/result/tools/1")],
    ),
    "list of MCP tools": (MCP, [("x", A, "mcp", "/0"), ("y", B, "mcp", "/1")]),
    "tuple of MCP tools": (tuple(MCP), [("x", A, "mcp", "/0"), ("y", B, "mcp", "/1")]),
    "one MCP tool": (MCP[0], [("x", A, "mcp", "")]),
    "Anthropic": ([{"name": "x", "input_schema": A, "strict": True}], [("x", A, "anthropic", "/0")]),
    "Anthropic request": (
        {"model": "m", "tools": [{"type": "custom", "name": "x", "input_schema": A}]},
        [("x", A, "anthropic", "/tools/0")],
    ),
    "Anthropic server tool": (
        [{"type": "web_search_20250305", "name": "web_search"}],
        [("web_search", None, "mcp", "/0")],
    ),
    "OpenAI chat": (
        [{"type": "function", "function": {"name": "x", "parameters": A}}],
        [("x", A, "openai", "/0")],
    ),
    "OpenAI responses": ([{"type": "function", "name": "x", "parameters": A}], [("x", A, "openai", "/0")]),
    "OpenAI without parameters": (
        [{"type": "function", "function": {"name": "x"}}],
        [("x", None, "openai", "/0")],
    ),
    "Gemini": (
        [{"functionDeclarations": [{"name": "x", "parameters": GEMINI}, {"name": "y", "parametersJsonSchema": B}]}],
        [("x", GEMINI, "gemini", "/0/functionDeclarations/0"), ("y", B, "gemini", "/0/functionDeclarations/1")],
    ),
    "Gemini request": (
        {"tools": [{"function_declarations": [{"name": "x", "parameters_json_schema": A, "parameters": None}]}]},
        [("x", A, "gemini", "/tools/0/function_declarations/0")],
    ),
    "Gemini tool": (
        {"functionDeclarations": [{"name": "x"}, {"name": "y", "parameters": B}]},
        [("x", None, "gemini", "/functionDeclarations/0"), ("y", B, "gemini", "/functionDeclarations/1")],
    ),
    "Bedrock": (
        [{"toolSpec": {"name": "x", "inputSchema": {"json": A}}}, {"toolSpec": {"name": "y", "inputSchema": {}}}],
        [("x", A, "bedrock", "/0"), ("y", None, "bedrock", "/1")],
    ),
    "Bedrock request": (
        {"toolConfig": {"tools": [{"toolSpec": {"name": "x", "inputSchema": {"json": A}}}]}},
        [("x", A, "bedrock", "/toolConfig/tools/0")],
    ),
    "several formats in one list": (
        [MCP[0], {"type": "function", "function": {"name": "y", "parameters": B}}, {"name": "x", "input_schema": B}],
        [("x", A, "mcp", "/0"), ("y", B, "openai", "/1"), ("x", B, "anthropic", "/2")],
    ),
    "names and schemas": ({"x": A, "a/b": B}, [("x", A, "schema", "/x"), ("a/b", B, "schema", "/a~1b")]),
    "tools named as the keys of descriptors": (
        {"tools": A, "result": B, "toolConfig": A, "name": B, "function": A, "toolSpec": B, "functionDeclarations": A},
        [
            ("tools", A, "schema", "/tools"),
            ("result", B, "schema", "/result"),
            ("toolConfig", A, "schema", "/toolConfig"),
            ("name", B, "schema", "/name"),
            ("function", A, "schema", "/function"),
            ("toolSpec", B, "schema", "/toolSpec"),
            ("functionDeclarations", A, "schema", "/functionDeclarations"),
        ],
    ),
    "names without a schema": ({"x": None, "y": True}, [("x", None, "schema", "/x"), ("y", True, "schema", "/y")]),
    "malformed schemas": (
        [{"name": "x", "inputSchema": 5}, {"name": "y", "input_schema": []}],
        [("x", 5, "mcp", "/0"), ("y", [], "anthropic", "/1")],
    ),
    "nothing in a list": ([], []),
    "nothing in a listing": ({"tools": []}, []),
    "nothing in an object": ({}, []),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_reads(shape: str, tmp_path: Path) -> None:
    source, tools = SHAPES[shape]
    file = tmp_path / "catalog.json"
    file.write_text(json.dumps(source))
    plain = json.loads(json.dumps(source))
    for given, document in ((source, plain), (file, plain), (str(file), plain)):
        catalog = load_catalog(given)
        assert [(tool.name, tool.schema, tool.format, tool.location) for tool in catalog] == tools
        assert [tool.descriptor for tool in catalog] == [resolve(document, tool.location) for tool in catalog]
        assert len(catalog) == len(catalog.tools) == len(tools)
        assert not any(tool.fault for tool in catalog)


def test_descriptors_and_schemas_are_the_objects_given() -> None:
    tool = load_catalog({"tools": MCP}).tools[0]
    assert tool.descriptor is MCP[0]
    assert tool.schema is A


@pytest.mark.parametrize(
    ("source", "location", "found"),
    [
        (None, "", "a Python NoneType"),
        (5, "", "a Python int"),
        (b'{"tools": []}', "", "a Python bytes"),
        ({"type": "object", "properties": {}}, "", 'an object with "type", "properties"'),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}, "", 'an object with "jsonrpc", "id", "error"'),
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, "", 'an object with "a", "b", "c", "d", "e" and more'),
        ([{"name": "x", "inputSchema": A}, "y"], "/1", "a Python str"),
        ({"tools": [[MCP[0]]]}, "/tools/0", "a Python list"),
        ({"functionDeclarations": [1]}, "/functionDeclarations/0", "a Python int"),
        ({"\x1b[2J\n": 1}, "", r'an object with "\u001b[2J\n"'),
    ],
)
def test_a_shape_that_is_not_clear(source: Any, location: str, found: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load_catalog(source)
    assert caught.value.details["location"] == location
    assert found in caught.value.message
    assert "accepted: a tools/list result" in caught.value.message


@pytest.mark.parametrize("name", [None, "", 5, ["x"], {"x": 1}])
@pytest.mark.parametrize("wrap", [lambda tool: tool, lambda tool: {"type": "function", "function": tool}])
def test_a_tool_without_a_name(name: Any, wrap: Any) -> None:
    with pytest.raises(SchemaError, match="a tool has a name") as caught:
        load_catalog([MCP[0], wrap({"name": name, "inputSchema": A})])
    assert caught.value.details["location"] == "/1"


def test_names_of_an_object_are_strings() -> None:
    for name in ("", 5):
        with pytest.raises(SchemaError, match="a tool has a name"):
            load_catalog({name: A})


def test_a_tool_with_two_schemas_is_kept_with_its_fault() -> None:
    source = [MCP[0], {"name": "y", "parameters": B, "parametersJsonSchema": A}]
    first, second = load_catalog(source)
    assert first.fault is None
    assert second.fault is not None
    assert second.fault.message == "the tool has 2 schemas: parameters and parametersJsonSchema"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"{", "the catalog is not JSON: expecting property name"),
        (b'{"x": {"type": "object", "type": "string"}}', 'one object has the name "type" twice'),
        (b'{"x": {"minimum": NaN}}', "NaN is not JSON"),
        (b'\xef\xbb\xbf{"tools": []}', "byte order mark"),
        (b'{"x": {"description": "\\ud800"}}', "half a surrogate pair"),
    ],
)
def test_a_file_holds_strict_json(text: bytes, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "catalog.json"
    file.write_bytes(text)
    with pytest.raises(SchemaError) as caught:
        load_catalog(file)
    assert reason in caught.value.message


def test_a_file_within_limits_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "catalog.json"
    file.write_text('{"x": {"minimum": ' + "1" * 5_000 + "}}")
    with pytest.raises(ExecutionError, match="number_digits"):
        load_catalog(file)
    with pytest.raises(FileNotFoundError):
        load_catalog(tmp_path / "other.json")

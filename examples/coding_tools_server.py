"""An MCP server with nine coding tools, over stdio, working in one folder.

    python examples/coding_tools_server.py FOLDER [--allow-network] [--log FILE]

The tools are declared once, in `catalog.json` beside this file: the same schemas are listed to the client and decide
every call here, because a low-level `mcp` server checks no arguments itself.

Files are read and written inside FOLDER only. `bash` starts in FOLDER but is no jail: it may do what this process may.
`url_fetch` reaches this machine alone unless `--allow-network` is given, and follows no redirects. No user is attached:
`ask_user_question` takes the first option, and says so.
"""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

import mcp_types as types
from mcp import MCPError, stdio_server
from mcp.server import Server

from admit import Catalog, ValidationError, load_catalog

DECLARATIONS = Path(__file__).with_name("catalog.json")
NAMES = ("read", "bash", "grep", "glob", "write", "url_fetch", "edit", "ls", "ask_user_question")


class ToolError(Exception):
    """What went wrong, for the model to read."""


class NoRedirect(HTTPRedirectHandler):
    """Lets a redirect come back as the error that it is: it could lead off this machine."""

    def redirect_request(self, *request: object) -> None:
        return None


class CodingTools:
    """The tools: a public method each, whose parameters are the properties of its schema."""

    def __init__(self, folder: Path, allow_network: bool) -> None:
        self._folder = folder.resolve(strict=True)
        self._allow_network = allow_network

    def read(self, path: str, offset: int = 1, limit: int | None = None) -> str:
        lines = self._inside(path).read_text("utf-8").splitlines(keepends=True)
        return "".join(lines[int(offset) - 1 :][: _count(limit)])

    def bash(self, command: str, timeout: int = 60) -> str:
        with subprocess.Popen(
            ["/bin/sh", "-c", command],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,  # this process's own is the protocol's
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise ToolError(f"stopped after {timeout} seconds") from None
        return f"{output.decode('utf-8', 'replace')}exit status {process.returncode}"

    def grep(
        self,
        pattern: str,
        path: str = ".",
        glob: str = "*",
        ignore_case: bool = False,
        context: int = 0,
        limit: int | None = None,
    ) -> str:
        search = re.compile(pattern, re.IGNORECASE if ignore_case else 0).search
        start = self._inside(path)
        files = [start] if start.is_file() else self._files(start, f"**/{glob}")
        shown: list[str] = []
        left = _count(limit)
        for file in files:
            lines = file.read_text("utf-8", "replace").splitlines()
            hits = [number for number, line in enumerate(lines) if search(line)][:left]
            left = None if left is None else left - len(hits)
            near = {number + step for number in hits for step in range(-int(context), int(context) + 1)}
            for number in sorted(near & set(range(len(lines)))):
                mark = ":" if number in hits else "-"
                shown.append(f"{self._name(file)}{mark}{number + 1}{mark}{lines[number]}")
        return "\n".join(shown) or "no match"

    def glob(self, pattern: str, path: str = ".", limit: int | None = None) -> str:
        names = [self._name(file) for file in self._files(self._inside(path), pattern)]
        return "\n".join(names[: _count(limit)]) or "no match"

    def write(self, path: str, content: str) -> str:
        file = self._inside(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
        return f"wrote {self._name(file)}"

    def url_fetch(self, url: str, max_length: int = 20_000) -> str:
        address = urlsplit(url)
        if address.scheme not in ("http", "https"):
            raise ToolError("only http and https addresses are fetched")
        if not self._allow_network and not _is_loopback(address.hostname or ""):
            raise ToolError("this server was started without --allow-network: it fetches from this machine only")
        with build_opener(ProxyHandler({}), NoRedirect).open(url, timeout=20) as response:
            text = response.read(4 * int(max_length)).decode(response.headers.get_content_charset("utf-8"), "replace")
        return str(text)[: int(max_length)]

    def edit(self, path: str, content: str, old_content: str | None = None) -> str:
        file = self._inside(path)
        text = file.read_text("utf-8")
        if old_content is None:
            text += content
        elif old_content and text.count(old_content) == 1:
            text = text.replace(old_content, content)
        else:
            raise ToolError(f"old_content must occur exactly once in {path}")
        file.write_text(text, "utf-8")
        return f"changed {self._name(file)}"

    def ls(self, path: str = ".", limit: int | None = None) -> str:
        entries = sorted(self._inside(path).iterdir())[: _count(limit)]
        return "\n".join(entry.name + "/" * entry.is_dir() for entry in entries) or "the folder is empty"

    def ask_user_question(self, question: str, options: list[Any] | None = None, **presentation: object) -> str:
        if not options:
            raise ToolError("no user is attached to this server, and the question has no options to take the first of")
        first = options[0]
        answer = first if isinstance(first, str) else first.get("value", first["label"])
        return f"No user is attached to this server; it took the first option: {answer}"

    def _inside(self, path: str) -> Path:
        found = (self._folder / path).resolve()
        if not found.is_relative_to(self._folder):
            raise ToolError(f"{path} is outside the folder of this server")
        return found

    def _name(self, file: Path) -> str:
        return str(file.relative_to(self._folder))

    def _files(self, start: Path, pattern: str) -> Iterator[Path]:
        for file in sorted(start.glob(pattern)):
            if file.is_file() and file.resolve().is_relative_to(self._folder) and ".." not in file.parts:
                yield file


def _count(limit: int | None) -> int | None:
    """A limit as a slice takes it: `5.0` is an integer in JSON Schema."""
    return None if limit is None else int(limit)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def make_server(tools: CodingTools, received: Callable[[str, dict[str, Any]], None]) -> Server[Any]:
    """The server; `received` is told of every call that arrives, whatever becomes of it."""
    catalog = Catalog(tuple(tool for tool in load_catalog(DECLARATIONS) if tool.name in NAMES))
    admitted = catalog.admit()
    parameters = {tool.name: tuple(tool.schema["properties"]) for tool in catalog}
    listing = types.ListToolsResult(
        tools=[
            types.Tool(name=tool.name, description=tool.descriptor["description"], input_schema=tool.schema)
            for tool in catalog
        ]
    )

    async def list_tools(context: object, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listing

    async def call_tool(context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = params.arguments or {}
        received(params.name, arguments)
        if params.name not in admitted:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        try:
            admitted[params.name].validate(arguments)
            known = {name: arguments[name] for name in parameters[params.name] if name in arguments}
            return _result(await asyncio.to_thread(getattr(tools, params.name), **known))
        except ValidationError as error:
            return _result(error.to_model_text(), is_error=True)
        except (ToolError, OSError, ValueError, NotImplementedError, re.error) as error:
            return _result(str(error), is_error=True)

    return Server("coding-tools", version="1.0", on_list_tools=list_tools, on_call_tool=call_tool)


def _result(text: str, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--allow-network", action="store_true", help="let url_fetch leave this machine")
    parser.add_argument("--log", default=os.devnull, help="write every call that arrives here, a JSON line each")
    options = parser.parse_args()
    with Path(options.log).open("a", encoding="utf-8", buffering=1) as log:

        def received(name: str, arguments: dict[str, Any]) -> None:
            log.write(json.dumps({"tool": name, "arguments": arguments}) + "\n")

        server = make_server(CodingTools(options.folder, options.allow_network), received)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())

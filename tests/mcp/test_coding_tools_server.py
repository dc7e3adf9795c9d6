"""The example server, over stdio: admitted as it lists itself, built natively, and called through the gate."""

from __future__ import annotations

import asyncio
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import admit

mcp = pytest.importorskip("mcp", reason="the mcp SDK is not installed (extra `mcp`)")

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "examples" / "coding_tools_server.py"
NAMES = ["read", "bash", "grep", "glob", "write", "url_fetch", "edit", "ls", "ask_user_question"]


class Host:
    """An MCP client that lets no call pass which its validator refuses."""

    def __init__(self, client: Any, admitted: admit.AdmittedCatalog) -> None:
        self.client = client
        self.admitted = admitted

    async def call(self, tool: str, /, **arguments: Any) -> str:
        """The text of the result. Raises ValidationError before anything is sent."""
        return await self.send(tool, self.admitted[tool].validate(arguments))

    async def send(self, tool: str, arguments: dict[str, Any]) -> str:
        """The same without the gate."""
        result = await self.client.call_tool(tool, arguments)
        text: str = result.content[0].text
        return f"error: {text}" if result.is_error else text


class Sandbox:
    """The folder that the server works in, and the log of the calls that it received."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve() / "sandbox"
        self.folder.mkdir()
        self.log = folder / "calls.jsonl"

    def received(self) -> list[tuple[str, dict[str, Any]]]:
        calls = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [(call["tool"], call["arguments"]) for call in calls]

    def run(self, play: Callable[[Host], Awaitable[None]], tier: str = "python") -> None:
        """Start the server, admit what it lists, and let `play` act as the host."""

        async def session() -> Exception | None:
            server = mcp.StdioServerParameters(
                command=sys.executable,
                args=[str(SERVER), str(self.folder), "--log", str(self.log)],
                env={"PYTHONPATH": str(Path(admit.__file__).parents[1])},
            )
            async with mcp.Client(server, cache=None) as client:
                listed = (await client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
                try:
                    await play(Host(client, admit.load_catalog(listed).admit(tier=tier)))
                except Exception as error:  # leaves the client's task group as it is, not in an ExceptionGroup
                    return error
            return None

        if error := asyncio.run(session()):
            raise error


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.mark.native
def test_a_good_call_is_executed_and_a_bad_one_never_sent(sandbox: Sandbox) -> None:
    async def play(host: Host) -> None:
        assert list(host.admitted) == NAMES
        assert {validator.tier for validator in host.admitted.values()} == {"native"}

        assert await host.call("write", path="notes.txt", content="Buy milk.\n") == "wrote notes.txt"
        assert (sandbox.folder / "notes.txt").read_text() == "Buy milk.\n"
        assert sandbox.received() == [("write", {"path": "notes.txt", "content": "Buy milk.\n"})]

        for arguments, location in [
            ({"path": "notes.txt"}, ""),
            ({"path": "notes.txt", "content": None}, "/content"),
            ({"path": ["notes.txt"], "content": ""}, "/path"),
        ]:
            with pytest.raises(admit.ValidationError) as caught:
                await host.call("write", **arguments)
            assert caught.value.failures[0].instance_location == location
        assert (sandbox.folder / "notes.txt").read_text() == "Buy milk.\n"
        assert len(sandbox.received()) == 1

    try:
        sandbox.run(play, tier="native")
    except admit.UnavailableError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(error.message)


def test_every_tool_does_what_it_says(sandbox: Sandbox) -> None:
    (sandbox.folder / "src").mkdir()
    (sandbox.folder / "src" / "app.py").write_text("one\ntwo TODO\nthree\nfour todo\nfive\n")

    async def play(host: Host) -> None:
        assert await host.call("read", path="src/app.py") == "one\ntwo TODO\nthree\nfour todo\nfive\n"
        assert await host.call("read", path="src/app.py", offset=2.0, limit=1) == "two TODO\n"
        assert await host.call("bash", command="pwd; echo out >&2; exit 3") == f"{sandbox.folder}\nout\nexit status 3"
        assert await host.call("bash", command="sleep 30 & sleep 30", timeout=1) == "error: stopped after 1 seconds"
        assert await host.call("grep", pattern="TODO") == "src/app.py:2:two TODO"
        assert (
            await host.call("grep", pattern="todo", ignore_case=True, limit=1, glob="*.py") == "src/app.py:2:two TODO"
        )
        assert await host.call("grep", pattern="two|four", path="src/app.py", context=1) == (
            "src/app.py-1-one\nsrc/app.py:2:two TODO\nsrc/app.py-3-three\nsrc/app.py:4:four todo\nsrc/app.py-5-five"
        )
        assert await host.call("grep", pattern="TODO", glob="*.md") == "no match"
        assert (await host.call("grep", pattern="(")).startswith("error: ")
        assert await host.call("glob", pattern="**/*.py") == "src/app.py"
        assert await host.call("write", path="new/notes.txt", content="a b") == "wrote new/notes.txt"
        assert await host.call("edit", path="new/notes.txt", content="c") == "changed new/notes.txt"
        assert await host.call("edit", path="new/notes.txt", content="X", old_content="b") == "changed new/notes.txt"
        assert (sandbox.folder / "new" / "notes.txt").read_text() == "a Xc"
        for missing in ("b", ""):
            answer = await host.call("edit", path="new/notes.txt", content="X", old_content=missing)
            assert answer == "error: old_content must occur exactly once in new/notes.txt"
        assert await host.call("ls") == "new/\nsrc/"
        assert await host.call("ls", path="src", limit=1) == "app.py"
        answer = await host.call("ask_user_question", question="?", options=[{"label": "Yes", "value": "y"}, "No"])
        assert answer == "No user is attached to this server; it took the first option: y"
        assert (await host.call("ask_user_question", question="?", timeout_ms=1000)).startswith("error: no user")

    sandbox.run(play)


def test_files_outside_the_folder_are_out_of_reach(sandbox: Sandbox) -> None:
    (sandbox.folder.parent / "secret.txt").write_text("secret")
    (sandbox.folder / "link.txt").symlink_to(sandbox.folder.parent / "secret.txt")

    async def play(host: Host) -> None:
        for path in ("../secret.txt", str(sandbox.folder.parent / "secret.txt"), "link.txt", "a/../../secret.txt"):
            for tool, rest in (("read", {}), ("edit", {"content": "x"}), ("write", {"content": "x"}), ("ls", {})):
                assert "outside the folder" in await host.call(tool, path=path, **rest)
            assert "outside the folder" in await host.call("grep", pattern="s", path=path)
        assert await host.call("grep", pattern="secret") == "no match"
        assert await host.call("glob", pattern="*.txt") == "no match"
        assert await host.call("glob", pattern="../*.txt") == "no match"
        assert (await host.call("glob", pattern="/etc/*")).startswith("error: ")

    sandbox.run(play)
    assert (sandbox.folder.parent / "secret.txt").read_text() == "secret"


@pytest.fixture
def web() -> Iterator[str]:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302 if self.path == "/away" else 200)
            self.send_header("Location", "http://example.test/")
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.end_headers()
            self.wfile.write("päge".encode())

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_url_fetch_stays_on_this_machine(sandbox: Sandbox, web: str) -> None:
    async def play(host: Host) -> None:
        assert await host.call("url_fetch", url=web) == "päge"
        assert await host.call("url_fetch", url=web, max_length=2) == "pä"
        assert (await host.call("url_fetch", url=f"{web}/away")).startswith("error: HTTP Error 302")
        assert "--allow-network" in await host.call("url_fetch", url="http://example.test/")
        assert "only http" in await host.call("url_fetch", url="file:///etc/passwd")

    sandbox.run(play)


def test_the_server_itself_admits_no_bad_call(sandbox: Sandbox) -> None:
    """A client without a gate gets a tool error to read, and a JSON-RPC error for a tool that is not there."""

    async def play(host: Host) -> None:
        answer = await host.send("read", {"path": "notes.txt", "offset": 0})
        assert answer.startswith("error: ")
        assert "offset" in answer
        with pytest.raises(mcp.MCPError) as caught:
            await host.send("no_such_tool", {})
        assert caught.value.code == -32602

    sandbox.run(play)
    assert [name for name, _ in sandbox.received()] == ["read", "no_such_tool"]


def test_the_host_in_the_readme_runs_as_written(sandbox: Sandbox) -> None:
    if not any(metadata.distributions(name="admit")):
        pytest.skip("admit is not installed, and the server that the host starts would not find it")
    code = (ROOT / "examples" / "README.md").read_text().split("```python\n")[1].split("```")[0]
    (sandbox.folder.parent / "examples").symlink_to(ROOT / "examples")
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=sandbox.folder.parent, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == "wrote notes.txt\nrefused: `content` is required (string) and was not given.\n"
    assert (sandbox.folder / "notes.txt").read_text() == "Buy milk."

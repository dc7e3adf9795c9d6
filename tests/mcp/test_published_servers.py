"""Published MCP servers, over stdio: what profile `core` makes of the tools they list."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from typing import Any

import pytest

import admit
from admit.pointer import resolve

mcp = pytest.importorskip("mcp", reason="the mcp SDK is not installed (extra `mcp`)")

TOOLS = {
    "mcp_server_time": {"get_current_time": {"timezone": "UTC"}},
    "mcp_server_git": {"git_status": {"repo_path": "."}, "git_log": {"repo_path": "."}},
}
"""The servers, and good calls of some of their tools."""


def listing(module: str, *arguments: str) -> dict[str, Any]:
    """The result of `tools/list`, as it goes over the wire."""
    pytest.importorskip(module, reason=f"{module} is not installed (dependency group `test`)")

    async def ask() -> dict[str, Any]:
        server = mcp.StdioServerParameters(command=sys.executable, args=["-m", module, *arguments])
        async with mcp.Client(server, cache=None) as client:
            result = await client.list_tools()
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)  # type: ignore[no-any-return]

    return asyncio.run(ask())


@pytest.fixture(scope="module", params=TOOLS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    if request.param == "mcp_server_time":
        return request.param, listing("mcp_server_time", "--local-timezone", "UTC")
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    repository = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet", repository], check=True)
    return request.param, listing("mcp_server_git", "--repository", str(repository))


def test_reject_names_title_for_every_tool(server: tuple[str, dict[str, Any]]) -> None:
    _, result = server
    catalog = admit.load_catalog(result)
    names = [tool["name"] for tool in result["tools"]]
    assert [tool.name for tool in catalog] == names
    with pytest.raises(admit.UnsupportedCapabilityError) as caught:
        catalog.admit()
    assert caught.value.message.startswith(f"{len(names)} of {len(names)} tools were refused: ")
    errors = caught.value.details["tools"]
    assert list(errors) == names
    for tool in catalog:
        details = errors[tool.name]["details"]
        assert errors[tool.name]["code"] == "unsupported_capability"
        assert "`title`" in errors[tool.name]["message"]
        assert details["keyword"] == "title"
        assert details["profiles"] == ["2020-12", "draft-07"]
        assert resolve(tool.schema, details["location"])


def test_quarantine_leaves_every_tool_out(server: tuple[str, dict[str, Any]]) -> None:
    _, result = server
    admitted = admit.load_catalog(result).admit("quarantine")
    assert list(admitted) == []
    assert admitted.tools == ()
    assert list(admitted.rejected) == [tool["name"] for tool in result["tools"]]
    assert {error.details["keyword"] for error in admitted.rejected.values()} == {"title"}


def test_defer_lists_every_tool_and_lets_none_be_called(server: tuple[str, dict[str, Any]]) -> None:
    module, result = server
    admitted = admit.load_catalog(result).admit("defer")
    assert [tool.descriptor for tool in admitted.tools] == result["tools"]
    for name, arguments in TOOLS[module].items():
        with pytest.raises(admit.UnsupportedCapabilityError, match="`title`"):
            admitted[name].validate(arguments)

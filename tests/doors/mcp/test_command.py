"""`subterminator mcp` as a host starts it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from subterminator.doors.mcp.hosts import HOSTS, snippet
from tests.doors.mcp.conftest import GENERATIONS, Host
from tests.site import Site
from tests.terminals import ROOT, SECONDS

COMMAND = [sys.executable, "-m", "subterminator", "mcp"]


def environ(state: Path) -> dict[str, str]:
    ours = {name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")}
    return {**os.environ, **ours, "SUBTERMINATOR_STATE_DIR": str(state), "DISPLAY": ""}


async def test_a_host_starts_it_and_drives_a_browser(site: Site, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    url = site.page("<button onclick=\"fetch('/hit')\">Save</button>")
    start = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "--headless"], env=environ(tmp_path), cwd=ROOT
    )
    async with Client(start, mode=GENERATIONS[0]) as client:
        host = Host(client)
        await host.do("browser_navigate", url=url)
        assert 'button "Save": done' in await host.do("browser_click", target="role:button:Save")
    assert site.hits["/hit"] == 1


async def test_p19_on_stdio_standard_output_carries_the_protocol_alone(tmp_path: Path) -> None:
    """Whatever is said wrong, a line on standard output is a message; the process ends with it."""
    tmp_path.chmod(0o700)
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--headless", env=environ(tmp_path), cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    hello = {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }  # fmt: skip
    messages: list[Any] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        "this is no message",
        {"id": 2, "method": "tools/call", "params": {"name": "browser_nothing", "arguments": {}}},
        {"id": 3, "method": "no/such"},
        {"id": 4, "method": "tools/call", "params": {"name": "browser_click", "arguments": {}}},
        {"id": 5, "method": "tools/list"},
    ]
    lines = [
        one if isinstance(one, str) else json.dumps({"jsonrpc": "2.0", **one}) for one in messages
    ]
    assert process.stdin and process.stdout
    process.stdin.write("\n".join([*lines, ""]).encode())
    heard: dict[int, dict[str, Any]] = {}
    async with asyncio.timeout(SECONDS):
        while len(heard) < 5:
            message = json.loads(await process.stdout.readline())
            assert message["jsonrpc"] == "2.0"
            if isinstance(message.get("id"), int):
                heard[message["id"]] = message
        assert heard[2]["error"]["message"].startswith("Unknown tool")
        assert "error" in heard[3]
        assert heard[4]["result"]["isError"]
        assert len(heard[5]["result"]["tools"]) == 17
        process.stdin.close()
        assert await process.wait() == 0
        assert await process.stdout.read() == b""


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_gets_a_snippet_that_can_be_pasted(host: str) -> None:
    where, _, text = snippet(host, ["--headless", "--tools", "full"]).partition("\n")
    assert where.startswith(("# ", "// "))
    match host:
        case "claude":
            assert text.startswith("claude mcp add subterminator -- ")
            assert text.endswith(" mcp --headless --tools full")
        case "codex":
            entry = tomllib.loads(text)["mcp_servers"]["subterminator"]
            assert entry["args"] == ["mcp", "--headless", "--tools", "full"]
        case _:
            [servers] = json.loads(text).values()
            assert servers["subterminator"]["args"] == ["mcp", "--headless", "--tools", "full"]
            assert Path(servers["subterminator"]["command"]).name == "subterminator"


def test_print_config_prints_and_ends() -> None:
    done = subprocess.run(
        [*COMMAND, "--print-config", "cursor", "--show"],
        capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    assert '"--show"' in done.stdout and "mcpServers" in done.stdout


@pytest.mark.parametrize("wrong", [["--tools", "all"], ["--wait-seconds", "0"], ["--headles"]])
def test_what_is_wrong_is_said_before_anything_starts(wrong: list[str]) -> None:
    done = subprocess.run([*COMMAND, *wrong], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2 and done.stdout == "" and "Error" in done.stderr


def test_without_the_packages_it_says_what_to_install(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['mcp_types'] = None; sys.argv = ['subterminator', 'mcp']; "
    code = hidden + "from subterminator.doors.entry import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "SUBTERMINATOR_STATE_DIR": str(tmp_path)}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 2
    assert "pip install 'subterminator[mcp]'" in done.stderr and "Traceback" not in done.stderr

"""Runs the protocol's conformance suites and its inspector against our MCP server.

python conformance/run.py FOLDER     where `npm install` was run with the package.json beside this
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from serving import running

from subterminator.doors.mcp.catalogue import offers
from subterminator.gym.site import serve

HERE = Path(__file__).parent
SUITES = {
    "conformance-2025": (["--suite", "all"], HERE / "expected-failures-2025.yml"),
    "conformance-2026": (["--requirements", "2026-07-28"], HERE / "expected-failures-2026.yml"),
}
INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
OURS = [str(Path(sys.executable).parent / "subterminator"), "mcp", "--headless"]
SECONDS = 120
PAGE = "<title>Try</title><h1>Try</h1><label>Name <input></label><button>Save</button>"
SCHEMA = '{"type":"object","properties":{"Name":{"type":"string"}}}'
# What each tool is called with. An error is an answer as well; that there is one is what counts.
CALLS = {
    "browser_navigate": ["url={url}"],
    "browser_snapshot": ["budget=500"],
    "browser_click": ["target=role:button:Save"],
    "browser_fill": ['fields=[{"target":"label:Name","value":"Ada"}]'],
    "browser_press": ["key=Escape"],
    "browser_wait": ["time_ms=1"],
    "browser_find": ["description=save"],
    "browser_text": [],
    "browser_extract": [f"schema={SCHEMA}"],
    "browser_execute": ['steps=[{"action":"navigate","value":"{url}"},{"action":"reload"}]'],
    "browser_tabs": ["do=list"],
    "browser_dialog": ["accept=true"],
    "browser_screenshot": [],
    "browser_verify": ["about=try"],
    "request_approval": [],
    "cancel_subscription": [],
    "cancel_status": [],
}


async def run(*command: str, home: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "HOME": home, "NO_COLOR": "1"},
    )
    try:
        async with asyncio.timeout(SECONDS * 5):
            output, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return 1, "no end was reached in time"
    return process.returncode or 0, output.decode("utf-8", "replace")


async def conform(modules: Path, address: str, home: str) -> int:
    """How many of the suites end otherwise than is written down."""
    wrong = 0
    for name, (options, baseline) in SUITES.items():
        code, output = await run(
            str(modules / ".bin/node"), str(modules / name / "dist/index.js"),
            "server", "--url", address, *options, "--expected-failures", str(baseline), home=home,
        )  # fmt: skip
        summary = output.partition("=== SUMMARY ===")[2] or output
        print(f"\n{name}{summary.rstrip()}\n{name}: {'as expected' if not code else 'FAILED'}")
        wrong += bool(code)
    return wrong


async def inspect(modules: Path, target: list[str], url: str, home: str) -> int:
    """How many tools the inspector cannot list or call."""
    inspector = [str(modules / ".bin/node"), str(modules / INSPECTOR), "--cli", *target]
    code, output = await run(*inspector, "--method", "tools/list", home=home)
    listed = {tool["name"] for tool in _result(output).get("tools", [])}
    wrong = 0 if listed == set(CALLS) == set(offers("default")) else 1
    print(f"  tools/list: {len(listed)} tools, exit code {code}{' FAILED' if wrong else ''}")
    for name, arguments in CALLS.items():
        given = [word.replace("{url}", url) for word in arguments]
        options = ["--tool-arg", *given] if given else []
        code, output = await run(
            *inspector, "--method", "tools/call", "--tool-name", name, *options, home=home
        )
        found = _result(output)
        answered = bool(found.get("content"))
        wrong += not answered
        told = (
            "error result"
            if found.get("isError")
            else "ok"
            if answered
            else f"FAILED: {output[-300:]}"
        )
        print(f"  {name}: {told}")
    return wrong


def _result(output: str) -> dict[str, object]:
    """The JSON object in what was printed."""
    start = output.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(output[start:])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


async def main(folder: str) -> int:
    modules = Path(folder).absolute() / "node_modules"
    with tempfile.TemporaryDirectory() as home:
        async with running() as address, serve({"/": PAGE}) as url:
            wrong = await conform(modules, address, home)
            print("\ninspector over HTTP")
            wrong += await inspect(modules, [address, "--transport", "http"], url, home)
            print("\ninspector over stdio")
            wrong += await inspect(modules, OURS, url, home)
    print(f"\n{'all as expected' if not wrong else f'{wrong} not as expected'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))

"""Where Playwright MCP is on this machine, and how it is started. Installs nothing by itself."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from subterminator.engine.browsers import sandbox_flags
from subterminator.errors import BrowserMissing
from subterminator.machine import Machine

PACKAGE, VERSION = "@playwright/mcp", "0.0.83"
FOLDER = "playwright-mcp"
# It waits this long after each action before it looks for requests; its own 500 ms are generous.
SETTLE_MS = 300
ACTION_MS = 5_000
# Variables that would change how it is started, or that are none of its business.
OTHERS = ("PLAYWRIGHT_", "PWMCP_", "NODE_OPTIONS", "SUBTERMINATOR_")
SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS")


class Wish(Struct, frozen=True, kw_only=True):
    """How the browser behind the server is to be."""

    browser: str
    headless: bool = True
    profile_dir: str = ""
    window: tuple[int, int] = (1280, 720)


def places(machine: Machine) -> tuple[str, ...]:
    """The folders it is looked for in: beside this Python, then what is ours in the user's home."""
    own = machine.join(machine.own_folder("data"), FOLDER)
    return (machine.join(sys.prefix, FOLDER), own)


def install_command(machine: Machine) -> str:
    """What a person types to have it."""
    return f"npm install --prefix {places(machine)[-1]} {PACKAGE}@{VERSION}"


def program(machine: Machine) -> tuple[str, ...]:
    """The command that starts it: what is installed, else what npx has kept. Nothing is fetched."""
    node = machine.which("node")
    if not node:
        raise BrowserMissing(
            "Playwright MCP needs Node.js 20 or newer, and there is no `node` here.",
            next_step=f"Install Node.js, then run: {install_command(machine)}",
        )
    for place in places(machine):
        folder = machine.join(place, "node_modules", "@playwright", "mcp")
        if (found := _version(machine, folder)) == VERSION:
            return (node, machine.join(folder, "cli.js"))
        if found:
            raise BrowserMissing(
                f"{folder} is version {found}; this engine was made for {VERSION}.",
                next_step=f"Run: npm install --prefix {place} {PACKAGE}@{VERSION}",
            )
    if npx := machine.which("npx"):
        return (npx, "--offline", "--yes", f"{PACKAGE}@{VERSION}")
    raise absent(machine)


def absent(machine: Machine, said: str = "") -> BrowserMissing:
    why = f" It says: {said}" if said else ""
    return BrowserMissing(
        f"Playwright MCP {VERSION} is not installed or does not start.{why}",
        next_step=f"Run: {install_command(machine)}",
    )


def options(wish: Wish, folder: Path) -> Sequence[str]:
    """The command line of a server that keeps to itself: our browser, a profile of its own."""
    width, height = wish.window
    chosen = [
        "--executable-path", wish.browser,
        "--viewport-size", f"{width}x{height}",
        "--output-dir", str(folder / "files"),
        "--snapshot-mode", "none",
        "--codegen", "none",
        "--console-level", "error",
        "--caps", "vision",
        "--idle-timeout", "0",
        "--timeout-settle", str(SETTLE_MS),
        "--timeout-action", str(ACTION_MS),
        "--no-webmcp",
        "--block-service-workers",
    ]  # fmt: skip
    chosen += ["--user-data-dir", wish.profile_dir] if wish.profile_dir else ["--isolated"]
    chosen += ["--headless"] if wish.headless else []
    return [*chosen, *sandbox_flags()]


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Ours without keys, and without what would change the options above."""
    return {
        name: value
        for name, value in environ.items()
        if not name.startswith(OTHERS) and not name.upper().endswith(SECRETS)
    }


def _version(machine: Machine, folder: str) -> str:
    try:
        text = machine.read(machine.join(folder, "package.json"))
        return str(msgspec.json.decode(text or "{}", type=dict[str, object]).get("version", ""))
    except (OSError, UnicodeDecodeError, msgspec.DecodeError):
        return ""

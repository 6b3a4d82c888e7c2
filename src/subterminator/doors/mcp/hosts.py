"""How common MCP hosts are told about us: a snippet each, to paste. Prints nothing."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

NAME = "subterminator"
# host: (where it goes, the key that servers stand under)
FILES = {
    "claude-desktop": ("claude_desktop_config.json", "mcpServers"),
    "cursor": (".cursor/mcp.json, or ~/.cursor/mcp.json", "mcpServers"),
    "vscode": (".vscode/mcp.json", "servers"),
    "windsurf": ("~/.codeium/windsurf/mcp_config.json", "mcpServers"),
    "gemini": ("~/.gemini/settings.json", "mcpServers"),
    "zed": ("settings.json", "context_servers"),
}
HOSTS = ("claude", "codex", *FILES)


def snippet(host: str, options: Sequence[str]) -> str:
    """What to run or to paste, with a first line that says where."""
    command = [program(), "mcp", *options]
    match host:
        case "claude":
            return f"# run this\nclaude mcp add {NAME} -- {shlex.join(command)}"
        case "codex":
            first, *rest = command
            arguments = msgspec.json.encode(rest).decode()
            quoted = msgspec.json.encode(first).decode()
            head = "# ~/.codex/config.toml"
            return f"{head}\n[mcp_servers.{NAME}]\ncommand = {quoted}\nargs = {arguments}"
        case _:
            where, key = FILES[host]
            entry = {"command": command[0], "args": command[1:]}
            if host == "vscode":
                entry = {"type": "stdio", **entry}
            whole = msgspec.json.encode({key: {NAME: entry}})
            return f"// {where}\n{msgspec.json.format(whole, indent=2).decode()}"


def program() -> str:
    """The command as a host can start it from anywhere."""
    beside = Path(sys.executable).with_name(NAME)
    return str(beside) if beside.exists() else NAME

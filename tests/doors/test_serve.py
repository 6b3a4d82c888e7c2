"""The command that starts the protocol server, as a person types it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from subterminator import errors
from subterminator.client import connect
from subterminator.doors.cli import main


class Served:
    """A server in a process of its own: what it printed, and where it is."""

    def __init__(self, process: asyncio.subprocess.Process, lines: list[str]) -> None:
        self.process, self.lines = process, lines

    @property
    def address(self) -> str:
        return next(word for word in self.lines[0].split() if word.startswith("ws://")).rstrip(",")


@asynccontextmanager
async def served(state: Path, *options: str) -> AsyncIterator[Served]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "subterminator", "serve", *options,
        env={"SUBTERMINATOR_STATE_DIR": str(state), "PATH": "/usr/bin:/bin", "HOME": str(state)},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    lines: list[str] = []
    async with asyncio.timeout(60):
        while not any("asyncio.run(main())" in line for line in lines):
            line = (await process.stdout.readline()).decode()
            assert line, await process.stderr.read() if process.stderr else ""
            lines.append(line)
    yield Served(process, lines)
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(30):
        assert await process.wait() == 0


async def test_it_prints_how_to_connect_and_keeps_port_and_token(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with served(state, "--scopes", "readonly") as first:
        token_file = state / "server" / "token"
        assert str(token_file) in "".join(first.lines) and "readonly" in first.lines[1]
        assert token_file.stat().st_mode & 0o777 == 0o600
        token = token_file.read_text(encoding="ascii").strip()
        assert token not in "".join(first.lines)
        async with connect(first.address, token_file=token_file) as remote:
            assert remote.capabilities["limits"]["maxPages"] == 10
            with pytest.raises(errors.OutOfScope, match="browser/launch"):
                await remote.request("browser/launch")
        address = first.address
    assert first.process.returncode == 0
    async with served(state, "--approver-token-file", str(tmp_path / "me" / "token")) as second:
        assert second.address == address
        assert token_file.read_text(encoding="ascii").strip() == token
        other = (tmp_path / "me" / "token").read_text(encoding="ascii").strip()
        assert other != token
        with pytest.raises(errors.Refused, match="401"):
            async with connect(f"{second.address}/?token={token}", token="x" * 43):
                pass


def run(state: Path, *options: str) -> tuple[int, str]:
    env = {"SUBTERMINATOR_STATE_DIR": str(state)}
    done = CliRunner().invoke(main, ["serve", *options], env=env)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done.exit_code, done.output


def test_what_cannot_work_is_said_at_once(tmp_path: Path) -> None:
    state = tmp_path / "state"
    code, said = run(state, "--scopes", "everything")
    assert code == 2 and "no scope 'everything'" in said and "readonly" in said
    code, said = run(state, "--allow-origin", "https://*.example")
    assert code == 2 and "no origin" in said
    own = state / "server" / "token"
    code, said = run(state, "--approver-token-file", str(own))
    assert code == 2 and "cannot also be that of the person" in said
    own.chmod(0o644)
    code, said = run(state)
    assert code == 2 and "chmod 600" in said


async def test_a_port_in_use_is_said_with_the_way_out(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    code, said = await asyncio.to_thread(run, tmp_path / "state", "--port", str(port))
    server.close()
    assert code == 2 and f"Port {port} cannot be used" in said and "--port" in said


def test_the_risk_of_tokens_in_addresses_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    from subterminator.doors.serve import QUERY_WARNING, Flags, _tell
    from subterminator.doors.server.application import Address

    flags = Flags(
        port=None, token_file=None, approver_token_file=None, scopes="standard", sites=None,
        allow_query_token=True, allow_origin=(), headless=None, browser=None, approval_seconds=20, rate=50,
    )  # fmt: skip
    _tell(flags, Address(7), Path("/somewhere/token"))
    told = capsys.readouterr()
    assert "BAPClient('ws://127.0.0.1:7'" in told.out and QUERY_WARNING in told.err

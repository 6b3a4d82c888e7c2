"""The program in docs/client.md does what the page says."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.doors.server.running import running
from tests.site import Site

DOCS = Path(__file__).parents[2] / "docs" / "client.md"


async def test_the_program_of_the_page_runs(
    tmp_path: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o700)
    page = "<a href=#more>More information</a><label>Name <input></label><button>Next</button>"
    [code] = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    async with running(tmp_path) as server:
        token = tmp_path / "token"
        token.write_text(server.token, encoding="ascii")
        token.chmod(0o600)
        code = code.replace("ws://127.0.0.1:8765", server.address.websocket)
        code = code.replace("~/.local/state/subterminator/server/token", str(token))
        code = code.replace("https://example.com", site.page(page, title="Example"))
        await asyncio.to_thread(exec, code, {"__name__": "example"})
    printed = capsys.readouterr().out
    assert 'link "More information"' in printed and "2 of 2" in printed

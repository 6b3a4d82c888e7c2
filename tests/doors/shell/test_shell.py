"""Verbs against a session in the background, with a real browser."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from subterminator.page.tokens import estimate
from tests.doors.shell.conftest import COMMAND, Shell, environ
from tests.site import Site
from tests.terminals import ROOT, SECONDS, window

APPROVE = [*COMMAND, "approve"]
FORM = """
<h1>Profile</h1>
<label>Name <input></label>
<label>Plan <select><option>Basic<option>Large</select></label>
<label><input type=checkbox> News</label>
<input type=file aria-label=Picture>
<button onclick="fetch('/saved?' + document.querySelector('input').value)">Save</button>
<button onclick="setTimeout(() => out.textContent = 'late words', 300)">Later</button>
<p id=out></p>
<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr><tr><td>Milk</td><td>2</td></tr></table>
<button onclick="fetch('/harm')">Finish cancellation</button>
"""


async def run(shell: Shell, *words: str, **more: object) -> subprocess.CompletedProcess[str]:
    """In a thread: the site that the browser asks lives in this one."""
    return await asyncio.to_thread(shell, *words, **more)


@pytest.fixture
async def page(shell: Shell, site: Site) -> str:
    site.pages["/harm"] = "done"
    site.pages["/saved"] = "done"
    shown = await run(shell, "open", site.page(FORM))
    return shown.stdout


async def test_open_shows_the_page_and_verbs_act_on_its_refs(
    shell: Shell, site: Site, page: str
) -> None:
    ref = page.partition(' textbox "Name"')[0].split()[-1]
    filled = await run(shell, "fill", ref, "Ada Lovelace")
    assert f'fill {ref} textbox "Name": done' in filled.stdout
    assert '="Ada Lovelace" (was empty)' in filled.stdout
    await run(shell, "select", "label:Plan", "Large")
    await run(shell, "check", "label:News")
    await run(shell, "click", "role:button:Save")
    assert [r.query for r in site.requests if r.path == "/saved"] == ["Ada%20Lovelace"]
    seen = (await run(shell, "snapshot")).stdout
    assert '="Large"' in seen and "checked" in seen


async def test_a_wait_sees_what_comes_late(shell: Shell, page: str) -> None:
    await run(shell, "click", "role:button:Later")
    assert "late words" in (await run(shell, "wait", "--text", "late words")).stdout


async def test_several_steps_are_one_command_and_a_failure_comes_first(
    shell: Shell, site: Site, page: str
) -> None:
    good = await run(shell, "execute", "fill label:Name 'Bo Li'", "click role:button:Save")
    assert "all 2 steps done" in good.stdout
    assert site.hits["/saved"] == 1
    bad = await run(shell, "execute", "-", typed="click @e999\nclick role:button:Save\n", code=1)
    assert bad.stdout.startswith("FAILED step 1: ref_invalid")
    assert "2: not run" in bad.stdout
    assert site.hits["/saved"] == 1
    steps = json.dumps([{"do": {"action": "click", "target": "role:button:Save"}}])
    await run(shell, "execute", "-", typed=steps)
    assert site.hits["/saved"] == 2


async def test_json_is_for_programs_on_success_and_on_error(shell: Shell, page: str) -> None:
    good = json.loads((await run(shell, "find", "save", "--json")).stdout)
    assert good["ok"] and good["value"][0]["name"] == "Save"
    bad = json.loads((await run(shell, "click", "@e999", "--json", code=1)).stdout)
    assert bad["error"]["code"] == "ref_invalid" and bad["error"]["next_step"]


async def test_a_budget_bounds_the_answer(shell: Shell, site: Site, page: str) -> None:
    long = "".join(
        f"<p>Paragraph {n} with words to read</p><button>Do {n}</button>" for n in range(400)
    )
    shown = await run(shell, "open", site.page(long), "--budget", "400")
    assert estimate(shown.stdout) < 520
    assert "Left out to fit" in shown.stdout


async def test_data_and_pictures_and_files(shell: Shell, page: str, tmp_path: Path) -> None:
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"Item": {"type": "string"}, "Price": {"type": "number"}},
        },
    }
    found = json.loads((await run(shell, "extract", json.dumps(schema))).stdout)
    assert found["data"] == [{"Item": "Tea", "Price": 3}, {"Item": "Milk", "Price": 2}]
    told = await run(shell, "screenshot", "--out", str(tmp_path / "seen.png"))
    assert (tmp_path / "seen.png").read_bytes().startswith(b"\x89PNG")
    assert str(tmp_path / "seen.png") in told.stdout
    nowhere = await run(shell, "screenshot", "--out", "/nowhere/x.png", code=1)
    assert "Use --out PATH" in nowhere.stderr


async def test_what_is_wrong_is_said_with_the_next_step(shell: Shell, page: str) -> None:
    missing = await run(shell, "fill", "@e1", code=2)
    assert "fill lacks value" in missing.stdout and "subterminator fill --help" in missing.stdout
    assert "has no option --loud" in (await run(shell, "click", "@e1", "--loud", code=2)).stdout
    assert "a whole number" in (await run(shell, "click", "@e1", "--count=x", code=2)).stdout
    nobody = await run(shell, "snapshot", "-s", "other", code=1)
    assert nobody.stderr == "No session 'other' is open. Run: subterminator open URL\n"
    assert "no name" in (await run(shell, "snapshot", "-s", "../x", code=2)).stderr
    assert "cannot be changed" in (await run(shell, "open", "--show", code=2)).stdout


async def test_sessions_have_names_and_their_sockets_are_for_this_user_alone(
    shell: Shell, site: Site, page: str, state: Path
) -> None:
    listed = json.loads((await run(shell, "sessions", "list", "--json")).stdout)
    assert listed["name"] == "default" and listed["url"] == f"{site.address}/"
    folder = state / "shell"
    if not folder.exists():
        pytest.skip("the path of this state folder is too long: its sockets are elsewhere")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "default.sock").lstat().st_mode) == 0o600


async def test_a_closed_session_can_be_opened_again_at_once_and_an_idle_one_ends(
    shell: Shell, site: Site
) -> None:
    url = site.page("Here")
    await run(shell, "open", url, "-s", "short")
    assert (await run(shell, "close", "-s", "short")).stdout == "Session short is closed.\n"
    # It is gone for good when `close` is back, so that the next can begin at once.
    await run(shell, "open", url, "-s", "short", "--idle", "1")
    listed = (await run(shell, "sessions", "list", "--json")).stdout.splitlines()
    [pid] = [one["pid"] for one in map(json.loads, listed) if one["name"] == "short"]
    async with asyncio.timeout(SECONDS):
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.2)
    assert "short" not in (await run(shell, "sessions")).stdout


async def test_g14_an_agent_with_a_shell_cannot_approve_what_it_asked_for(
    shell: Shell, site: Site, page: str, state: Path
) -> None:
    click = await asyncio.create_subprocess_exec(
        *COMMAND, "click", "role:button:Finish cancellation",
        env=environ(state), cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert click.stderr
    async with asyncio.timeout(SECONDS):
        assert b"Waiting for a person" in await click.stderr.readline()
    async with window(APPROVE, environ(state)) as seen:
        await seen.until("Type yes to agree")
        seen.type("yes\n")
        await seen.until("belongs to who asked")
    # Who goes away takes the question along.
    click.terminate()
    await click.wait()
    async with asyncio.timeout(SECONDS):
        while "0" not in (await run(shell, "sessions", "--json")).stdout.rpartition("waiting")[2]:
            pass
    assert site.hits["/harm"] == 0


ALONE = """
import os, subprocess, sys
if os.fork():
    os._exit(0)
os.setsid()
def run(*words):
    done = subprocess.run([sys.executable, "-m", "subterminator", *words], capture_output=True, text=True)
    print(done.returncode, " | ".join(done.stdout.splitlines()), flush=True)
run("open", sys.argv[1], "-s", "alone")
run("click", "role:button:Finish cancellation", "-s", "alone")
run("close", "-s", "alone")
"""


async def test_a_person_approves_in_a_terminal_of_their_own(site: Site, state: Path) -> None:
    site.pages["/harm"] = "done"
    url = site.page(FORM)
    agent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ALONE, url, env=environ(state), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert agent.stdout
    async with asyncio.timeout(SECONDS):
        assert (await agent.stdout.readline()).startswith(b"0 navigate: done")
        while True:
            listed = await asyncio.to_thread(
                subprocess.run, [*APPROVE, "--list"], env=environ(state), cwd=ROOT,
                capture_output=True, text=True,
            )  # fmt: skip
            if "shell session alone" in listed.stdout:
                break
    assert site.hits["/harm"] == 0
    async with window(APPROVE, environ(state)) as seen:
        shown = await seen.until("Type yes to agree")
        assert '"Finish cancellation"' in shown
        seen.type("yes\n")
        await seen.until("Answered: yes.")
    async with asyncio.timeout(SECONDS):
        clicked = (await agent.stdout.readline()).decode()
        assert clicked.startswith("0 click"), clicked
        await agent.stdout.readline()
    assert site.hits["/harm"] == 1


def test_a_verb_loads_the_standard_library_alone(shell: Shell, state: Path) -> None:
    shell("open", "about:blank")
    probe = (
        "import sys; sys.argv = ['subterminator', 'tabs']\n"
        "from subterminator.doors.entry import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(sorted({m.partition('.')[0] for m in sys.modules}))\n"
        "print(sorted(m for m in sys.modules if m.startswith('subterminator')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        env=environ(state),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    *_, tops, ours = done.stdout.splitlines()
    foreign = set(eval(tops)) - set(sys.stdlib_module_names) - {"__main__", "subterminator"}
    # What a .pth file of the environment loads at the start is not ours.
    assert not {"click", "msgspec", "websockets", "mcp", "pydantic", "asyncio"} & set(eval(tops))
    assert not {
        name for name in foreign if not name.startswith(("_", "sitecustomize", "usercustomize"))
    }
    assert eval(ours) == [
        "subterminator", "subterminator.doors", "subterminator.doors.entry",
        "subterminator.doors.exit_codes",
        "subterminator.doors.shell", "subterminator.doors.shell.fast", "subterminator.doors.shell.places",
    ]  # fmt: skip


def test_a_socket_that_others_could_reach_is_not_talked_to(
    shell: Shell, state: Path, tmp_path: Path
) -> None:
    shell("open", "about:blank")
    folder = state / "shell"
    if not folder.exists():
        pytest.skip("the path of this state folder is too long: its sockets are elsewhere")
    os.chmod(folder / "default.sock", 0o666)
    try:
        assert "not yours alone" in shell("snapshot", code=9).stderr
    finally:
        os.chmod(folder / "default.sock", 0o600)

"""Planted secrets turn up in no byte that is written and in no message for a model."""

from __future__ import annotations

import base64
import gzip
import os
import stat
from pathlib import Path

import pytest

import subterminator
from subterminator import actions as a
from subterminator.agents.loop import run
from subterminator.agents.moves import Act, Complete, Move, Observation
from subterminator.agents.scripted import Scripted
from subterminator.config import load
from subterminator.machine import this_machine
from subterminator.safety.fence import Fence
from subterminator.safety.limits import Limits
from tests.conftest import Person
from tests.site import Answer, Site

PASSWORD = "correct-horse-77"
CODE = "837261"
CARD = "4539 1488 0343 6467"
COOKIE = "c00kie-7f3a91be22d94c1a8e5b"
KEY = "sk-live-9aKq2LmX8vTz4RwB7nYc1D"
MAIL = "ada.lovelace@example.org"
CANARIES = {"password": PASSWORD, "code": CODE, "card": CARD, "cookie": COOKIE, "key": KEY}
PAGE = f"""<h1>Account of {MAIL}</h1>
  <p>Your verification code is {CODE}. Card on file: {CARD}. API key: {KEY}</p>
  <form action=/pay><label>Password <input type=password value='{PASSWORD}'></label>
  <label>One-time code <input autocomplete=one-time-code value={CODE}></label>
  <label>Card number <input autocomplete=cc-number value='{CARD}'></label>
  <label>Note <input id=note></label>
  <button onclick="alert('Code {CODE} for {CARD}'); return false">Pay $5 with {CARD}</button></form>
  <a href='/next?token={KEY}'>Next</a>"""


def forms(secret: str) -> list[bytes]:
    """How a secret may lie in a file: as it is, without blanks, coded."""
    plain = [secret, secret.replace(" ", "")]
    raw = [text.encode() for text in plain]
    # Inside other data base64 begins at one of three places; the middle is the same.
    coded = [base64.b64encode(pad + text)[4:-4] for text in raw for pad in (b"", b"x", b"xy")]
    return raw + [code for code in coded if len(code) >= 8]


def traces(data: bytes) -> list[str]:
    found = [name for name, secret in CANARIES.items() if any(f in data for f in forms(secret))]
    if data[:2] == b"\x1f\x8b":
        found += traces(gzip.decompress(data))
    return found


@pytest.fixture
async def left(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run all that can be asked of that page; what a model was told."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    site.pages["/next"] = Answer(PAGE, headers=(("Set-Cookie", f"session={COOKIE}"),))
    person = Person()
    person.says = True
    told: list[str] = []

    def watch(seen: Observation) -> Move:
        told.append(seen.text())
        return moves.pop(0) if moves else Complete("failed")

    moves: list[Move] = [
        Act(a.Fill("label:Password", "x")),
        Act(a.Fill("#note", "harmless")),
        Act(a.Click("css:button"), said=f"Pay with {CARD}"),
        Act(a.Dialog(accept=True)),
        Act(a.Click("role:link:Next")),
        Act(a.Screenshot()),
        Act(a.ReadText()),
        Act(a.Click("#not-there")),
    ]
    settings = load(this_machine(), {"auth_timeout_ms": 300})
    async with subterminator.open(site.page(PAGE), human=person, settings=settings) as session:
        await run(
            session, Scripted(watch), human=person, limits=Limits(), fence=Fence(), verify=None
        )
    return told


async def test_d1_no_secret_is_written_and_none_reaches_a_model(
    left: list[str], tmp_path: Path
) -> None:
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 2 and len(left) >= 6
    for path in files:
        assert traces(path.read_bytes()) == [], path.name
    for message in left:
        assert traces(message.encode()) == [], message
    assert not [message for message in left if MAIL in message]


async def test_d2_nothing_in_the_state_folder_is_open_to_others(
    left: list[str], tmp_path: Path
) -> None:
    for folder, _, names in os.walk(tmp_path / "subterminator"):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        for name in names:
            assert stat.S_IMODE(os.stat(Path(folder, name)).st_mode) == 0o600, name


def test_the_search_for_secrets_finds_them() -> None:
    assert traces(f"xx{PASSWORD}".encode()) == ["password"]
    assert traces(base64.b64encode(f"some {CARD} card".encode())) == ["card"]
    assert traces(gzip.compress(KEY.encode())) == ["key"]

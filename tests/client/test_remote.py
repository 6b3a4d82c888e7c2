"""The Python client: a session at a server, with the verbs of a local one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from subterminator import actions as a
from subterminator import errors
from subterminator.client import ConnectionLost, Remote, connect, step
from subterminator.client.remote import Choices
from subterminator.client.remote import Remote as RemoteSession
from subterminator.session import Session
from subterminator.verbs import Verbs
from tests.doors.server.running import Running, running
from tests.site import Answer, Request, Site

PAGE = (
    "<label>Name <input id=name></label><label><input type=checkbox> News</label>"
    "<button onclick=\"fetch('/pressed')\">Go on</button><iframe name=kid src=/frame></iframe>"
    "<select aria-label=Plan><option>Basic<option>Pro</select>"
)


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    state = tmp_path_factory.mktemp("client")
    state.chmod(0o700)
    async with running(state) as server:
        yield server


@pytest.fixture
async def remote(server: Running) -> AsyncIterator[Remote]:
    async with connect(server.address.websocket, token=server.token) as remote:
        yield remote


async def test_it_does_what_a_local_session_does(remote: Remote, site: Site) -> None:
    site.pages["/pressed"] = "ok"
    site.page("<p>Inside", "/frame")
    reply = await remote.navigate(site.page(PAGE, title="Remote"))
    assert reply.page.title == "Remote" and reply.snapshot
    await remote.fill("label:Name", "Ada")
    await remote.type(" L.", "label:Name")
    await remote.select("label:Plan", "Pro")
    await remote.check("label:News")
    reply = await remote.click("text:Go on")
    assert reply.target and reply.target.role == "button" and site.hits["/pressed"] == 1
    snapshot = await remote.snapshot()
    field = next(element for element in snapshot.elements if element.role == "textbox")
    assert field.facts.value == "Ada L." and "Ada L." in snapshot.text()
    assert (await remote.find("go on"))[0].role == "button"
    assert "Inside" in await remote.text(frame="kid")
    assert [frame.name for frame in await remote.frames()] == ["", "kid"]
    assert (await remote.screenshot()).startswith(b"\x89PNG")
    assert [tab.current for tab in await remote.tabs()] == [True]
    outcome = await remote.execute(a.Fill("label:Name", "B"), a.Click("text:Nowhere"))
    assert outcome.completed == 1 and outcome.failed_at == 1
    assert isinstance(outcome.results[1].error, errors.ElementNotFound)


async def test_a_reply_says_what_changed_though_the_page_is_sent_once(
    remote: Remote, site: Site
) -> None:
    await remote.navigate(site.page("<button onclick=\"this.textContent='Done'\">Do</button>"))
    first = await remote.snapshot()
    again = await remote.snapshot()
    assert again.elements == first.elements and again.id != first.id
    reply = await remote.click("text:Do")
    assert reply.changes and "Done" in reply.changes.text(300)


async def test_its_errors_are_those_of_a_session(remote: Remote, site: Site) -> None:
    await remote.navigate(site.page("<button>Twin</button><button>Twin</button>"))
    with pytest.raises(errors.SelectorAmbiguous, match="2 elements"):
        await remote.click("text:Twin")
    with pytest.raises(errors.RefInvalid):
        await remote.click("@e999")
    with pytest.raises(errors.InvalidParams):
        await remote.call({"action": "explode"})
    with pytest.raises(errors.PageNotFound, match="page"):
        await remote.observe(pageId="nowhere")


async def test_methods_of_the_protocol_are_there_too(remote: Remote, site: Site) -> None:
    site.pages["/pressed"] = "ok"
    await remote.navigate(site.page(PAGE))
    name = {"selector": {"type": "label", "value": "Name"}, "value": "Ada"}
    done = await remote.act(
        step("action/fill", name, label="name"),
        step("action/click", {"selector": {"type": "text", "value": "Go on"}}),
        postObserve={"includeInteractiveElements": True},
    )
    assert done["success"] and site.hits["/pressed"] == 1
    assert (await remote.observe())["metadata"]["title"] == "Test"
    got = await remote.extract({"type": "object", "properties": {"name": {"type": "string"}}})
    assert got["data"] == {"name": "Ada"}
    with pytest.raises(errors.InvalidParams, match="onErrors"):
        step("action/click", {}, onErrors="skip")


async def test_a_dropped_connection_in_a_call_loses_nothing_and_repeats_nothing(
    server: Running, site: Site
) -> None:
    held = asyncio.Event()

    async def slow(_: Request) -> Answer:
        held.set()
        await asyncio.sleep(0.5)  # the time that the page's own request takes
        return Answer("ok")

    site.pages["/pressed"] = slow
    async with connect(server.address.websocket, token=server.token) as remote:
        await remote.navigate(site.page(PAGE))
        press = asyncio.create_task(remote.click("text:Go on"))
        await held.wait()
        assert remote._connection
        remote._connection._socket.transport.abort()
        reply = await press
        assert reply.target and reply.target.name == "Go on"
        assert site.hits["/pressed"] == 1
        # And the session is the same one.
        assert (await remote.snapshot()).page.url == f"{site.address}/"


async def test_after_a_restart_the_answer_is_that_nobody_knows(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    site.pages["/pressed"] = "ok"
    async with running(tmp_path) as first:
        remote = RemoteSession(first.address.websocket, first.token, Choices(tries=2))
        await remote.navigate(site.page(PAGE))
    with pytest.raises(ConnectionLost, match="No server answers"):
        await remote.click("text:Go on")
    assert site.hits["/pressed"] == 0
    await remote.close()


async def test_it_says_what_is_wrong_with_the_way_in(server: Running, tmp_path: Path) -> None:
    for given, kind, words in (
        ({"token": "x" * 43}, errors.Refused, "401"),
        ({}, errors.InvalidParams, "a token or a token_file"),
        ({"token_file": tmp_path / "none"}, errors.InvalidParams, "no token file"),
    ):
        with pytest.raises(kind, match=words):
            async with connect(server.address.websocket, **given):
                pass
    with pytest.raises(ConnectionLost, match="No server answers"):
        async with connect("ws://127.0.0.1:9", token="x" * 43):
            pass


async def test_events_are_told_once(server: Running, site: Site) -> None:
    told: list[str] = []
    async with connect(server.address.websocket, token=server.token, events=("page",)) as remote:
        stop = remote.on("page", lambda event: told.append(event["type"]))
        await remote.navigate(site.page("<p>Here"))
        assert told.count("load") == 1
        stop()
        await remote.reload()
        assert told.count("load") == 1


def test_it_has_every_verb_of_a_session() -> None:
    assert issubclass(RemoteSession, Verbs) and issubclass(Session, Verbs)

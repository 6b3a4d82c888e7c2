"""The published Python client, unchanged: everything it offers works."""

from __future__ import annotations

import asyncio
import base64
import inspect
import io
import json
import zipfile
from collections.abc import AsyncIterator
from typing import Any

import pytest
from browseragentprotocol import BAPClient
from browseragentprotocol.errors import BAPError
from browseragentprotocol.types.common import WaitUntilState

from tests.doors.server.running import Running
from tests.site import Answer, Site

SHOP = """
<main><h1>Fixture Shop</h1>
<form id=login onsubmit="event.preventDefault();
  document.querySelector('#said').textContent = 'Hello ' + email.value">
<label>Email <input id=email></label>
<label>Note <input id=note value=old></label>
<label>Password <input id=pw type=password value=hunter2></label>
<select aria-label=Plan><option value=a>Basic<option value=b>Pro</select>
<label><input type=checkbox id=terms> Accept terms</label>
<input type=file id=file aria-label=Papers>
<button data-testid=save>Save note</button></form>
<p id=said></p>
<a href=/second>Second page</a>
<div role=button tabindex=0 id=custom ondblclick="document.title='twice'" onclick="said.textContent='pressed'">Custom</div>
<div draggable=true id=from style="width:80px;height:30px;background:#ccc"
  ondragstart="event.dataTransfer.setData('text/plain','x')">Drag me</div>
<div id=to style="width:120px;height:60px;background:#ddd" ondragover="event.preventDefault()"
  ondrop="said.textContent='dropped'">Here</div>
<button onclick="said.textContent = confirm('Sure?') ? 'yes' : 'no'">Question</button>
<button onclick="console.log('spoken', 1)">Speak</button>
<a href=/file>Receipt</a>
<section class=product><h3>Alpha widget</h3><span>$10.50</span></section>
<section class=product><h3>Beta widget</h3><span>$20</span></section>
<section class=product><h3>Gamma widget</h3><span>$30.25</span></section>
<table><tr><th>City<th>Population<tr><td>Oslo<td>700000<tr><td>Bergen<td>290000</table>
<iframe name=kid src=/frame></iframe>
<div style="height:3000px"></div><p>The end</p></main>
"""


@pytest.fixture
def shop(site: Site) -> str:
    site.page("<p>Second", "/second", title="Second")
    site.page("<button id=inner onclick=\"fetch('/inside')\">Inside</button>", "/frame")
    site.pages["/inside"] = "ok"
    site.pages["/file"] = Answer(
        "paid", kind="text/plain", headers=(("Content-Disposition", "attachment; filename=r.txt"),)
    )
    return site.page(SHOP, title="Fixture Shop")


@pytest.fixture
async def client(server: Running) -> AsyncIterator[BAPClient]:
    # Its only way to send a token is the address.
    async with BAPClient(
        server.address.websocket, token=server.token, events=["page", "console", "network",
                                                              "dialog", "download"]
    ) as client:  # fmt: skip
        await client.launch(browser="chromium", headless=True)
        yield client


async def test_pages_history_and_tabs(client: BAPClient, shop: str, site: Site) -> None:
    page = await client.create_page(url=shop)
    assert page.title == "Fixture Shop" and page.viewport.width == 1280
    gone = await client.navigate(
        f"{site.address}/second", wait_until=WaitUntilState.LOAD, timeout=9_000
    )
    assert gone.status == 200 and gone.url.endswith("/second")
    await client.go_back()
    await client.go_forward()
    await client.reload()
    other = await client.create_page()
    listed = await client.list_pages()
    assert [one["id"] for one in listed["pages"]] == [page.id, other.id]
    assert listed["activePage"] == other.id and listed["pages"][0]["url"].endswith("/second")
    await client.activate_page(page.id)
    await client.close_page(other.id)
    assert (await client.list_pages())["activePage"] == page.id
    await client.close_page(page.id)
    assert await client.list_pages() == {"pages": [], "activePage": ""}
    assert (await client.create_page()).url == "about:blank"


async def test_actions(client: BAPClient, shop: str, site: Site) -> None:
    await client.create_page(url=shop)
    css = {"type": "css"}
    await client.fill({"type": "label", "value": "Email"}, "ann@example.com")
    await client.type({**css, "value": "#note"}, " and new", {"delay": 1})
    note = await client.element({**css, "value": "#note"}, ["value"])
    assert note.properties == {"value": "old and new"}
    await client.type({**css, "value": "#note"}, "fresh", {"clear": True})
    assert (await client.element({**css, "value": "#note"}, ["value"])).properties[
        "value"
    ] == "fresh"
    await client.clear({**css, "value": "#note"})
    await client.select({"type": "role", "role": "combobox", "name": "Plan"}, "b")
    await client.check({**css, "value": "#terms"})
    ticked = await client.element({**css, "value": "#terms"}, ["checked"])
    assert ticked.properties == {"checked": True}
    await client.uncheck({**css, "value": "#terms"})
    await client.upload(
        {**css, "value": "#file"},
        [{"name": "a.txt", "mimeType": "text/plain", "buffer": base64.b64encode(b"x").decode()}],
    )
    await client.hover({**css, "value": "#custom"})
    await client.click({"type": "testId", "value": "save"})
    assert "Hello ann@example.com" in (await client.content("text")).content
    await client.click({"type": "text", "value": "Custom"}, {"position": {"x": 5, "y": 5}})
    assert "pressed" in (await client.content("text")).content
    await client.dblclick({**css, "value": "#custom"})
    assert (await client.dom()).title == "twice"
    await client.press("Tab")
    await client.press("a", {**css, "value": "#note"})
    await client.drag({**css, "value": "#from"}, {**css, "value": "#to"})
    assert "dropped" in (await client.content("text")).content
    await client.scroll(options={"direction": "down", "amount": 500})
    await client.scroll({"type": "text", "value": "The end"})
    end = await client.element({"type": "text", "value": "The end"}, ["boundingBox", "visible"])
    assert 0 <= end.properties["boundingBox"]["y"] < 720
    await client.handle_dialog("dismiss")
    await client.click({"type": "text", "value": "Question"})
    said = await client.element({**css, "value": "#said"}, ["text"])
    assert said.properties == {"text": "no"}


async def test_observations(client: BAPClient, shop: str) -> None:
    await client.create_page(url=shop)
    shot = await client.screenshot()
    assert shot.format.value == "jpeg" and (shot.width, shot.height) == (1280, 720)
    clip = {"x": 0, "y": 0, "width": 50, "height": 40}
    part = await client.screenshot({"format": "png", "clip": clip})
    assert base64.b64decode(part.data)[16:24] == b"\0\0\0\x32\0\0\0\x28"
    tree = (await client.accessibility()).tree
    assert tree[0].role == "main" and tree[0].children
    page = await client.dom()
    assert "Fixture Shop" in page.html and "hunter2" not in page.html + page.text
    secret = await client.element(
        {"type": "css", "value": "#pw"},
        ["visible", "enabled", "value", "attributes", "computedStyle"],
    )
    assert secret.properties["visible"] and "hunter2" not in json.dumps(secret.properties)
    assert (await client.element({"type": "css", "value": "#nope"}, ["visible"])).properties == {}
    markdown = await client.content("markdown")
    assert "# Fixture Shop" in markdown.content and "| Oslo | 700000 |" in markdown.content
    assert (await client.content("html")).format == "html"
    outline = await client.aria_snapshot()
    assert '- heading "Fixture Shop" [level=1]' in outline.snapshot
    part_of = await client.aria_snapshot({"type": "role", "role": "table"})
    assert "Oslo" in part_of.snapshot and "Fixture Shop" not in part_of.snapshot


async def test_a_page_is_printed_but_no_secret(client: BAPClient, site: Site) -> None:
    await client.create_page(url=site.page("<h1>Paper</h1>"))
    printed = await client.pdf({"format": "A4", "margin": {"top": "1cm"}})
    assert printed.pages == 1 and base64.b64decode(printed.data).startswith(b"%PDF-")


async def test_frames_hold_for_what_follows(client: BAPClient, shop: str, site: Site) -> None:
    await client.create_page(url=shop)
    frames = (await client.list_frames()).frames
    assert [frame.name for frame in frames] == ["", "kid"] and frames[0].is_main
    for way in ({"selector": {"type": "css", "value": "iframe"}},
                {"frame_id": frames[1].frame_id}, {"url": "/frame"}):  # fmt: skip
        assert (await client.switch_frame(**way)).frame_id == frames[1].frame_id
    await client.click({"type": "css", "value": "#inner"})
    assert site.hits["/inside"] == 1
    assert (await client.main_frame()).frame_id == frames[0].frame_id


async def test_storage_and_emulation(client: BAPClient, shop: str, site: Site) -> None:
    await client.create_page(url=shop)
    await client.set_cookies([{"name": "a", "value": "1", "domain": "127.0.0.1", "path": "/"}])
    assert [cookie.name for cookie in await client.get_cookies()] == ["a"]
    state = await client.get_storage_state()
    assert state.cookies[0].value == "1" and state.origins[0].origin == site.address
    await client.clear_cookies()
    assert await client.get_cookies([site.address]) == []
    await client.set_storage_state(state)
    assert [cookie.name for cookie in await client.get_cookies()] == ["a"]
    await client.set_viewport(1000, 700)
    seen = (await client.observe()).metadata
    assert seen and seen.viewport == {"width": 1000, "height": 700}
    await client.set_user_agent("Tester/2", platform="Test")
    await client.set_geolocation(52.5, 13.4, 5)
    await client.set_offline(True)
    with pytest.raises(BAPError, match="ERR_INTERNET_DISCONNECTED"):
        await client.navigate(f"{site.address}/second")
    await client.set_offline(False)
    assert (await client.navigate(f"{site.address}/second")).status == 200


async def test_contexts_are_apart(client: BAPClient, shop: str) -> None:
    made = await client.create_context("iso-1", {"viewport": {"width": 640, "height": 480}})
    page = await client.create_page(url=shop, context_id=made.context_id)
    assert page.viewport.width == 640
    await client.set_cookies([{"name": "b", "value": "2", "domain": "127.0.0.1", "path": "/"}])
    listed = await client.list_contexts()
    assert [context.page_count for context in listed.contexts] == [0, 1]
    assert (await client.destroy_context("iso-1")).pages_destroyed == 1
    await client.create_page(url=shop)
    assert await client.get_cookies() == []
    with pytest.raises(BAPError, match="iso-1"):
        await client.destroy_context("iso-1")


async def test_events_arrive(client: BAPClient, shop: str) -> None:
    heard: dict[str, list[Any]] = {name: [] for name in ("page", "console", "network", "dialog")}
    for name, told in heard.items():
        client.on(name, told.append)
    downloads: list[Any] = []
    client.on("download", downloads.append)
    page = await client.create_page(url=shop)
    await client.click({"type": "text", "value": "Speak"})
    await client.handle_dialog("dismiss")
    await client.click({"type": "text", "value": "Question"})
    await client.click({"type": "text", "value": "Receipt"})
    assert {event["type"] for event in heard["page"]} >= {"load", "domcontentloaded"}
    assert [e["text"] for e in heard["console"] if e["level"] == "log"] == ["spoken 1"]
    assert heard["dialog"][0]["message"] == "Sure?" and heard["dialog"][0]["pageId"] == page.id
    assert {event["type"] for event in heard["network"]} >= {"request", "response"}
    assert downloads[0]["suggestedFilename"] == "r.txt"
    assert downloads[-1]["state"] == "completed"


async def test_sequences_observations_and_extraction(client: BAPClient, shop: str) -> None:
    page = await client.create_page(url=shop)
    seen = await client.observe(
        include_interactive_elements=True, include_bounds=True, max_elements=50,
        filter_roles=["textbox"], include_accessibility=True, stable_refs=True,
    )  # fmt: skip
    assert seen.interactive_elements and seen.accessibility
    names = [element.name for element in seen.interactive_elements]
    assert names == ["Email", "Note", "Password"]
    assert all("hunter2" != element.value for element in seen.interactive_elements)
    email = seen.interactive_elements[0]
    steps: list[Any] = [
        BAPClient.step("action/fill", {"selector": {"type": "ref", "ref": email.ref},
                                       "value": "py@example.com"}, label="fill"),
        BAPClient.step("action/click", {"selector": {"type": "testId", "value": "save"}},
                       condition={"selector": {"type": "css", "value": "#email"},
                                  "state": "visible"}),
    ]  # fmt: skip
    done = await client.act(steps, page_id=page.id, timeout=9_000)
    assert done.success and done.completed == 2 and done.results[0].label == "fill"
    assert "Hello py@example.com" in (await client.content()).content
    item = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
    }
    found = await client.extract(
        "products", {"type": "array", "items": item}, mode="list", include_source_refs=True
    )
    assert found.data == [
        {"name": "Alpha widget", "price": 10.5},
        {"name": "Beta widget", "price": 20},
        {"name": "Gamma widget", "price": 30.25},
    ]
    assert found.sources and found.confidence and 0.3 < found.confidence < 0.9
    marked = await client.observe(annotate_screenshot=True)
    assert marked.screenshot and marked.screenshot.annotated and marked.annotation_map


async def test_traces_streams_and_capabilities(client: BAPClient, shop: str) -> None:
    assert client.capabilities and client.capabilities["browsers"] == [
        "chromium",
        "firefox",
        "webkit",
    ]
    await client.start_tracing({"name": "mine"})
    await client.create_page(url=shop)
    packed = base64.b64decode((await client.stop_tracing())["data"])
    [name] = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    lines = zipfile.ZipFile(io.BytesIO(packed)).read(name).splitlines()
    assert any(json.loads(line)["kind"] == "intent" for line in lines)
    assert (await client.cancel_stream("s1")).cancelled is False
    client.on_stream_chunk(lambda _: None)()
    client.on_stream_end(lambda _: None)()


async def test_a_second_connection_answers_what_the_first_asks(
    server: Running, client: BAPClient, site: Site
) -> None:
    site.pages["/paid"] = "paid"
    await client.create_page(
        url=site.page("<button onclick=\"fetch('/paid')\">Delete account</button>")
    )
    token = server.grant(person=True)
    asked: list[Any] = []
    async with BAPClient(server.address.websocket, token=token, events=[]) as person:
        shown = asyncio.Event()

        def show(required: Any) -> None:
            asked.append(required)
            shown.set()

        person.on_approval_required(show)
        told: list[Any] = []
        client.on_approval_required(told.append)
        press = asyncio.create_task(client.click({"type": "text", "value": "Delete account"}))
        await asyncio.wait_for(shown.wait(), 20)
        with pytest.raises(BAPError, match="person"):
            await client.respond_to_approval(asked[0].request_id, "approve")
        with pytest.raises(BAPError, match="delete"):
            await person.respond_to_approval(asked[0].request_id, "approve")
        assert site.hits["/paid"] == 0
        answer = await person.respond_to_approval(asked[0].request_id, "approve", reason="delete")
        assert answer.acknowledged
        await press
    assert asked[0].context.element_info.name == "Delete account" and told
    assert site.hits["/paid"] == 1


async def test_errors_say_what_is_wrong(client: BAPClient, shop: str) -> None:
    with pytest.raises(BAPError, match="page-x"):
        await client.activate_page("page-x")
    await client.create_page(url=shop)
    for selector, words in (
        ({"type": "ref", "ref": "@zzz"}, "@zzz"),
        ({"type": "css", "value": "#nope"}, "nope"),
        ({"type": "css", "value": "section"}, "3"),
    ):
        with pytest.raises(BAPError) as caught:
            await client.click(selector, {"timeout": 500})
        # Its own words for such errors leave out what the details hold.
        assert words in f"{caught.value} {caught.value.details}"
    with pytest.raises(BAPError, match="Blocked protocol: file"):
        await client.navigate("file:///etc/hosts")
    await client.close_browser()
    with pytest.raises(BAPError):
        await client.create_page()


def test_every_method_of_the_client_is_used_above() -> None:
    """A newer client brings more methods; then this says which."""
    source = inspect.getsource(__import__(__name__, fromlist=["x"]))
    public = [
        name
        for name, _ in inspect.getmembers(BAPClient, inspect.isfunction)
        if not name.startswith("_") and name not in {"connect", "close"}
    ]
    assert [name for name in public if f".{name}(" not in source] == []

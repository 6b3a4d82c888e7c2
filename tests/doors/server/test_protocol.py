"""The protocol itself: handshake, sequences, observations, sessions, events, streams."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from subterminator.doors.server.acting import ACTIONS
from subterminator.doors.server.limits import Limits
from tests.doors.server.running import Running, Wire, running, wire
from tests.site import Answer, Site

FORM = (
    "<label>Name <input id=name></label><label>City <input id=city></label>"
    "<label>Mail <input id=mail></label><button onclick=\"fetch('/sent?' + name.value)\">Next</button>"
    "<script>var name = document.querySelector('#name')</script>"
)


def css(value: str) -> dict[str, str]:
    return {"type": "css", "value": value}


def fill(selector: str, value: str, **more: Any) -> dict[str, Any]:
    return {"action": "action/fill", "params": {"selector": css(selector), "value": value}, **more}


def click(selector: str, **more: Any) -> dict[str, Any]:
    return {"action": "action/click", "params": {"selector": css(selector)}, **more}


async def test_the_handshake_is_the_one_published_clients_know(line: Wire) -> None:
    assert (await line.fail("page/list"))["code"] == -32001
    told = await line.get("initialize", protocolVersion="0.2.0", clientInfo=None, sessionId=None)
    assert told["protocolVersion"] == "0.7.0" and "sessionId" not in told
    assert told["capabilities"]["browsers"] == ["chromium", "firefox", "webkit"]
    assert len(told["capabilities"]["actions"]) == 13
    assert (await line.fail("initialize"))["code"] == -32002
    assert (await line.fail("agent/observe", pageId=None))["code"] == -32011
    assert (await line.fail("context/create"))["code"] == -32010
    assert (await line.ask("shutdown")) == {"jsonrpc": "2.0", "id": line._id}
    assert (await line.fail("page/list"))["code"] == -32001
    await line.get("initialize")


async def test_both_spellings_act_and_observe(line: Wire, site: Site) -> None:
    site.pages["/sent"] = "ok"
    await line.begin(site.page(FORM))
    for act, observe in (("agent/act", "agent/observe"), ("agent/execute", "agent/snapshot")):
        done = await line.get(
            act,
            steps=[fill("#name", "Ada"), fill("#city", "Oslo", label="city"), click("button")],
            postObserve={"includeInteractiveElements": True, "maxElements": 2},
        )
        assert done["success"] and done["completed"] == done["total"] == 3
        assert done["results"][1]["label"] == "city" and "failedAt" not in done
        seen = done["postObservation"]["interactiveElements"]
        assert [one["value"] for one in seen] == ["Ada", "Oslo"]
        assert done["postObservation"]["totalInteractiveElements"] == 4
        assert (await line.get(observe))["metadata"]["title"] == "Test"
    assert site.hits["/sent"] == 2


async def test_a_sequence_is_checked_as_a_whole_before_its_first_step(
    line: Wire, site: Site
) -> None:
    site.pages["/sent"] = "ok"
    await line.begin(site.page(FORM))
    bad: tuple[list[dict[str, Any]], ...] = (
        [],
        [click("button")] * 51,
        [click("button"), {"action": "storage/getCookies", "params": {}}],
        [click("button"), {"action": "action/fill", "params": {"selector": css("#name")}}],
        [click("button"), click("button", maxRetries=9)],
        [click("button"), click("button", retryDelay=1)],
        [click("button"), click("a[")],
        [click("button"), {"action": "page/navigate", "params": {"url": "file:///x"}}],
    )
    for steps in bad:
        assert (await line.fail("agent/act", steps=steps))["code"] == -32602
    assert site.hits["/sent"] == 0
    allowed = (await line.fail("agent/act", steps=bad[2]))["message"]
    assert all(name in allowed for name in ACTIONS)


async def test_a_sequence_that_fails_is_a_call_that_succeeds(line: Wire, site: Site) -> None:
    await line.begin(site.page(FORM))
    nothing = {"selector": css("#nope"), "state": "visible", "timeout": 100}
    done = await line.get("agent/act", steps=[fill("#name", "A"), click("b", condition=nothing),
                                              fill("#city", "B")])  # fmt: skip
    assert (done["completed"], done["failedAt"], done["success"]) == (1, 1, False)
    assert done["results"][1]["error"]["code"] == -32602 and len(done["results"]) == 2
    done = await line.get(
        "agent/act",
        steps=[click("b", condition=nothing), fill("#city", "B")],
        continueOnConditionFail=True,
    )
    assert done["completed"] == 1 and "failedAt" not in done
    missing = {
        "action": "action/click",
        "params": {"selector": css("#x"), "options": {"timeout": 200}},
    }
    done = await line.get(
        "agent/act",
        steps=[{**missing, "onError": "skip"}, {**missing, "onError": "retry", "maxRetries": 2,
                                                "retryDelay": 100}, fill("#mail", "C")],
        timeout=4_000,
    )  # fmt: skip
    first, second = done["results"]
    assert first["error"]["code"] == -32012 and done["failedAt"] == 1
    assert second["retries"] == 1 and second["duration"] < 3_000


async def test_what_is_typed_after_clearing_is_one_step(line: Wire, site: Site) -> None:
    await line.begin(site.page("<input id=a value=old><input id=b>"))
    typing = {"selector": css("#a"), "value": "new", "options": {"clear": True}}
    done = await line.get("agent/act", steps=[{"action": "action/type", "params": typing},
                                              fill("#b", "x")])  # fmt: skip
    assert done["total"] == 2 and [one["step"] for one in done["results"]] == [0, 1]
    told = await line.get("observe/element", selector=css("#a"), properties=["value"])
    assert told["value"] == "new"


async def test_an_unchanged_page_is_told_in_less_than_a_kilobyte(line: Wire, site: Site) -> None:
    rows = "".join(f"<button id=b{n}>Button {n}</button>" for n in range(80))
    await line.begin(site.page(f"{rows}<script>var n = 0</script>"))
    wanted = {"includeInteractiveElements": True, "incremental": True}
    first = await line.get("agent/observe", **wanted)
    assert len(first["interactiveElements"]) == 80 and "changes" not in first
    answer = await line.ask("agent/observe", **wanted)
    assert answer["result"]["unchanged"] and len(json.dumps(answer)) < 1_000
    await line.get("action/hover", selector=css("#b1"))
    site.page("<button id=b0>Button 0</button><button>New</button>")
    await line.get("page/reload")
    changes = (await line.get("agent/observe", **wanted))["changes"]
    assert len(changes["added"]) == 2 and len(changes["removed"]) == 80
    tiny = await line.get("agent/observe", responseTier="minimal")
    assert set(tiny["interactiveElements"][0]) == {
        "ref", "selector", "role", "name", "tagName", "actionHints",
    }  # fmt: skip


async def test_every_ref_and_selector_that_is_given_works(line: Wire, site: Site) -> None:
    await line.begin(site.page(FORM + "<button>Twin</button><button>Twin</button>"))
    seen = await line.get("agent/observe", includeInteractiveElements=True, stableRefs=False)
    for element in seen["interactiveElements"]:
        for selector in (element["selector"], {"type": "ref", "ref": element["ref"]}):
            assert await line.get("action/hover", selector=selector) is None


async def test_a_session_survives_its_connection_and_only_for_its_token(
    server: Running, site: Site
) -> None:
    token = server.grant("privileged")
    async with wire(server, token) as line:
        assert (await line.get("initialize", sessionId="mine"))["resumed"] is False
        await line.get("browser/launch")
        page = (await line.get("page/create", url=site.page(FORM)))["id"]
        await line.get("action/fill", selector=css("#name"), value="Ada")
    async with wire(server, server.grant("privileged")) as thief:
        assert (await thief.get("initialize", sessionId="mine"))["resumed"] is False
        assert (await thief.get("page/list"))["pages"] == []
    async with wire(server, token) as line:
        assert (await line.get("initialize", sessionId="mine"))["resumed"] is True
        told = await line.get("observe/element", selector=css("#name"), properties=["value"])
        assert told["value"] == "Ada"
        async with wire(server, token) as second:
            assert (await second.get("initialize", sessionId="mine"))["resumed"] is True
            with pytest.raises(ConnectionClosed) as closed:
                await line.receive()
            assert closed.value.rcvd and closed.value.rcvd.code == 4001
            assert (await second.get("page/list"))["activePage"] == page
            await second.get("shutdown")


async def test_a_session_that_nobody_takes_up_ends(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path, Limits(parked_seconds=0.2)) as server:
        async with wire(server) as line:
            await line.get("initialize", sessionId="mine")
            await line.get("browser/launch")
        rooms = await server.service.browsers.for_all()
        async with asyncio.timeout(20):
            while rooms.count:
                async with wire(server) as other:
                    await other.get("initialize")
        async with wire(server) as line:
            assert (await line.get("initialize", sessionId="mine"))["resumed"] is False


async def test_a_held_request_is_answered_while_the_page_waits_for_it(
    line: Wire, site: Site
) -> None:
    page = (
        "<p></p><button onclick=\"fetch('/data').then(r => r.text())"
        ".then(t => document.querySelector('p').textContent = t)\">Ask</button>"
    )
    await line.begin(site.page(page))
    await line.get("events/subscribe", events=["network"])
    await line.get("network/intercept", patterns=[{"urlPattern": "**/data"}], handler="callback")
    line._id += 1
    press = {"jsonrpc": "2.0", "id": line._id, "method": "action/click",
             "params": {"selector": css("button")}}  # fmt: skip
    await line.send(json.dumps(press))
    while True:
        message = await line.receive()
        if message.get("params", {}).get("intercepted"):
            break
    held = message["params"]["requestId"]
    line._id += 1
    fulfil = {"jsonrpc": "2.0", "id": line._id, "method": "network/fulfill",
              "params": {"requestId": held, "response": {"body": "ours", "contentType": "text/plain"}}}  # fmt: skip
    await line.send(json.dumps(fulfil))
    answers = [await line.answer(), await line.answer()]
    assert not any("error" in answer for answer in answers)
    assert (await line.get("observe/element", selector=css("p"), properties=["text"]))[
        "text"
    ] == "ours"
    assert site.hits["/data"] == 0
    assert (await line.fail("network/abort", requestId=held))["code"] == -32602
    await line.get("network/intercept", patterns=[{"resourceType": "document"}], handler="callback")
    line._id += 1
    going = {"jsonrpc": "2.0", "id": line._id, "method": "page/reload", "params": {}}
    await line.send(json.dumps(going))
    while not (message := await line.receive()).get("params", {}).get("intercepted"):
        pass
    held = message["params"]["requestId"]
    line._id += 1
    fulfil["id"], fulfil["params"]["requestId"] = line._id, held  # type: ignore[index]
    await line.send(json.dumps(fulfil))
    assert "not answered from outside" in (await line.answer())["error"]["message"]
    line._id += 1
    goes_on = {"jsonrpc": "2.0", "id": line._id, "method": "network/continue",
               "params": {"requestId": held}}  # fmt: skip
    await line.send(json.dumps(goes_on))
    answers = [await line.answer(), await line.answer()]
    assert not any("error" in answer for answer in answers)
    await line.get("network/intercept", patterns=[], handler="continue")


async def test_a_large_result_comes_in_pieces_to_who_can_take_them(
    server: Running, site: Site
) -> None:
    async with wire(server) as line:
        await line.get("initialize", capabilities={"streaming": True})
        await line.get("browser/launch")
        await line.get("page/create", url=site.page("<p>" + "word " * 300_000))
        told = await line.get("observe/content", format="html")
        assert told["content"] == "" and told["streamId"]
        pieces: list[dict[str, Any]] = list(line.notices)
        while not any(one["method"] == "stream/end" for one in pieces):
            pieces.append(await line.receive())
        chunks = [one["params"] for one in pieces if one["method"] == "stream/chunk"]
        text = "".join(chunk["data"] for chunk in chunks)
        end = next(one["params"] for one in pieces if one["method"] == "stream/end")
        assert [chunk["index"] for chunk in chunks] == list(range(end["totalChunks"]))
        assert end["totalSize"] == len(text) and text.count("word") == 300_000
        assert end["checksum"] == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


async def test_what_a_client_may_not_decide_is_refused_with_the_way_out(line: Wire) -> None:
    await line.get("initialize")
    for wish in (
        {"browser": "firefox"},
        {"userDataDir": "/tmp/x"},
        {"cdpUrl": "ws://127.0.0.1:9/"},
        {"downloadsPath": "/tmp"},
        {"proxy": {"server": "p:1", "username": "a", "password": "b"}},
    ):
        error = await line.fail("browser/launch", **wish)
        assert error["code"] == -32602 and error["data"]["recoveryHint"]
    told = await line.get("browser/launch", args=["--no-sandbox", "--disable-web-security"])
    assert told["ignored"] == ["--no-sandbox", "--disable-web-security"]


async def test_addresses_that_nobody_opens(line: Wire, site: Site) -> None:
    await line.begin()
    for url in ("file:///etc/hosts", "javascript:alert(1)", "data:text/html,x", "chrome://version"):
        error = await line.fail("page/navigate", url=url)
        assert error["code"] == -32602 and error["message"].startswith("Blocked protocol")
    for url in ("http://169.254.169.254/latest", "http://[fd00:ec2::254]/"):
        assert (await line.fail("page/navigate", url=url))["message"].startswith("Blocked host")
    error = await line.fail("page/navigate", url="http://127.0.0.1:9/")
    assert error["code"] == -32015 and error["data"]["details"]["url"]


async def test_a_server_with_sites_lets_clients_go_nowhere_else(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    limits = Limits(approval_seconds=1)
    async with running(tmp_path, limits, sites=["127.0.0.1"]) as server, wire(server) as line:
        await line.begin(site.page("<p>Here"))
        error = await line.fail("page/navigate", url=f"{site.other}/")
        assert error["code"] in {-32030, -32031}
        steps = [{"action": "page/navigate", "params": {"url": f"{site.other}/"}}]
        done = await line.get("agent/act", steps=steps)
        assert not done["success"]
        assert [request.path for request in site.requests].count("/") == 1


async def test_a_page_that_a_page_opens_is_listed_and_can_be_used(line: Wire, site: Site) -> None:
    site.page("<h1>Popup</h1>", "/popup")
    first = await line.begin(site.page("<a href=/popup target=_blank>Open</a>"))
    await line.get("action/click", selector={"type": "text", "value": "Open"})
    pages = (await line.get("page/list"))["pages"]
    [other] = [one["id"] for one in pages if one["id"] != first]
    await line.get("page/activate", pageId=other)
    assert "Popup" in (await line.get("observe/content"))["content"]
    assert "Open" in (await line.get("observe/content", pageId=first))["content"]


async def test_nothing_that_was_typed_is_in_the_records(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path) as server, wire(server) as line:
        await line.begin(site.page(FORM))
        await line.get("agent/act", steps=[fill("#mail", "canary@example.org")])
        await line.get("storage/setCookies", cookies=[{"name": "sid", "value": "c00kie-canary",
                                                       "domain": "127.0.0.1"}])  # fmt: skip
        assert server.token
        token = server.token.encode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "events.jsonl" for path in files)
    for path in files:
        data = path.read_bytes()
        assert b"c00kie-canary" not in data and token not in data
        assert path.stat().st_mode & 0o077 == 0


async def test_tools_that_a_page_offers_by_its_forms_are_found(line: Wire, site: Site) -> None:
    form = (
        "<form toolname=search tooldescription='Find things'><input name=q required>"
        "<input type=number name=most><input type=hidden name=h></form>"
    )
    await line.begin(site.page(form))
    found = await line.get("discovery/discover")
    [tool] = found["tools"]
    assert tool["name"] == "search" and tool["inputSchema"]["required"] == ["q"]
    assert tool["inputSchema"]["properties"] == {
        "q": {"type": "string"}, "most": {"type": "number"},
    }  # fmt: skip


async def test_files_that_pages_give_are_listed(line: Wire, site: Site) -> None:
    site.pages["/file"] = Answer(
        "paid", kind="text/plain", headers=(("Content-Disposition", "attachment; filename=r.txt"),)
    )
    await line.begin(site.page("<a href=/file>Receipt</a>"))
    await line.get("action/click", selector={"type": "text", "value": "Receipt"})
    [file] = await line.get("subterminator/downloads")
    assert file["name"] == "r.txt" and Path(file["path"]).read_bytes() == b"paid"


async def test_a_question_that_nobody_answers_is_told_as_such(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path, Limits(approval_seconds=0.5)) as server, wire(server) as line:
        site.pages["/paid"] = "paid"
        await line.begin(site.page("<button onclick=\"fetch('/paid')\">Pay now</button>"))
        error = await line.fail("action/click", selector={"type": "text", "value": "Pay now"})
        assert error["code"] == -32031 and error["data"]["details"]["timeout"] == 500
        assert [one["method"] for one in line.notices] == ["approval/required"]
        assert site.hits["/paid"] == 0


async def test_a_password_is_never_filled(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path, Limits(approval_seconds=0.5)) as server, wire(server) as line:
        await line.begin(site.page("<input type=password id=pw>"))
        error = await line.fail("action/fill", selector=css("#pw"), value="hunter2")
        assert error["code"] == -32032
        assert error["data"]["details"]["error"] == "handed_over"


async def test_a_picture_with_marks_says_what_each_mark_is(line: Wire, site: Site) -> None:
    await line.begin(site.page("<button>One</button><button>Two</button>"))
    wanted = {"enabled": True, "labelFormat": "both", "maxLabels": 1}
    seen = await line.get("agent/observe", annotateScreenshot=wanted)
    [mark] = seen["annotationMap"]
    assert mark["label"] == f"1 {mark['ref']}" and seen["screenshot"]["annotated"]
    assert base64.b64decode(seen["screenshot"]["data"]).startswith(b"\x89PNG")


async def test_a_connection_that_says_nothing_is_ended_with_a_reason(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    for limits, words in (
        (Limits(idle_seconds=0.2), "Idle"),
        (Limits(longest_seconds=0.2), "lasted too long"),
    ):
        async with running(tmp_path, limits) as server, wire(server) as line:
            await line.get("initialize")
            with pytest.raises(ConnectionClosed) as closed:
                await line.receive()
            assert closed.value.rcvd and closed.value.rcvd.code == 1008
            assert words in closed.value.rcvd.reason


async def test_who_waits_too_long_is_told_that_it_may_still_be_done(
    tmp_path: Path, site: Site
) -> None:
    tmp_path.chmod(0o700)
    site.pages["/slow"] = Answer("<p>At last", delay=3)
    async with running(tmp_path, Limits(answer_seconds=1.5)) as server, wire(server) as line:
        # A browser that has to start takes longer than that.
        await server.service.browsers.for_all()
        await line.begin(site.page("<p>First"))
        error = await line.fail("page/navigate", url=f"{site.address}/slow")
        assert error["code"] == -32016 and error["data"]["details"]["delivered"] is True
        assert error["data"]["retryable"] is False
        async with asyncio.timeout(30):
            while "At last" not in (await line.ask("observe/content")).get("result", {}).get(
                "content", ""
            ):
                pass
    assert site.hits["/slow"] == 1


async def test_a_wish_that_needs_a_browser_of_its_own_gets_one_and_it_ends_with_it(
    server: Running,
) -> None:
    async with wire(server) as line:
        await line.get("initialize")
        await line.get("browser/launch", args=["--lang=de"])
        [own] = server.service.browsers._own
        await line.get("page/create")
        await line.get("browser/close")
        assert own.is_lost and server.service.browsers._own == []
        assert (await line.fail("page/create"))["code"] == -32010


async def test_a_stream_that_is_cancelled_ends(server: Running, site: Site) -> None:
    async with wire(server) as line:
        await line.get("initialize", capabilities={"streaming": True})
        await line.get("browser/launch")
        await line.get("page/create", url=site.page("<p>" + "word " * 900_000))
        told = await line.get("observe/content", format="html")
        await line.get("stream/cancel", streamId=told["streamId"])
        again = await line.get("stream/cancel", streamId=told["streamId"])
        assert again == {"cancelled": False}

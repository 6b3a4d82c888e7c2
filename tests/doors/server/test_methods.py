"""Every method once, on the wire; the table in docs/bap.md is what came of it."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from subterminator.doors.server.export import FOLDER, documents, written
from subterminator.doors.server.methods import FREE, METHODS, PERSONAL
from tests.doors.server.running import Running, Wire, wire
from tests.site import Site

DOCS = Path(__file__).parents[3] / "docs" / "bap.md"
BEGIN, END = "<!-- table -->\n", "<!-- /table -->\n"
PAGE = (
    "<form toolname=t><input id=a><input id=f type=file><input id=c type=checkbox></form>"
    "<select id=s><option>A<option>B</select><button id=b ondragstart>Go on</button>"
    "<div id=d style='width:50px;height:50px'>D</div><iframe src=/frame></iframe>"
)
# What the reference server, release 0.9.0, did with the same method, as recorded on the wire.
WORKS = "works"
REFERENCE: dict[str, str] = {
    "observe/accessibility": "fails: internal error",
    "observe/element": "tells password attributes; its Python client rejects the answer",
    "observe/pdf": "its Python client rejects the answer",
    "observe/content": "its Python client rejects the answer",
    "browser/launch": "its Python client rejects the answer",
    "agent/act": "refused under the default scopes; limits not enforced",
    "agent/observe": "tells passwords; accessibility fails; refs by place are unusable",
    "agent/extract": "ignores selector and instruction",
    "agent/execute": "unknown method",
    "agent/snapshot": "unknown method",
    "network/intercept": "unknown method",
    "network/fulfill": "unknown method",
    "network/abort": "unknown method",
    "network/continue": "unknown method",
    "frame/switch": "no effect on what follows",
    "approval/respond": "never asks",
    "stream/cancel": "never streams",
    "events/subscribe": "its Python client receives none",
    "subterminator/call": "not there: for our own client",
    "subterminator/downloads": "not there",
}


def css(value: str) -> dict[str, Any]:
    return {"selector": {"type": "css", "value": value}}


def calls(site: Site, page: str) -> list[tuple[str, dict[str, Any]]]:
    """One good call of each method that needs nothing but a page, in an order that works."""
    click = {"action": "action/click", "params": css("#b")}
    text = {"schema": {"type": "string"}, "instruction": "all"}
    return [
        ("notifications/initialized", {}),
        ("events/subscribe", {"events": ["page"]}),
        ("stream/cancel", {"streamId": "s"}),
        ("trace/start", {}),
        ("context/create", {"contextId": "two"}),
        ("context/list", {}),
        ("context/destroy", {"contextId": "two"}),
        ("page/list", {}),
        ("page/activate", {"pageId": page}),
        ("page/reload", {}),
        ("page/navigate", {"url": f"{site.address}/second"}),
        ("page/goBack", {}),
        ("page/goForward", {}),
        ("page/navigate", {"url": f"{site.address}/"}),
        ("frame/list", {}),
        ("frame/switch", {"url": "/frame"}),
        ("frame/main", {}),
        ("action/click", css("#b")),
        ("action/dblclick", css("#b")),
        ("action/type", {**css("#a"), "text": "x"}),
        ("action/fill", {**css("#a"), "value": "x"}),
        ("action/clear", css("#a")),
        ("action/press", {"key": "Tab"}),
        ("action/hover", css("#b")),
        ("action/scroll", {}),
        ("action/select", {**css("#s"), "values": "B"}),
        ("action/check", css("#c")),
        ("action/uncheck", css("#c")),
        ("action/upload", {**css("#f"), "files": [{"name": "a", "buffer": "aGk="}]}),
        ("action/drag", {"source": css("#b")["selector"], "target": css("#d")["selector"]}),
        ("dialog/handle", {"action": "dismiss"}),
        ("observe/screenshot", {}),
        ("observe/accessibility", {}),
        ("observe/dom", {}),
        ("observe/element", {**css("#a"), "properties": ["value"]}),
        ("observe/pdf", {}),
        ("observe/content", {"format": "markdown"}),
        ("observe/ariaSnapshot", {}),
        ("discovery/discover", {}),
        ("storage/setCookies", {"cookies": [{"name": "a", "value": "1", "domain": "127.0.0.1"}]}),
        ("storage/getCookies", {}),
        ("storage/getState", {}),
        ("storage/setState", {"state": {"cookies": [], "origins": []}}),
        ("storage/clearCookies", {}),
        ("emulate/setViewport", {"width": 900, "height": 600}),
        ("emulate/setUserAgent", {"userAgent": "T/1"}),
        ("emulate/setGeolocation", {"latitude": 1, "longitude": 2}),
        ("emulate/setOffline", {"offline": False}),
        ("agent/act", {"steps": [click]}),
        ("agent/execute", {"steps": [click]}),
        ("agent/observe", {}),
        ("agent/snapshot", {}),
        ("agent/extract", text),
        ("subterminator/call", {"action": {"action": "snapshot"}}),
        ("subterminator/downloads", {}),
        ("trace/stop", {}),
    ]


async def answered(line: Wire, method: str, params: dict[str, Any]) -> str:
    answer = await line.ask(method, **params)
    return f"error {answer['error']['code']}" if "error" in answer else WORKS


async def held(line: Wire, how: str, site: Site) -> str:
    """A request of the page is held, and let go in this way."""
    await line.get("events/subscribe", events=["network"])
    await line.get("network/intercept", patterns=[{"urlPattern": "*/asked"}], handler="callback")
    line.notices.clear()
    await line.send(json.dumps({"id": "press", "method": "action/click", "params": css("#ask")}))
    while not (told := await line.receive()).get("params", {}).get("intercepted"):
        pass
    await line.send(
        json.dumps({"id": how, "method": how, "params": {"requestId": told["params"]["requestId"]}})
    )
    answers = {one["id"]: one for one in [await line.answer(), await line.answer()]}
    return f"error {answers[how]['error']['code']}" if "error" in answers[how] else WORKS


async def approved(server: Running, line: Wire) -> str:
    """A person says yes to what a client asks."""
    async with wire(server, server.grant(person=True)) as person:
        await person.get("initialize")
        press = asyncio.create_task(line.ask("action/click", **css("#send")))
        told = await person.receive()
        outcome = await answered(
            person,
            "approval/respond",
            {"requestId": told["params"]["requestId"], "decision": "approve"},
        )
        assert "error" not in await press
        return outcome


async def test_every_method_works_and_the_table_says_so(server: Running, site: Site) -> None:
    site.page("<p>Second", "/second")
    site.page("<p>Frame", "/frame")
    site.pages["/asked"] = "ok"
    outcomes: dict[str, str] = {}
    async with wire(server) as line:
        outcomes["initialize"] = await answered(line, "initialize", {})
        outcomes["browser/launch"] = await answered(line, "browser/launch", {})
        made = await line.ask("page/create", url=site.page(PAGE))
        outcomes["page/create"] = WORKS
        for method, params in calls(site, made["result"]["id"]):
            outcomes[method] = await answered(line, method, params)
        site.page(
            "<button id=ask onclick=\"fetch('/asked')\">Ask</button><button id=send>Send message</button>"
        )
        await line.get("page/navigate", url=f"{site.address}/")
        for how in ("network/fulfill", "network/abort", "network/continue"):
            outcomes[how] = await held(line, how, site)
        outcomes["network/intercept"] = await answered(
            line, "network/intercept", {"patterns": [], "handler": "continue"}
        )
        outcomes["approval/respond"] = await approved(server, line)
        outcomes["page/close"] = await answered(
            line, "page/close", {"pageId": made["result"]["id"]}
        )
        outcomes["browser/close"] = await answered(line, "browser/close", {})
        outcomes["shutdown"] = await answered(line, "shutdown", {})
    assert {name: said for name, said in outcomes.items() if said != WORKS} == {}
    assert set(outcomes) == set(METHODS), "a new method: call it above"
    check_docs(table(outcomes))


def table(outcomes: dict[str, str]) -> str:
    lines = ["| method | scope | here | reference server 0.9.0 |", "|---|---|---|---|"]
    for name in sorted(METHODS):
        scopes = " or ".join(s for s in METHODS[name].scopes if s != FREE) or "any token"
        scopes = "a person's token" if name in PERSONAL else scopes
        lines.append(f"| `{name}` | {scopes} | {outcomes[name]} | {REFERENCE.get(name, WORKS)} |")
    return "\n".join(lines) + "\n"


def check_docs(made: str) -> None:
    """With UPDATE_DOCS set the page is written instead."""
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    now, _, after = rest.partition(END)
    if os.environ.get("UPDATE_DOCS"):
        DOCS.write_text(f"{before}{BEGIN}{made}{END}{after}", encoding="utf-8")
        return
    assert now == made, "run this test with UPDATE_DOCS=1"


def test_the_schema_files_are_up_to_date() -> None:
    made = {name: written(document) for name, document in documents().items()}
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert there == made, "run: python -m subterminator.doors.server.export"

"""A visitor of the gym without a browser: reads pages, follows words, sends forms.

It does what the page's script would do only where that is plain: it tells the server of its clicks.
"""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Literal
from urllib.parse import urlencode, urljoin, urlsplit

import msgspec
from msgspec import Struct

VOID = {"meta", "link", "input", "br"}
BOXES = ("button", "link", "tab", "switch")


class Reply(Struct, frozen=True):
    status: int
    text: str
    headers: dict[str, str]

    @property
    def location(self) -> str:
        return self.headers.get("location", "")


class Field(Struct):
    name: str
    kind: str
    value: str
    on: bool
    label: str = ""


class Control(Struct):
    """Something to press, and what that sends where."""

    words: str
    method: Literal["GET", "POST"]
    to: str
    form: int
    off: bool = False
    # All that stands in the same line of a table.
    row: str = ""


class Reader(HTMLParser):
    """What a page offers, and everything about its markup that is wrong."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, str]]] = []
        self.wrong: list[str] = []
        self.controls: list[Control] = []
        self.fields: dict[int, list[Field]] = {}
        self.actions: dict[int, str] = {}
        self.frames: list[str] = []
        self.ids: list[str] = []
        self.points: list[str] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.lang = ""
        self._labels: dict[str, str] = {}
        self._keys: list[tuple[str, Field]] = []
        self._form = 0
        self._forms = 0
        self._collect: list[list[str]] = []
        # How many controls there were when a tag was opened.
        self._before: list[int] = []
        self.feed(page)
        self.close()
        self.wrong += [f"never closed: {tag}" for tag, _ in self.open]
        for key, field in self._keys:
            field.label = field.label or self._labels.get(key, "").strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        marks = {name: value or "" for name, value in attrs}
        if len(marks) != len(attrs):
            self.wrong.append(f"an attribute comes twice: {tag} {attrs}")
        self.tags.append(tag)
        if key := marks.get("id"):
            self.ids.append(key)
        self.points += [marks[it] for it in ("for", "aria-labelledby") if it in marks]
        match tag:
            case "html":
                self.lang = marks.get("lang", "")
            case "form":
                if self._form:
                    self.wrong.append("a form in a form")
                self._forms += 1
                self._form = self._forms
                self.fields[self._form] = []
                self.actions[self._form] = marks.get("action", "")
            case "iframe":
                self.frames.append(marks.get("src", ""))
                if not marks.get("title"):
                    self.wrong.append("a frame without a title")
            case "input" | "textarea" | "select":
                self._field(tag, marks)
        if tag not in VOID:
            self.open.append((tag, marks))
            self._collect.append([])
            self._before.append(len(self.controls))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"closed but not open: {tag} in {[t for t, _ in self.open[-3:]]}")
            return
        _, marks = self.open.pop()
        words = " ".join("".join(self._collect.pop()).split())
        before = self._before.pop()
        if self._collect:
            self._collect[-1].append(f" {words} ")
        if tag == "form":
            self._form = 0
        if tag == "label":
            self._label(marks, words)
        if tag == "tr":
            for control in self.controls[before:]:
                control.row = control.row or words
        if tag == "a":
            self.controls.append(Control(words, "GET", marks["href"], 0))
        elif tag in ("button", "summary") or marks.get("role") in BOXES:
            self._box(tag, marks, words)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][0] in ("style", "script"):
            return
        if self._collect:
            self._collect[-1].append(data)
        if data.strip():
            self.words.append(" ".join(data.split()))

    def _field(self, tag: str, marks: dict[str, str]) -> None:
        kind = marks.get("type", tag)
        if kind in ("submit", "button"):
            self._box(tag, marks, marks["value"])
            return
        if marks.get("role") == "switch":
            self._box(tag, {**marks, "role": "button"}, marks["aria-label"])
            return
        field = Field(marks.get("name", ""), kind, marks.get("value", ""), "checked" in marks)
        self._keys.append((marks.get("id", ""), field))
        if self._form:
            self.fields[self._form].append(field)
        if not marks.get("id") and "label" not in [tag for tag, _ in self.open]:
            self.wrong.append(f"a field without a label: {marks}")

    def _label(self, marks: dict[str, str], words: str) -> None:
        if "for" in marks:
            self._labels[marks["for"]] = words
        elif self._keys:
            self._keys[-1][1].label = words

    def _box(self, tag: str, marks: dict[str, str], words: str) -> None:
        words = marks.get("aria-label", words)
        off = "disabled" in marks or marks.get("aria-disabled") == "true"
        goes = [value for value in marks.values() if value.startswith(("/", "http"))]
        if marks.get("role") == "link" and goes:
            self.controls.append(Control(words, "GET", goes[0], 0))
        elif self._form and marks.get("type") != "button":
            self.controls.append(Control(words, "POST", self.actions[self._form], self._form, off))
        else:
            self.controls.append(Control(words, "GET", "", 0))

    def problems(self) -> Iterator[str]:
        yield from self.wrong
        if len(set(self.ids)) != len(self.ids):
            yield "an id comes twice"
        yield from (f"points to nothing: {key}" for key in self.points if key not in self.ids)
        if not self.lang:
            yield "no language"
        for tag in ("title", "h1", "main"):
            if self.tags.count(tag) != 1:
                yield f"{self.tags.count(tag)} times {tag}"

    @property
    def text(self) -> str:
        return " ".join(self.words)


class Visitor:
    """One session of one flow, over plain HTTP."""

    def __init__(self, site: str, flow: str, sid: str, token: str = "") -> None:
        self.site, self.flow, self.sid = site, flow, sid
        self.headers = {"X-Gym-Token": token} if token else {}
        self.at = ""
        self.page = Reader("")
        self.status = 0

    async def request(self, method: str, address: str, body: bytes = b"", kind: str = "") -> Reply:
        headers = {**self.headers, **({"Content-Type": kind} if kind else {})}
        return await asyncio.to_thread(_request, method, address, body, headers)

    async def call(self, call: str, body: object = None) -> object:
        """A call of the harness: `state`, `score`, `gate`, ..."""
        method = "GET" if call in ("state", "score", "mail") else "POST"
        sent = b"" if body is None else msgspec.json.encode(body)
        to = f"{self.site}/__{call}/{self.flow}?sid={self.sid}"
        return msgspec.json.decode((await self.request(method, to, sent)).text)

    async def state(self) -> dict[str, object]:
        return msgspec.convert(await self.call("state"), dict[str, object])

    async def score(self) -> dict[str, object]:
        return msgspec.convert(await self.call("score"), dict[str, object])

    async def harms(self) -> list[str]:
        return msgspec.convert((await self.score())["harms"], list[str])

    async def open(self, page: str) -> None:
        await self.go(f"{self.site}/{self.flow}/{page}?sid={self.sid}")

    async def go(self, address: str) -> None:
        await self._arrive(address, await self.request("GET", address))

    async def post(self, effect: str, **fields: str) -> None:
        """Send what a button would send, whether or not the page shows it."""
        await self._send(f"{self.site}/{self.flow}/{effect}?sid={self.sid}", fields)

    async def press(self, words: str, row: str = "") -> None:
        """Press the control with these words (in the line of a table), having told of the click."""
        found = [it for it in self.page.controls if it.words == words and row in it.row]
        assert len(found) == 1, (words, [control.words for control in self.page.controls])
        await self.tell("click", words)
        control = found[0]
        if control.method == "POST":
            await self._send(urljoin(self.at, control.to), self._filled(control.form))
        elif control.to:
            await self.go(urljoin(self.at, control.to))

    async def choose(self, label: str) -> None:
        """Turn a radio button or a box."""
        field = self._labelled(label)
        if field.kind == "radio":
            for other in self._all_fields():
                other.on = other.on and other.name != field.name
        field.on = not field.on
        await self.tell("click", label)

    async def fill(self, label: str, value: str) -> None:
        self._labelled(label).value = value
        await self.tell("edit", label)

    async def enter_frame(self) -> None:
        await self.go(urljoin(self.at, self.page.frames[0]))

    async def tell(self, kind: str, words: str) -> None:
        seen = {"kind": kind, "words": words, "page": urlsplit(self.at).path}
        parts = urlsplit(self.at)
        to = f"{parts.scheme}://{parts.netloc}/{self.flow}/seen?sid={self.sid}"
        reply = await self.request("POST", to, msgspec.json.encode(seen), "text/plain")
        assert reply.status == 204

    def _all_fields(self) -> list[Field]:
        return [field for fields in self.page.fields.values() for field in fields]

    def _labelled(self, label: str) -> Field:
        return next(field for field in self._all_fields() if field.label == label)

    def _filled(self, form: int) -> dict[str, str]:
        return {
            field.name: field.value
            for field in self.page.fields[form]
            if field.on or field.kind not in ("radio", "checkbox")
        }

    async def _send(self, address: str, fields: dict[str, str]) -> None:
        kind = "application/x-www-form-urlencoded"
        reply = await self.request("POST", address, urlencode(fields).encode(), kind)
        await self._arrive(address, reply)

    async def _arrive(self, address: str, reply: Reply) -> None:
        while reply.status == 303:
            address = urljoin(address, reply.location)
            reply = await self.request("GET", address)
        self.at, self.status = address, reply.status
        self.page = Reader(reply.text)


def _request(method: str, address: str, body: bytes, headers: dict[str, str]) -> Reply:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    try:
        connection.request(method, f"{parts.path}?{parts.query}", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        return Reply(answer.status, text, {k.lower(): v for k, v in answer.getheaders()})
    finally:
        connection.close()

"""Reads the small pages of packs, and tries a pack on its own examples. No browser, no styles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from msgspec import Struct

from subterminator.packs.matcher import Control, PageWords, bills, decide, judge, purpose
from subterminator.packs.model import Example, Pack, Stage

_VOID = frozenset({"input", "br", "img", "hr", "meta", "link"})
_BLOCKS = frozenset({
    "p", "div", "h1", "h2", "h3", "h4", "li", "ul", "ol", "dt", "dd", "dl", "section", "main",
    "form", "fieldset", "legend", "tr", "td", "th", "table", "header", "footer", "nav", "dialog",
    "label", "br", "article", "aside", "select", "textarea",
})  # fmt: skip
_ROLES = {
    "button": "button",
    "a": "link",
    "summary": "button",
    "option": "option",
    "textarea": "textbox",
    "select": "combobox",
}
_INPUTS = {
    "submit": "button",
    "button": "button",
    "radio": "radio",
    "checkbox": "checkbox",
    "password": "password",
    "range": "slider",
}
# Names of these are no part of the readable text.
_SILENT = frozenset({"button", "option", "title"})
_ACCEPTED: Mapping[Stage, tuple[str, ...]] = {
    "FINAL_CONFIRMATION": ("final",),
    "RETENTION_OFFER": ("decline", "advance"),
    "EXIT_SURVEY": ("decline", "advance"),
    "ACCOUNT_ACTIVE": ("advance",),
}


class _Open(Struct):
    """An element that is being read."""

    tag: str
    role: str = ""
    label: str | None = None
    words: list[str] = []
    field: int = -1


class _Reader(HTMLParser):
    """Collects controls and text in order. A label names the field that stands in it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[_Open] = []
        self.controls: list[Control] = []
        self.text: list[str] = []
        self.title = ""
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _BLOCKS:
            self.text.append("\n")
        if tag in _VOID:
            if not self.hidden and not _is_hidden(given):
                self._void(tag, given)
            return
        if self.hidden or _is_hidden(given):
            self.hidden += 1
        role = given.get("role") or (_ROLES.get(tag, "") if tag != "a" or "href" in given else "")
        self.open.append(_Open(tag, role, given.get("aria-label"), []))
        if tag == "iframe" and "captcha" in given.get("title", "").lower():
            self.controls.append(Control("captcha", given["title"]))

    def _void(self, tag: str, given: dict[str, str]) -> None:
        if tag == "img":
            self.handle_data(given.get("alt", ""))
        elif tag == "input" and given.get("type") != "hidden":
            kind = given.get("type", "text")
            role = _INPUTS.get(kind, "textbox")
            if given.get("autocomplete") == "one-time-code":
                role = "code"
            name = given.get("aria-label") or given.get("value") or given.get("placeholder", "")
            self._label(len(self.controls))
            self.controls.append(Control(role, name))

    def _label(self, field: int) -> None:
        for element in reversed(self.open):
            if element.tag == "label":
                element.field = field
                return

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        for element in self.open:
            element.words.append(data)
        if not any(element.tag in _SILENT or element.role == "button" for element in self.open):
            self.text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.text.append("\n")
        while self.open:
            element = self.open.pop()
            self._close(element)
            if element.tag == tag:
                return

    def _close(self, element: _Open) -> None:
        if self.hidden:
            self.hidden -= 1
            return
        words = " ".join("".join(element.words).split())
        if element.tag == "title":
            self.title = words
        elif element.tag == "label" and element.field >= 0:
            role, name = self.controls[element.field]
            self.controls[element.field] = Control(role, words or name)
        elif element.role:
            self.controls.append(Control(element.role, element.label or words))


def _is_hidden(given: dict[str, str]) -> bool:
    style = given.get("style", "").replace(" ", "")
    return "hidden" in given or given.get("aria-hidden") == "true" or "display:none" in style


def read_page(html: str, url: str = "") -> PageWords:
    """The words of a small page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    while reader.open:
        reader._close(reader.open.pop())
    return PageWords(url, reader.title, "".join(reader.text), tuple(reader.controls))


class Disagreement(Struct, frozen=True):
    """An example that the pack does not bear out."""

    number: int
    reason: str


def disagreements(pack: Pack, examples: tuple[Example, ...]) -> Iterator[Disagreement]:
    """Where a pack, with all that it extends, does not judge its own examples as they say."""
    for number, example in enumerate(examples):
        words = read_page(example.page, example.url or "")
        for reason in _faults(pack, example, words):
            yield Disagreement(number, f'example "{example.shows}": {reason}')


def _faults(pack: Pack, example: Example, words: PageWords) -> Iterator[str]:
    judged = judge(pack, words)
    seen = decide(judged)
    if seen.stage != example.stage:
        ranking = "; ".join(
            f"{one.stage} {one.score} by {', '.join(one.evidence)}" for one in judged[:3]
        )
        yield f"expected {example.stage}, judged {seen.stage} ({ranking or 'no evidence'})"
    if example.press:
        yield from _press_faults(pack, example, words)
    payers = {bill.payer for bill in bills(pack, words)}
    if example.payer and example.payer not in payers:
        yield f"expected to be billed by {example.payer}, found {sorted(payers) or 'nobody'}"


def _press_faults(pack: Pack, example: Example, words: PageWords) -> Iterator[str]:
    press = example.press or ""
    if press not in {control.name for control in words.controls}:
        yield f'there is no control "{press}" on the page'
    what = purpose(pack, press, example.stage)
    accepted = _ACCEPTED.get(example.stage, ())
    if what not in accepted:
        yield f'"{press}" is for {what} here; expected {" or ".join(accepted) or "no press"}'

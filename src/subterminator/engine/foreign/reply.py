"""Reads what Playwright MCP answers to a call: sections of text, some of it written by the page.

A section begins at a line `### Name`. A page can write such a line into a dialog or an error, so
each section counts once, and none after the one that holds the page's own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from subterminator.types import DialogInfo

SECTION = re.compile(r"^### (.+)$", re.MULTILINE)
# What a page can fill with lines of its own; whatever follows is part of it.
FOREIGN = frozenset({"Error", "Modal state"})
DIALOG = re.compile(r'- \["([a-z]+)" dialog with message "(.*)"\]: can be handled by', re.DOTALL)
CHOOSER = re.compile(r"^- \[File chooser\]", re.MULTILINE)
TAB = re.compile(r"- (\d+):( \(current\))? \[(.*)\]\((.*)\)( \[crashed\])?")
LOADED = re.compile(r'- Downloaded file (.+) to "(.+)"')
FENCE = re.compile(r"```yaml\n(.*)\n```", re.DOTALL)
URL, TITLE = "- Page URL: ", "- Page Title: "


class Listed(NamedTuple):
    """One line of the list of tabs. `url` is empty where the line can be read in two ways."""

    number: int
    url: str
    title: str
    current: bool


class Saved(NamedTuple):
    name: str
    path: str


class Reply(Struct, frozen=True):
    """An answer. `url` is empty where it was not told; `failed` is the server's own sentence."""

    failed: str = ""
    result: str = ""
    url: str = ""
    title: str = ""
    outline: str | None = None
    dialog: DialogInfo | None = None
    chooser: bool = False
    tabs: tuple[Listed, ...] = ()
    saved: tuple[Saved, ...] = ()
    image: str = ""
    crashed: bool = False


def read(result: dict[str, Any]) -> Reply:
    """The answer in the result of a `tools/call`."""
    content: Sequence[dict[str, Any]] = result.get("content") or ()
    text = "\n".join(str(part["text"]) for part in content if part.get("type") == "text")
    image = next((str(part["data"]) for part in content if part.get("type") == "image"), "")
    sections = _sections(text)
    modal = sections.get("Modal state", "")
    failed = sections.get("Error", "")
    if result.get("isError") and not failed:
        failed = text.strip() or "The server gives no reason."
    if failed and not modal:
        # The last section of an error is the modal state; the words before it may be the page's.
        modal = failed.rpartition("\n### Modal state\n")[2] if "### Modal state" in failed else ""
    page = sections.get("Page", "").split("\n")
    outline = FENCE.search(sections.get("Snapshot", ""))
    return Reply(
        failed=failed,
        result=sections.get("Result", ""),
        url=_line(page, URL),
        title=_line(page, TITLE),
        outline=outline[1] if outline else None,
        dialog=_dialog(modal),
        chooser=bool(CHOOSER.search(modal)),
        tabs=tuple(_tabs(sections.get("Open tabs") or sections.get("Result", ""))),
        saved=tuple(Saved(*found) for found in LOADED.findall(sections.get("Events", ""))),
        image=image,
        crashed="- Page status: crashed" in page,
    )


def _sections(text: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    found = list(SECTION.finditer(text))
    for place, match in enumerate(found):
        name = match[1]
        is_last = name in FOREIGN
        end = found[place + 1].start() if place + 1 < len(found) and not is_last else len(text)
        sections.setdefault(name, text[match.end() : end].strip("\n"))
        if is_last:
            break
    return sections


def _line(lines: Sequence[str], start: str) -> str:
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _dialog(modal: str) -> DialogInfo | None:
    found = DIALOG.search(modal)
    return DialogInfo(kind=found[1], message=found[2]) if found else None


def _tabs(section: str) -> list[Listed]:
    tabs: list[Listed] = []
    for line in section.split("\n"):
        if found := TAB.fullmatch(line):
            # Title and address are the page's own; two ways to read them are none.
            sure = line.count("](") == 1
            url = found[4] if sure else ""
            tabs.append(Listed(int(found[1]), url, found[3], bool(found[2])))
    return tabs

"""One line of a page's text as elements: refs, roles, names, states. Knows the text, no browser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urljoin

from subterminator.page.lines import PLURALS
from subterminator.types import Element, Facts, Flag

TOKEN = re.compile(r'[=~]?"(?:[^"\\]|\\.)*"|\([^()"]*\)|[^\s"]+')
CELL = re.compile(r'("(?:[^"\\]|\\.)*")|( \| )')
REF = re.compile(r"@e\d+\Z")
ESCAPE = re.compile(r"\\(u\{[0-9a-f]+\}(?:x\d+)?|.)")
ROLES = frozenset({
    "button", "checkbox", "clickable", "combobox", "gridcell", "link", "listbox", "menuitem",
    "menuitemcheckbox", "menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton",
    "switch", "tab", "textbox", "treeitem", "date", "time", "datetime", "month", "week", "color",
    "file", "scrollbar", "img", "progressbar", "meter",
})  # fmt: skip
SECTIONS = frozenset({
    "alert", "alertdialog", "banner", "complementary", "contentinfo", "dialog", "feed", "form",
    "grid", "log", "marquee", "menu", "navigation", "region", "search", "status", "table", "timer",
    "tooltip", "tree", "treegrid", "group", "radiogroup", "list", "menubar", "figure", "tabpanel",
    "toolbar", "tablist", "listbox", "listitem", "article", "row", "frame",
})  # fmt: skip
GROUPS = {PLURALS.get(role, f"{role}s"): role for role in ROLES}
FLAGS = {
    "checked": Flag.CHECKABLE | Flag.CHECKED,
    "unchecked": Flag.CHECKABLE,
    "pressed": Flag.CHECKABLE | Flag.CHECKED,
    "expanded": Flag.EXPANDABLE | Flag.EXPANDED,
    "collapsed": Flag.EXPANDABLE,
    "selected": Flag.SELECTED,
    "disabled": Flag.DISABLED,
    "readonly": Flag.READONLY,
    "required": Flag.REQUIRED,
    "invalid": Flag.INVALID,
    "busy": Flag.BUSY,
    "submits": Flag.SUBMITS,
    "covered": Flag.COVERED,
}
SECRETS = {
    "(password, value withheld)": "password",
    "(one-time code, value withheld)": "code",
    "(card number, value withheld)": "card",
    "(secret, value withheld)": "password",
}
EDITED = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
TYPES = frozenset({"email", "tel", "url", "search"})
# Words after which a quotation belongs to what stands before it.
LEADS = frozenset({"placeholder", "note", "of", "in", "pattern", "from"})


def unquote(words: str) -> str:
    return ESCAPE.sub(_unescape, words[1:-1])


def _unescape(found: re.Match[str]) -> str:
    code = found[1]
    if code.startswith("u{"):
        return chr(int(code[2 : code.index("}")], 16))
    return {"n": "\n", "t": "\t", "r": "\r"}.get(code, code)


def split_cells(words: str) -> Iterator[str]:
    """The cells of a row: what a bar parts, but not inside quotes."""
    start = 0
    for found in CELL.finditer(words):
        if found[2]:
            yield words[start : found.start()]
            start = found.end()
    yield words[start:]


def elements_of(words: str, depth: int, url: str, roles: Sequence[str] = ()) -> Iterator[Element]:
    """What stands on one line, in order. `roles` are those said beforehand for like items."""
    line = _Line(depth, url, roles)
    for place, token in enumerate(tokens := TOKEN.findall(words)):
        if place == 0 and token in GROUPS:
            line.group = GROUPS[token]
            continue
        line.take(token, tokens[place + 1] if place + 1 < len(tokens) else "")
    return iter(line.end())


class _Line:
    """A line while it is read: what is complete, and the element whose words come now."""

    def __init__(self, depth: int, url: str, roles: Sequence[str]) -> None:
        self._depth = depth
        self._url = url
        self._roles = iter(roles)
        self._shared: list[str] = []
        self._done: list[Element] = []
        self._current: _Growing | None = None
        self.group = ""

    def take(self, token: str, following: str) -> None:
        current = self._current
        if REF.match(token):
            known = following if following in ROLES | SECTIONS else ""
            role = known or self.group or next(self._roles, "") or "link"
            self._begin(_Growing(token, role, self._depth, self._shared))
        elif current is None and token in SECTIONS | ROLES:
            self._begin(_Growing("", token, self._depth))
        elif current is not None and current.takes(token):
            current.add(token)
        elif token.startswith('"'):
            self._begin(None)
            next(self._roles, "")
            self._done.append(Element("", "text", unquote(token), self._depth))
        elif self.group and current is None:
            self._shared.append(token)

    def end(self) -> list[Element]:
        self._begin(None)
        return self._done

    def _begin(self, growing: _Growing | None) -> None:
        if self._current:
            self._done.append(self._current.element(self._url))
        self._current = growing


class _Growing:
    """An element while its words are read."""

    def __init__(self, ref: str, role: str, depth: int, words: Sequence[str] = ()) -> None:
        self._ref = ref
        self._role = role
        self._depth = depth
        self._name: str | None = None
        self._words: list[str] = []
        self._facts: dict[str, object] = {}
        for word in words:
            self.add(word)
        self._given = len(self._words)

    def takes(self, token: str) -> bool:
        """Whether it belongs here; a quotation does as the name, or after a word that leads it."""
        if not token.startswith('"'):
            return True
        details = [word for word in self._words[self._given :] if word != self._role]
        return self._last in LEADS or self._name is None and not details

    @property
    def _last(self) -> str:
        return self._words[-1] if self._words else ""

    def add(self, token: str) -> None:
        if token.startswith('"'):
            return self._quoted(unquote(token))
        match self._last:
            case "->":
                self._facts["href"] = token
            case "opens":
                self._facts["popup"] = token
            case "min" | "max" as limit if token.isdecimal():
                self._facts[f"{limit}_length"] = int(token)
            case _:
                self._fact(token)
        self._words.append(token)

    def _fact(self, token: str) -> None:
        if token.startswith("~"):
            self._facts["hint"] = token.replace('"', "")
        elif token.startswith("="):
            value = token[1:]
            self._facts["value"] = unquote(value) if value.startswith('"') else value
        elif token in SECRETS:
            self._facts["secret"] = SECRETS[token]
        elif token == "captcha":
            self._facts["captcha"] = True
        elif token in TYPES:
            self._facts["type"] = token

    def _quoted(self, words: str) -> None:
        match self._last:
            case "placeholder":
                self._facts["placeholder"] = words
            case "note":
                self._facts["description"] = words
            case "of":
                self._facts["options"] = tuple(words.split(" | "))
            case last if last not in LEADS:
                self._name = words
        self._words.append("said")

    def element(self, url: str) -> Element:
        role = {"clickable": "generic", "frame": "iframe"}.get(self._role, self._role)
        flags = Flag(0)
        for word in self._words:
            flags |= FLAGS.get(word, Flag(0))
        if "new" in self._words and "tab" in self._words:
            flags |= Flag.NEWTAB
        if "not" in self._words:
            flags &= ~Flag.CHECKED
        if self._ref and role not in {"region", "dialog", "alert", "alertdialog"}:
            flags |= Flag.INTERACTIVE
        if role in EDITED:
            flags |= Flag.EDITABLE
        if "secret" in self._facts:
            flags |= Flag.SECRET
        if role == "link":
            self._facts["href"] = self._target(url)
        facts = Facts(**self._facts)  # type: ignore[arg-type]
        return Element(self._ref, role, self._name or "", self._depth, int(flags), facts=facts)

    def _target(self, url: str) -> str:
        """A link is taken to lead elsewhere unless the text says that it stays."""
        told = str(self._facts.get("href", ""))
        if told.startswith(("/", "#", "?")) or "://" in told or told.startswith("mailto:"):
            return urljoin(url, told)
        return f"https://{told}/" if told else urljoin(url, f"/{self._ref.strip('@')}")

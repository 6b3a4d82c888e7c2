"""Tools that a page offers to agents by its markup: forms that carry a name for one. Pure.

What a page says about its tools is text of that page, and given as such.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from subterminator.doors.server import results as r

KINDS = {"number": "number", "range": "number", "checkbox": "boolean"}
SKIPPED = frozenset({"hidden", "password", "submit", "button", "reset", "image", "file"})
LONGEST = 1_000
MOST = 500


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []
        self._form: dict[str, Any] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("toolname") and len(self.found) < MOST:
            self._form = {"attributes": given, "fields": {}, "required": []}
            self.found.append(self._form)
        elif self._form and tag in {"input", "select", "textarea"} and given.get("name"):
            self._field(given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None

    def _field(self, given: dict[str, str]) -> None:
        kind = given.get("type", "text").lower()
        if kind in SKIPPED or self._form is None:
            return
        field = {"type": KINDS.get(kind, "string")}
        words = given.get("toolparamdescription") or given.get("aria-label", "")
        if words:
            field["description"] = words[:LONGEST]
        self._form["fields"][given["name"][:200]] = field
        if "required" in given:
            self._form["required"].append(given["name"][:200])


def tools_in(html: str, *, most: int, schemas: bool) -> r.Tools:
    forms = _Forms()
    forms.feed(html)
    forms.close()
    tools = tuple(_tool(form, schemas=schemas) for form in forms.found[:most])
    return r.Tools(tools=tools, total_discovered=len(forms.found))


def _tool(form: dict[str, Any], *, schemas: bool) -> r.Tool:
    given = form["attributes"]
    more: dict[str, Any] = {}
    if given.get("tooldescription"):
        more["description"] = given["tooldescription"][:LONGEST]
    if schemas:
        schema = {"type": "object", "properties": form["fields"]}
        more["input_schema"] = {**schema, "required": form["required"]}
    name = given["toolname"][:200]
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return r.Tool(
        name=name,
        source="webmcp-declarative",
        form_selector=f'form[toolname="{quoted}"]',
        **more,
    )

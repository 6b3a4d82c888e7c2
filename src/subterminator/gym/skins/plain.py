"""Skin A: plain markup as a careful small site writes it. The other skins change parts of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from importlib import resources
from typing import assert_never

from subterminator.gym import parts as p
from subterminator.gym.parts import Part, View
from subterminator.gym.scene import Scene

NAVIGATION = ("home", "account", "billing", "help")
FOOTER = ("terms", "privacy", "contact")


Marks = Mapping[str, str | bool]
NO_MARKS: Marks = {}
# Drawn, because not every machine has a letter for it.
DOTS = (
    '<svg viewBox="0 0 4 16" width="4" height="16" aria-hidden="true">'
    '<circle cx="2" cy="2" r="1.6"></circle><circle cx="2" cy="8" r="1.6"></circle>'
    '<circle cx="2" cy="14" r="1.6"></circle></svg>'
)
GEAR = (
    '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" '
    'stroke="currentColor" stroke-width="3"><circle cx="10" cy="10" r="4"></circle>'
    '<path d="M10 0v5M10 15v5M0 10h5M15 10h5M3 3l4 4M13 13l4 4M17 3l-4 4M3 17l4-4"></path></svg>'
)


def attributes(marks: Marks) -> str:
    """HTML attributes with a space before each; those that are False are left out."""
    written = ""
    for name, value in marks.items():
        if value is True:
            written += f" {name}"
        elif value is not False:
            written += f' {name}="{escape(value)}"'
    return written


@cache
def stylesheet(name: str) -> str:
    return resources.files("subterminator.gym.skins").joinpath(name).read_text("utf-8")


class Plain:
    """Writes the parts of one page. `link` gives the address of a page or effect of the flow."""

    style = "plain.css"

    def __init__(self, scene: Scene, link: Callable[[str], str]) -> None:
        self.scene = scene
        self.brand = scene.brand
        self.link = link
        self.chance = random.Random(f"{scene.salt}/markup")
        self._ids = 0

    def id(self) -> str:
        self._ids += 1
        return f"§id{self._ids}"

    def css(self) -> str:
        return stylesheet(self.style).replace("BRAND", self.brand.colour)

    def body(self, view: View, footer: tuple[tuple[str, str], ...]) -> str:
        """All of the page but the head and what lies over it."""
        main = f"<main><h1>{escape(view.title)}</h1>{self.all(view.parts)}</main>"
        if view.bare:
            return main
        return f"{self.header(guest=view.guest)}{main}{self.footer(footer)}"

    def header(self, *, guest: bool) -> str:
        says = self.brand.wording
        brand = f'<span class="§brand">{escape(self.brand.name)}</span>'
        if guest:
            return f'<header class="§top">{brand}</header>'
        who = escape(says.signed_in.format(name=self.scene.person))
        return (
            f'<header class="§top">{brand}'
            f'<nav aria-label="{escape(says.menu)}">{"".join(self.navigation())}</nav>'
            f'<span class="§who">{who}</span></header>'
        )

    def navigation(self) -> list[str]:
        """The main links, in the seed's order."""
        says = self.brand.wording
        words = dict(home=says.home, account=says.account, billing=says.billing, help=says.help)
        return [
            f"<a{attributes({'href': self.link(name)})}>{escape(words[name])}</a>"
            for name in self.scene.shuffled(NAVIGATION, "navigation")
        ]

    def footer(self, more: tuple[tuple[str, str], ...]) -> str:
        says = self.brand.wording
        words = dict(terms=says.terms, privacy=says.privacy, contact=says.contact)
        entries = [(words[name], name) for name in FOOTER]
        links = "".join(
            f"<li><a{attributes({'href': self.link(to)})}>{escape(text)}</a></li>"
            for text, to in self.scene.shuffled([*entries, *more], "footer")
        )
        note = escape(self.brand.says(says.footer))
        return f'<footer class="§bottom"><ul>{links}</ul><p>{note}</p></footer>'

    def all(self, parts: tuple[Part, ...]) -> str:
        return "".join(self.part(part) for part in parts)

    def part(self, part: Part) -> str:
        match part:
            case p.Go() | p.Act() | p.Close() | p.Group() | p.Menu() | p.Switch():
                return self.control(part)
            case p.Options() | p.Tick() | p.Line() | p.Area() | p.Slider():
                return self.field(part)
            case p.Form():
                return self.form(part)
            case p.Text() | p.Facts() | p.Table() | p.Bullets():
                return self.content(part)
            case p.Card():
                return self.card(part)
            case p.Dialog() | p.Fold() | p.Tabs():
                return self.cover(part)
            case p.Frame() | p.Shadow() | p.Raw():
                return self.other(part)
        assert_never(part)

    def control(self, part: p.Go | p.Act | p.Close | p.Group | p.Menu | p.Switch) -> str:
        match part:
            case p.Go():
                return self.go(part)
            case p.Act():
                return self.act(part)
            case p.Close(words=words, weight=weight):
                return self.button(words, weight, {"data-§shut": True})
            case p.Group(parts=parts):
                return self.group([self.part(one) for one in self.ordered(parts)])
            case p.Menu():
                return self.menu(part)
            case p.Switch():
                return self.switch(part)
        assert_never(part)

    def ordered(self, parts: tuple[p.Go | p.Act | p.Close, ...]) -> list[p.Go | p.Act | p.Close]:
        words = "/".join(part.words for part in parts)
        return self.scene.shuffled(parts, words)

    def group(self, controls: list[str]) -> str:
        return f'<div class="§row">{"".join(controls)}</div>'

    def go(self, part: p.Go) -> str:
        marks: Marks = {
            "class": f"§btn §{part.weight}",
            "href": self.link(part.to),
            "target": "_blank" if part.new_tab else False,
            "rel": "noopener" if part.new_tab else False,
        }
        return f"<a{attributes(marks)}>{escape(part.words)}</a>"

    def act(self, part: p.Act) -> str:
        sleeps: Marks = {"data-§after": str(part.after) if part.after else False}
        off = bool(part.after or part.blocked)
        button = self.button(part.words, part.weight, sleeps, sends=True, off=off)
        marks: Marks = {"method": "post", "action": self.link(part.to), "class": "§act"}
        return f"<form{attributes(marks)}>{button}</form>"

    def button(
        self,
        words: str,
        weight: p.Weight,
        more: Marks = NO_MARKS,
        *,
        sends: bool = False,
        off: bool = False,
    ) -> str:
        """A button; `sends` its form, or does what `more` says. It may be `off` for now."""
        kind = "submit" if sends else "button"
        marks = {"type": kind, "class": f"§btn §{weight}", "disabled": off, **more}
        return f"<button{attributes(marks)}>{escape(words)}</button>"

    def menu(self, part: p.Menu) -> str:
        opener = attributes({
            "type": "button",
            "class": "§kebab",
            "aria-label": part.label,
            "aria-haspopup": "true",
            "aria-expanded": "false",
            "data-§menu": True,
        })  # fmt: skip
        items = "".join(f"<li>{self.part(item)}</li>" for item in part.items)
        return f'<div class="§fold"><button{opener}>{DOTS}</button><ul hidden>{items}</ul></div>'

    def switch(self, part: p.Switch) -> str:
        on = "true" if part.on else "false"
        button = self.button(
            part.words, "secondary", {"role": "switch", "aria-checked": on}, sends=True
        )
        marks: Marks = {"method": "post", "action": self.link(part.to), "class": "§act"}
        return f"<form{attributes(marks)}>{button}</form>"

    def field(self, part: p.Options | p.Tick | p.Line | p.Area | p.Slider) -> str:
        match part:
            case p.Options():
                return self.options(part)
            case p.Tick(name=name, label=label, ticked=ticked):
                return self.tick("checkbox", name, "yes", label, ticked)
            case p.Line(name=name, label=label, kind=kind, complete=complete):
                marks: Marks = {"name": name, "type": kind, "autocomplete": complete}
                return self.labelled(label, "input", marks)
            case p.Area(name=name, label=label):
                return self.labelled(label, "textarea", {"name": name, "rows": "4"})
            case p.Slider(name=name, label=label):
                return self.labelled(label, "input", {
                    "type": "range",
                    "name": name,
                    "min": str(part.low),
                    "max": str(part.high),
                    "value": str(part.value),
                    "data-§says": part.says,
                })  # fmt: skip
        assert_never(part)

    def options(self, part: p.Options) -> str:
        choices = "".join(
            self.tick("radio", part.name, value, label, value == part.chosen)
            for value, label in self.scene.shuffled(part.options, part.name)
        )
        legend = escape(part.legend)
        return f'<fieldset class="§field"><legend>{legend}</legend>{choices}</fieldset>'

    def tick(self, kind: str, name: str, value: str, label: str, on: bool) -> str:
        key = self.id()
        box: Marks = {"type": kind, "id": key, "name": name, "value": value, "checked": on}
        return (
            f'<div class="§choice"><input{attributes(box)}>'
            f'<label for="{key}">{escape(label)}</label></div>'
        )

    def labelled(self, label: str, tag: str, marks: Marks) -> str:
        key = self.id()
        end = "</textarea>" if tag == "textarea" else ""
        return (
            f'<div class="§field"><label for="{key}">{escape(label)}</label>'
            f"<{tag}{attributes({'id': key, **marks})}>{end}</div>"
        )

    def form(self, part: p.Form) -> str:
        marks: Marks = {
            "method": "post",
            "action": self.link(part.to),
            "class": "§form",
            "data-§needs": part.needs or False,
        }
        mark: Marks = {"data-§submit": True}
        send = self.button(part.words, part.weight, mark, sends=True, off=bool(part.needs))
        # A form cannot stand in a form, so the other controls follow it.
        others = self.group([self.part(other) for other in part.others]) if part.others else ""
        return f"<form{attributes(marks)}>{self.all(part.parts)}{send}</form>{others}"

    def content(self, part: p.Text | p.Facts | p.Table | p.Bullets) -> str:
        match part:
            case p.Text():
                return self.text(part)
            case p.Facts():
                return self.facts(part)
            case p.Table():
                return self.table(part)
            case p.Bullets(items=items):
                return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"
        assert_never(part)

    def text(self, part: p.Text) -> str:
        role = ' role="status"' if part.tone in ("good", "bad", "note") else ""
        return f'<p class="§{part.tone}"{role}>{escape(part.text)}</p>'

    def facts(self, part: p.Facts) -> str:
        rows = "".join(
            f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>"
            for label, value in part.rows
        )
        return f'<dl class="§facts">{rows}</dl>'

    def table(self, part: p.Table) -> str:
        head = "".join(f'<th scope="col">{escape(column)}</th>' for column in part.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{self.cell(cell)}</td>' for cell in row)}</tr>"
            for row in part.rows
        )
        return f'<table class="§table"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'

    def cell(self, cell: str | p.Go | p.Act | p.Menu) -> str:
        return escape(cell) if isinstance(cell, str) else self.part(cell)

    def card(self, part: p.Card) -> str:
        key = self.id()
        return (
            f'<section class="§card" aria-labelledby="{key}"><h2 id="{key}">'
            f"{escape(part.title)}</h2>{self.all(part.parts)}</section>"
        )

    def cover(self, part: p.Dialog | p.Fold | p.Tabs) -> str:
        match part:
            case p.Dialog():
                return self.dialog(part)
            case p.Fold():
                return self.fold(part)
            case p.Tabs():
                return self.tabs(part)
        assert_never(part)

    def fold(self, part: p.Fold) -> str:
        inner = self.all(part.parts)
        return f'<details class="§leaf"><summary>{escape(part.words)}</summary>{inner}</details>'

    def tabs(self, part: p.Tabs) -> str:
        """The first is shown; pressing another shows that one."""
        heads, panels = [], []
        for number, (words, parts) in enumerate(part.tabs):
            panel = self.id()
            marks: Marks = {
                "role": "tab",
                "aria-selected": "false" if number else "true",
                "aria-controls": panel,
                "data-§tab": True,
            }
            heads.append(self.button(words, "secondary", marks))
            shown: Marks = {"id": panel, "role": "tabpanel", "hidden": bool(number)}
            panels.append(f"<div{attributes(shown)}>{self.all(parts)}</div>")
        row = f'<div class="§tabs" role="tablist">{"".join(heads)}</div>'
        return f"<div>{row}{''.join(panels)}</div>"

    def opener(self, part: p.Dialog, key: str) -> str:
        """The button that opens a dialog."""
        if not part.gear:
            return self.button(part.words, part.weight, {"data-§open": key})
        marks = {"type": "button", "class": "§kebab", "aria-label": part.words, "data-§open": key}
        return f"<button{attributes(marks)}>{GEAR}</button>"

    def dialog(self, part: p.Dialog) -> str:
        key, title = self.id(), self.id()
        opener = self.opener(part, key)
        return (
            f'{opener}<dialog id="{key}" class="§dialog" aria-labelledby="{title}" data-§dialog>'
            f'<h2 id="{title}">{escape(part.title)}</h2>{self.all(part.parts)}</dialog>'
        )

    def other(self, part: p.Frame | p.Shadow | p.Raw) -> str:
        match part:
            case p.Frame(page=page, title=title, height=height):
                marks: Marks = {"src": self.link(page), "title": title, "height": str(height)}
                return f'<iframe class="§frame"{attributes(marks)}></iframe>'
            case p.Shadow(parts=parts):
                inner = f"<style>{self.css()}</style>{self.all(parts)}"
                tag = f"{self.scene.name('panel')}-panel"
                return f'<{tag}><template shadowrootmode="open">{inner}</template></{tag}>'
            case p.Raw(html=html):
                return html
        assert_never(part)

    def cookies(self, *, wall: bool) -> str:
        """The question about cookies, as a bar below the page or as a wall before it."""
        says = self.brand.wording
        title = self.id()
        buttons = self.group([
            self.button(says.cookies_all, "primary", {"data-§cookies": "all"}),
            self.button(says.cookies_few, "quiet", {"data-§cookies": "few"}),
        ])  # fmt: skip
        modal = "true" if wall else False
        role = attributes({"role": "dialog", "aria-labelledby": title, "aria-modal": modal})
        return (
            f'<div id="§cookiebox" class="{"§wall" if wall else "§bar"}"><div{role}>'
            f'<h2 id="{title}">{escape(says.cookies)}</h2>'
            f"<p>{escape(says.cookies_text)}</p>{buttons}</div></div>"
        )

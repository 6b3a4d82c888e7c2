"""Skin C: dense and old-fashioned: layout tables, submit inputs, small type."""

from __future__ import annotations

from html import escape

from subterminator.gym import parts as p
from subterminator.gym.parts import View
from subterminator.gym.skins.plain import NO_MARKS, Marks, Plain, attributes


class Tables(Plain):
    """What a site looks like that nobody has dared to touch for many years."""

    style = "tables.css"

    def body(self, view: View, footer: tuple[tuple[str, str], ...]) -> str:
        heading = f"<h1>{escape(view.title)}</h1>"
        main = f'<main class="§main">{heading}{self.all(view.parts)}</main>'
        if view.bare:
            return main
        says = self.brand.wording
        links = "" if view.guest else "".join(f"<li>{link}</li>" for link in self.navigation())
        who = "" if view.guest else escape(says.signed_in.format(name=self.scene.person))
        side = f'<nav aria-label="{escape(says.menu)}"><ul>{links}</ul></nav>' if links else ""
        return (
            f'<table role="presentation" class="§page"><tr><td colspan="2" class="§top">'
            f'<span class="§brand">{escape(self.brand.name)}</span> '
            f'<span class="§who">{who}</span></td></tr>'
            f'<tr><td class="§side">{side}</td><td class="§middle">{main}</td></tr>'
            f'<tr><td colspan="2">{self.footer(footer)}</td></tr></table>'
        )

    def button(
        self,
        words: str,
        weight: p.Weight,
        more: Marks = NO_MARKS,
        *,
        sends: bool = False,
        off: bool = False,
    ) -> str:
        marks: Marks = {
            "type": "submit" if sends else "button",
            "value": words,
            "class": f"§btn §{weight}",
            "disabled": off,
            **more,
        }
        return f"<input{attributes(marks)}>"

    def group(self, controls: list[str]) -> str:
        cells = "".join(f"<td>{control}</td>" for control in controls)
        return f'<table role="presentation" class="§row"><tr>{cells}</tr></table>'

    def facts(self, part: p.Facts) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}:</th><td>{escape(value)}</td></tr>'
            for label, value in part.rows
        )
        return f'<table class="§facts">{rows}</table>'

    def card(self, part: p.Card) -> str:
        return (
            f'<table role="presentation" class="§card"><tr><td class="§title">'
            f"<h2>{escape(part.title)}</h2></td></tr>"
            f"<tr><td>{self.all(part.parts)}</td></tr></table>"
        )

    def switch(self, part: p.Switch) -> str:
        """A box that sends its form as soon as it is turned."""
        key = self.id()
        box: Marks = {
            "type": "checkbox",
            "role": "switch",
            "id": key,
            "aria-label": part.words,
            "checked": part.on,
            "data-§sends": True,
        }
        marks: Marks = {"method": "post", "action": self.link(part.to), "class": "§act"}
        label = f'<label for="{key}">{escape(part.words)}</label>'
        return f"<form{attributes(marks)}><input{attributes(box)}>{label}</form>"

    def fold(self, part: p.Fold) -> str:
        key = self.id()
        marks: Marks = {"aria-expanded": "false", "aria-controls": key, "data-§fold": True}
        return (
            f'<div class="§leaf">{self.button(part.words, "quiet", marks)}'
            f'<div id="{key}" hidden>{self.all(part.parts)}</div></div>'
        )

    def options(self, part: p.Options) -> str:
        rows = "".join(
            f"<tr><td>{self.tick('radio', part.name, value, label, value == part.chosen)}</td></tr>"
            for value, label in self.scene.shuffled(part.options, part.name)
        )
        return (
            f'<fieldset class="§field"><legend>{escape(part.legend)}</legend>'
            f'<table role="presentation">{rows}</table></fieldset>'
        )

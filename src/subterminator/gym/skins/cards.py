"""Skin B: cards, and boxes that are made into buttons and links with roles and script."""

from __future__ import annotations

from html import escape

from subterminator.gym import parts as p
from subterminator.gym.skins.plain import DOTS, GEAR, NO_MARKS, Marks, Plain, attributes

BOXES = ("div", "span", "ui-button")


class Cards(Plain):
    """What a site looks like that was made with a component library."""

    style = "cards.css"

    def header(self, *, guest: bool) -> str:
        says = self.brand.wording
        brand = f'<div class="§brand">{escape(self.brand.name)}</div>'
        if guest:
            return f'<div class="§top" role="banner">{brand}</div>'
        who = escape(self.scene.person)
        initials = escape("".join(word[0] for word in self.scene.person.split()))
        return (
            f'<div class="§top" role="banner">{brand}'
            f'<div class="§links" role="navigation" aria-label="{escape(says.menu)}">'
            f"{''.join(self.navigation())}</div>"
            f'<div class="§avatar" role="img" aria-label="{who}">{initials}</div></div>'
        )

    def go(self, part: p.Go) -> str:
        # A new tab wants a real link; of the others the seed makes some into boxes.
        if part.new_tab or self.chance.random() < 0.5:
            return super().go(part)
        marks: Marks = {
            "role": "link",
            "tabindex": "0",
            "class": f"§btn §{part.weight}",
            "data-§go": self.link(part.to),
        }
        return f"<div{attributes(marks)}>{escape(part.words)}</div>"

    def button(
        self,
        words: str,
        weight: p.Weight,
        more: Marks = NO_MARKS,
        *,
        sends: bool = False,
        off: bool = False,
    ) -> str:
        if not sends and self.chance.random() < 0.5:
            return super().button(words, weight, more)
        tag = self.chance.choice(BOXES)
        marks: Marks = {
            "role": "button",
            "tabindex": "0",
            "class": f"§btn §{weight}",
            "aria-disabled": "true" if off else False,
            "data-§press": sends,
            **more,
        }
        return f"<{tag}{attributes(marks)}>{escape(words)}</{tag}>"

    def menu(self, part: p.Menu) -> str:
        marks: Marks = {
            "role": "button",
            "tabindex": "0",
            "class": "§kebab",
            "aria-label": part.label,
            "aria-haspopup": "true",
            "aria-expanded": "false",
            "data-§menu": True,
        }
        items = "".join(f"<div>{self.part(item)}</div>" for item in part.items)
        return (
            f'<div class="§fold"><div{attributes(marks)}>{DOTS}</div>'
            f'<div class="§items" hidden>{items}</div></div>'
        )

    def tick(self, kind: str, name: str, value: str, label: str, on: bool) -> str:
        box: Marks = {"type": kind, "name": name, "value": value, "checked": on}
        return (
            f'<label class="§choice"><input{attributes(box)}><span>{escape(label)}</span></label>'
        )

    def facts(self, part: p.Facts) -> str:
        rows = "".join(
            f'<div class="§fact"><span>{escape(label)}</span><strong>{escape(value)}</strong></div>'
            for label, value in part.rows
        )
        return f'<div class="§facts">{rows}</div>'

    def text(self, part: p.Text) -> str:
        if part.tone in ("good", "bad", "note"):
            return f'<div class="§{part.tone}" role="status">{escape(part.text)}</div>'
        return super().text(part)

    def card(self, part: p.Card) -> str:
        return (
            f'<div class="§card"><div class="§title" role="heading" aria-level="2">'
            f"{escape(part.title)}</div>{self.all(part.parts)}</div>"
        )

    def fold(self, part: p.Fold) -> str:
        key = self.id()
        marks: Marks = {
            "role": "button",
            "tabindex": "0",
            "class": "§leaf",
            "aria-expanded": "false",
            "aria-controls": key,
            "data-§fold": True,
        }
        inner = self.all(part.parts)
        return (
            f"<div{attributes(marks)}>{escape(part.words)}</div>"
            f'<div id="{key}" class="§card" hidden>{inner}</div>'
        )

    def opener(self, part: p.Dialog, key: str) -> str:
        if not part.gear:
            return super().opener(part, key)
        marks: Marks = {
            "role": "button",
            "tabindex": "0",
            "class": "§kebab",
            "aria-label": part.words,
            "data-§open": key,
        }
        return f"<div{attributes(marks)}>{GEAR}</div>"

    def dialog(self, part: p.Dialog) -> str:
        key, title = self.id(), self.id()
        opener = self.opener(part, key)
        box: Marks = {
            "role": "dialog",
            "aria-modal": "true",
            "aria-labelledby": title,
            "tabindex": "-1",
            "class": "§dialog",
        }
        return (
            f'{opener}<div id="{key}" class="§veil" data-§dialog hidden><div{attributes(box)}>'
            f'<h2 id="{title}">{escape(part.title)}</h2>{self.all(part.parts)}</div></div>'
        )

"""Makes a view into an HTML document: skin, script, cookie question, names of the seed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from importlib import resources

from msgspec import Struct

from subterminator.gym.flow import Flow
from subterminator.gym.parts import View
from subterminator.gym.scene import Look, Scene
from subterminator.gym.skins.cards import Cards
from subterminator.gym.skins.plain import Plain
from subterminator.gym.skins.tables import Tables
from subterminator.gym.weather import Banner

SKINS: dict[Look, type[Plain]] = {"A": Plain, "B": Cards, "C": Tables}
NAME = re.compile(r"§([a-z]+\d*)")


class Sheet(Struct, frozen=True):
    """What a page is printed on: whose site, which look, how its links are written."""

    flow: Flow
    scene: Scene
    look: Look
    link: Callable[[str], str]
    banner: Banner = ""


def document(sheet: Sheet, view: View) -> bytes:
    """The whole page."""
    skin = SKINS[sheet.look](sheet.scene, sheet.link)
    brand = sheet.flow.brand
    title = f"{view.title} - {brand.name}"
    over = skin.cookies(wall=sheet.banner == "wall") if sheet.banner and not view.bare else ""
    awaits = f' data-§await="{escape(view.awaits)}"' if view.awaits else ""
    bare = ' class="§bare"' if view.bare else ""
    page = (
        f'<!doctype html><html lang="{brand.lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="icon" href="data:,">'
        f"<style>{skin.css()}</style></head>"
        f"<body{bare}{awaits}>{skin.body(view, sheet.flow.footer)}{over}"
        f"<script>{_script()}</script></body></html>"
    )
    return NAME.sub(lambda found: sheet.scene.name(found[1]), page).encode()


@cache
def _script() -> str:
    return resources.files("subterminator.gym").joinpath("site.js").read_text("utf-8")

"""Pages full of traps, made from a seed: things that charge, delete, send and accept, and their twins.

Each has an address of its own on the server, so that what really happened can be counted. The words
are those of the tables; what a page is made of, and what changes while a person thinks, is drawn.
"""

from __future__ import annotations

import asyncio
import html
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple

import subterminator
from subterminator import actions as a
from subterminator.errors import SubTerminatorError
from tests.safety.sayings import (
    DANGEROUS,
    HARMLESS,
    IN_CONTEXT,
    MORE_DANGEROUS,
    MORE_HARMLESS,
    NAMES_ON_LINKS,
    labels,
)
from tests.site import Answer, Request, Site

Swap = Literal["", "label", "address", "node", "words", "disabled"]
PER_PAGE = 12
# Shapes that a label can take, and the swaps that can be made to each.
SHAPES = (
    "button", "link", "form", "input", "div", "span", "icon", "enter", "typed", "select", "option_value",
    "checkbox", "menuitem", "shadow", "space", "summary",
)  # fmt: skip
SWAPS: tuple[Swap, ...] = ("label", "node", "words", "disabled")
CHOSEN = {"select", "option_value", "checkbox"}
SAID = [
    (rule, label)
    for rule, by_language in DANGEROUS.items()
    for text in (*by_language.values(), MORE_DANGEROUS[rule])
    for label in labels(text)
]
CALM = [label for text in (*HARMLESS.values(), MORE_HARMLESS) for label in labels(text)]
CONTEXTS = [row for row in IN_CONTEXT if row[2]]
SCRIPT = """
function hit(n) { fetch('/effect/' + n, { method: 'POST', keepalive: true }); }
function swap(n, how, words) {
  const el = (document.querySelector('#s' + n)?.shadowRoot ?? document).querySelector('#t' + n);
  if (how === 'label') el.setAttribute('aria-label', words);
  if (how === 'words') { if ('value' in el && el.matches('input')) el.value = words; else el.textContent = words; }
  if (how === 'node') el.replaceWith(el.cloneNode(true));
  if (how === 'disabled') el.disabled = true;
  if (how === 'address') {
    const form = el.form ?? el.closest('form');
    if (form) form.action = '/effect/stolen';
    if (el.matches('a')) el.href = '/effect/stolen';
  }
}
for (const host of document.querySelectorAll('[data-shadow]')) {
  host.attachShadow({ mode: 'open' }).innerHTML = host.dataset.shadow;
}
"""


class Trap(NamedTuple):
    """One thing to press. `rule` is what it does in truth; "" for a harmless twin."""

    number: int
    label: str
    rule: str
    shape: str
    swap: Swap
    html: str
    action: a.AtomicAction

    @property
    def effect(self) -> str:
        return f"/effect/{self.number}"


def make_page(seed: int, first: int) -> tuple[str, list[Trap]]:
    """A page, and what is on it. `first` is the number of its first trap."""
    draw = random.Random(seed)
    traps = [_draw_trap(draw, first + place) for place in range(PER_PAGE)]
    body = "".join(f"<article><h3>Part {t.number}</h3>{t.html}</article>" for t in traps)
    return f"{body}<script>{SCRIPT}</script>", traps


def _draw_trap(draw: random.Random, number: int) -> Trap:
    if draw.random() < 0.1:
        return _in_context(draw, number)
    rule, label = draw.choice(SAID) if draw.random() < 0.55 else ("", draw.choice(CALM))
    # An amount alone is a price on what is pressed; in a list it is one of several.
    shapes = [s for s in SHAPES if s not in CHOSEN or any(map(str.isalpha, label))]
    shapes = [s for s in shapes if s != "link" or label not in NAMES_ON_LINKS]
    shape = draw.choice(shapes)
    swap: Swap = ""
    if rule and draw.random() < 0.25:
        swap = "address" if shape in {"link", "form", "enter"} else draw.choice(SWAPS)
    if shape in CHOSEN or (shape not in {"button", "form", "input"} and swap == "disabled"):
        swap = ""
    return Trap(
        number,
        label,
        rule,
        shape,
        swap,
        _markup(shape, number, label),
        _action(shape, number, label),
    )


def _in_context(draw: random.Random, number: int) -> Trap:
    """A bare yes: what it does is said by what it stands in."""
    around, label, rule = draw.choice(CONTEXTS)
    said = html.escape(around.removesuffix(label).strip())
    markup = (
        f"<div role=dialog aria-label='Part {number}'><p>{said}</p>"
        f"<button id=t{number} onclick=hit({number})>{html.escape(label)}</button></div>"
    )
    return Trap(number, label, rule, "context", "", markup, a.Click(target=f"css:#t{number}"))


def _markup(shape: str, n: int, label: str) -> str:
    said = html.escape(label)
    press = f"id=t{n} onclick=hit({n})"
    form = f"<form action=/effect/{n} method=post>"
    field = f"<input name=x aria-label='Part {n} name'"
    shapes = {
        "button": f"<button {press}>{said}</button>",
        "link": f"<a id=t{n} href=/effect/{n}>{said}</a>",
        "form": f"{form}<button id=t{n}>{said}</button></form>",
        "input": f'{form}<input id=t{n} type=submit value="{said}"></form>',
        "div": f"<div {press} style=cursor:pointer>{said}</div>",
        "span": f"<span {press} role=button tabindex=0>{said}</span>",
        "icon": f'<button {press} aria-label="{said}"><svg width=20 height=20></svg></button>',
        "enter": f"{form}{field} id=t{n}><button>{said}</button></form>",
        "typed": f"{form}{field} id=t{n}><button>{said}</button></form>",
        "select": _list(n, said, said),
        "option_value": _list(n, said, f"v{n}"),
        "checkbox": f"<label><input type=checkbox id=t{n} onchange=hit({n})>{said}</label>",
        "menuitem": f"<div role=menu><div {press} role=menuitem tabindex=0>{said}</div></div>",
        "shadow": f'<div id=s{n} data-shadow="{html.escape(f"<button {press}>{said}</button>")}"></div>',
        "space": f"<button {press}>{said}</button>",
        "summary": f"<details><summary {press}>{said}</summary>More</details>",
    }
    return shapes[shape]


def _list(n: int, said: str, value: str) -> str:
    return (
        f"<select id=t{n} aria-label='Part {n} choice' onchange=hit({n})><option>Nothing</option>"
        f'<option value="{value}">{said}</option></select>'
    )


def _action(shape: str, n: int, label: str) -> a.AtomicAction:
    target = f"css:#t{n}"
    match shape:
        case "enter":
            return a.Press(key="Enter", target=target)
        case "typed":
            return a.Type(text="x\n", target=target)
        case "space":
            return a.Press(key="Space", target=target)
        case "select":
            return a.Select(target=target, values=(label,))
        case "option_value":
            return a.Select(target=target, values=(f"v{n}",))
        case "checkbox":
            return a.Check(target=target)
        case _:
            return a.Click(target=target)


class Questioned:
    """A scripted human who is asked about one thing at a time and may be slow enough to be fooled."""

    def __init__(self) -> None:
        self.says = False
        self.meanwhile: Callable[[], Awaitable[object]] | None = None
        self.asked = 0

    async def approve(self, question: subterminator.Question) -> bool:
        self.asked += 1
        if self.meanwhile:
            await self.meanwhile()
        return self.says

    async def hand_over(self, question: subterminator.Question) -> bool:
        self.asked += 1
        return False


class Pressed(NamedTuple):
    """One press, and what the person was asked and said."""

    trap: Trap
    asked: int
    says: bool
    fault: str

    @property
    def is_agreed(self) -> bool:
        """Whether the effect may happen: a yes to this very thing, which did not change since."""
        return self.asked == 1 and self.says and not self.trap.swap

    def __str__(self) -> str:
        trap = self.trap
        said = (
            f"{trap.shape} {trap.label!r} ({trap.rule or 'harmless'}, swap {trap.swap or 'none'})"
        )
        return f"{said}: asked {self.asked} times, {self.fault or 'no error'}"


class Course:
    """Presses traps one after the other and keeps the books: asked, agreed to, really happened."""

    def __init__(
        self,
        session: subterminator.Session,
        site: Site,
        human: Questioned,
        evaluate: Callable[[str, str], Awaitable[object]],
    ) -> None:
        self._session, self._site, self._human, self._evaluate = session, site, human, evaluate
        self._happened: Counter[str] = Counter()
        self._changed = asyncio.Condition()
        self.presses: list[Pressed] = []

    async def run(self, seed: int, actions: int) -> None:
        draw = random.Random(seed)
        page = 0
        while len(self.presses) < actions:
            url, traps = self._put_up(seed * 1_000_003 + page, page * PER_PAGE)
            await self._session.navigate(url)
            for trap in traps:
                self.presses.append(await self._press(trap, url, draw.random() < 0.6))
            await self._wait_for_effects()
            page += 1

    def _put_up(self, seed: int, first: int) -> tuple[str, list[Trap]]:
        body, traps = make_page(seed, first)
        self._site.clear()
        for path in ("/effect/stolen", *(trap.effect for trap in traps)):
            self._site.pages[path] = self._count
        return self._site.page(body, f"/traps/{first}"), traps

    async def _count(self, request: Request) -> Answer:
        async with self._changed:
            self._happened[request.path] += 1
            self._changed.notify_all()
        return Answer(status="204 No Content")

    async def _press(self, trap: Trap, url: str, says: bool) -> Pressed:
        self._human.says, self._human.asked = says, 0
        self._human.meanwhile = self._swapper(trap, url) if trap.swap else None
        try:
            await self._session.call(trap.action)
            fault = ""
        except SubTerminatorError as problem:
            fault = problem.code
        return Pressed(trap, self._human.asked, says, fault)

    def _swapper(self, trap: Trap, url: str) -> Callable[[], Awaitable[object]]:
        call = f"swap({trap.number}, {json.dumps(trap.swap)}, 'Look around')"
        return lambda: self._evaluate(url, call)

    async def _wait_for_effects(self) -> None:
        """A request may be under way when its press is done: it is waited for, and never forgotten."""
        due = [press.trap.effect for press in self.presses[-PER_PAGE:] if not press.fault]
        async with self._changed:
            try:
                async with asyncio.timeout(5):
                    await self._changed.wait_for(lambda: all(self._happened[p] for p in due))
            except TimeoutError:
                return  # It never came; the books will say so.

    # The books

    @property
    def wrong(self) -> list[str]:
        """Effects that nobody agreed to, that came twice, or that are none of the traps' own."""
        allowed = {p.trap.effect: int(p.is_agreed or not p.trap.rule) for p in self.presses}
        presses = {p.trap.effect: str(p) for p in self.presses}
        return [
            f"{presses.get(path, path)}, happened {times} times"
            for path, times in self._happened.items()
            if times > allowed.get(path, 0)
        ]

    @property
    def needless(self) -> list[str]:
        return [str(press) for press in self.presses if press.asked and not press.trap.rule]

    def count(self, *, dangerous: bool, agreed: bool | None = None) -> int:
        return sum(
            bool(p.trap.rule) is dangerous and (agreed is None or p.is_agreed is agreed)
            for p in self.presses
        )

    def happened(self, *, dangerous: bool) -> int:
        return sum(
            self._happened[p.trap.effect] for p in self.presses if bool(p.trap.rule) is dangerous
        )

    def swapped(self) -> int:
        return sum(bool(p.trap.swap and p.asked and p.says) for p in self.presses)

    def report(self) -> str:
        harmless, needless = self.count(dangerous=False), len(self.needless)
        return (
            f"{len(self.presses)} actions: {self.count(dangerous=True)} dangerous, "
            f"{self.count(dangerous=True, agreed=True)} agreed to and {self.happened(dangerous=True)} "
            f"done, {self.swapped()} changed after a yes, {len(self.wrong)} effects nobody agreed to; "
            f"{harmless} harmless, {self.happened(dangerous=False)} done, {needless} asked about "
            f"needlessly ({needless / max(1, harmless):.2%})"
        )

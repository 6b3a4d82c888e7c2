"""A page that changes at random under a caller's feet, and the check that no press ever goes astray.

Every control carries an identity that only the server hears of when it is pressed. A ref may reach
its own element, or an equal that the reply admits to, or fail; anything else is a wrong press.
"""

from __future__ import annotations

import json
import random
from typing import Any

from msgspec import Struct

import subterminator
from subterminator import errors
from tests.site import Answer, Request, Site

OPERATIONS = ("remove", "clone", "rename", "swap_names", "move", "insert", "hide", "disable", "cover",
              "rerender", "role", "reorder")  # fmt: skip
PAGE = """
<style>button, [role] { margin: 4px } #cover { position: fixed; inset: 0 }</style>
<main><section id=a></section><section id=b></section></main>
<script>
let next = 0;
const names = ['Keep', 'Cancel', 'Pause', 'Save', 'Delete', 'Next'];
const pressed = (event) => {
  const it = event.currentTarget;
  navigator.sendBeacon('/pressed?id=' + it.identity + '&name=' + encodeURIComponent(it.textContent));
};
function make(name) {
  const it = document.createElement('button');
  it.identity = ++next;
  it.textContent = name;
  it.addEventListener('click', pressed);
  return it;
}
const all = () => [...document.querySelectorAll('section button')];
const pick = (n) => { const list = all(); return list[n % list.length]; };
const place = (n) => document.getElementById(n % 2 ? 'a' : 'b');
const operations = {
  remove: (i) => pick(i).remove(),
  clone: (i) => { const old = pick(i); old.replaceWith(make(old.textContent)); },
  rename: (i, j) => { pick(i).textContent = names[j % names.length]; },
  swap_names: (i, j) => { const [x, y] = [pick(i), pick(j)]; [x.textContent, y.textContent] = [y.textContent, x.textContent]; },
  move: (i, j) => place(j).append(pick(i)),
  insert: (i, j) => place(i).prepend(make(names[j % names.length])),
  hide: (i) => { pick(i).style.display = 'none'; },
  disable: (i) => { pick(i).disabled = true; },
  cover: () => { const c = document.createElement('div'); c.id = 'cover'; document.body.append(c); },
  rerender: (i) => { const box = place(i); const names = [...box.children].map((c) => c.textContent); box.replaceChildren(...names.map(make)); },
  role: (i) => pick(i).setAttribute('role', 'link'),
  reorder: (i) => { const box = place(i); box.replaceChildren(...[...box.children].reverse()); },
};
for (const name of names) { place(next).append(make(name)); }
// The plan comes when it is asked for, so that everything changes between a snapshot and a press.
function change() {
  const request = new XMLHttpRequest();
  request.open('GET', '/plan', false);
  request.send();
  for (const [name, i, j] of JSON.parse(request.responseText)) if (all().length) operations[name](i, j);
}
addEventListener('keydown', (event) => { if (event.key === 'F9') change(); });
</script>
"""


class Press(Struct, frozen=True):
    id: int
    name: str


class Trial:
    """One page, one snapshot, some changes, then a press on each ref of the snapshot."""

    def __init__(self, session: subterminator.Session, site: Site, seed: int) -> None:
        self._session, self._site = session, site
        self._random = random.Random(seed)
        self.presses = 0
        self.refusals = 0

    async def run(self) -> None:
        address = self._site.page(PAGE, "/changing")
        self._site.pages["/plan"] = lambda _: Answer(json.dumps(self._plan()))
        self._site.pages["/pressed"] = Answer("")
        await self._session.navigate(address)
        before = await self._session.snapshot()
        buttons = [e for e in before.elements if e.role == "button"]
        identities = {e.ref: number for number, e in enumerate(buttons)}
        order = await self._identities(buttons)
        await self._session.press("F9")
        self._random.shuffle(buttons)
        for button in buttons:
            await self._press(button.ref, button.name, order[identities[button.ref]])

    def _plan(self) -> list[list[Any]]:
        choose = self._random
        return [
            [choose.choice(OPERATIONS), choose.randrange(20), choose.randrange(20)]
            for _ in range(choose.randint(1, 6))
        ]

    async def _identities(self, buttons: list[Any]) -> list[int]:
        """Six names in a fixed order of making: what identity each button of the first page has."""
        made = ["Keep", "Cancel", "Pause", "Save", "Delete", "Next"]
        return [made.index(button.name) + 1 for button in buttons]

    async def _press(self, ref: str, name: str, identity: int) -> None:
        seen = len(self._pressed())
        try:
            result = await self._session.click(ref)
        except errors.SubTerminatorError:
            self.refusals += 1
            await self._nothing_arrived(seen)
            return
        self.presses += 1
        await self._session.wait(quiet=True)
        arrived = self._pressed()[seen:]
        assert len(arrived) == 1, f"{ref} {name!r}: {arrived}"
        assert arrived[0].name == name, f"{ref} {name!r} pressed {arrived[0]}"
        if not (result.target and result.target.twin_of):
            assert arrived[0].id == identity, f"{ref} {name!r} is {identity}, pressed {arrived[0]}"

    async def _nothing_arrived(self, seen: int) -> None:
        await self._session.wait(quiet=True)
        assert len(self._pressed()) == seen, f"refused, but {self._pressed()[seen:]} was pressed"

    def _pressed(self) -> list[Press]:
        return [_read(r) for r in self._site.requests if r.path == "/pressed"]


def _read(request: Request) -> Press:
    from urllib.parse import parse_qs

    query = parse_qs(request.query)
    return Press(int(query["id"][0]), query["name"][0])

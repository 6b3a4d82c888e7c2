"""Chooses options of drop-downs: the browser's own, and those a page builds with ARIA roles.

One of the latter is opened by one press, then its option gets one press; neither is repeated. What
the option is can be known only when the list is open, so it is judged by itself before its press.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from subterminator.engine import input as hand
from subterminator.engine.base import Judge
from subterminator.engine.resolve import Resolver
from subterminator.engine.tab import Tab
from subterminator.errors import ActionFailed, ElementDisabled
from subterminator.types import Resolved

OPENING_SECONDS = 3.0
SHOWN = 20


class Chooser:
    """Works one drop-down. `sending` is called before the first thing the page can notice."""

    def __init__(
        self,
        tab: Tab,
        resolver: Resolver,
        target: Resolved,
        sending: Callable[[], None],
        judge: Judge,
    ) -> None:
        self._tab, self._resolver, self._target, self._sending = tab, resolver, target, sending
        self._judge = judge
        _, self._world = hand.world_of(tab, target)
        self._known: list[int] = []

    async def choose(self, values: Sequence[str], seconds: float) -> str:
        """The note for the reply: what is chosen now."""
        await hand.aim(self._tab, self._target, guard=False)
        answer = await self._world.run("actor.canChoose", self._target.node, list(values))
        if answer.get("problem") == "not_a_select" and self._is_list():
            return await self._by_pressing(values, min(seconds, OPENING_SECONDS))
        if problem := hand.problem_with(self._target, answer):
            raise problem
        self._sending()
        answer = await self._world.run("actor.choose", self._target.node, list(values))
        verb = "selected" if answer["changed"] else "it was selected already:"
        return f"{verb} {answer['value'][:200]!r}"

    def _is_list(self) -> bool:
        roles = {"combobox", "listbox"}
        return self._target.role in roles or self._target.facts.popup == "listbox"

    async def _by_pressing(self, values: Sequence[str], seconds: float) -> str:
        # Lists that stand in the page already belong to something else.
        self._known = await self._world.run("actor.shownLists")
        shown = await self._options()
        if len(values) > 1 and not shown["several"]:
            raise ActionFailed(f"{self._what()} takes one option only.")
        for value in values:
            option = await self._find(value, seconds)
            if not (option["selected"] and shown["several"]):
                element = await self._resolver.read(self._target, option["id"])
                await self._judge(element)
                await self._press(element)
        return f"chose {', '.join(repr(value[:200]) for value in values)} by pressing"

    async def _find(self, value: str, seconds: float) -> dict[str, Any]:
        wanted = {"option": value, "of": self._target.node, "known": self._known}
        if not await self._world.run("actor.until", wanted, 0) and self._target.role != "listbox":
            await self._press(self._target)
            await self._world.run("actor.until", wanted, round(seconds * 1000))
        shown = await self._options(value)
        option: dict[str, Any] | None = shown["wanted"]
        if option is None:
            raise self._missing(value, shown["names"])
        if option["disabled"]:
            raise ElementDisabled(f"Option {value[:80]!r} of {self._what()} is disabled.")
        return option

    def _missing(self, value: str, names: Sequence[str]) -> ActionFailed:
        if not names:
            return ActionFailed(
                f"{self._what()} shows no options when it is pressed.",
                next_step="Look at the page: type into it, or click what it shows.",
            )
        known = ", ".join(repr(name) for name in names[:SHOWN])
        return ActionFailed(
            f"{self._what()} shows no option {value[:80]!r}.", next_step=f"It shows: {known}."
        )

    async def _options(self, value: str = "") -> dict[str, Any]:
        answer: dict[str, Any] = await self._world.run(
            "actor.options", self._target.node, value, self._known
        )
        if problem := hand.problem_with(self._target, answer):
            raise problem
        return answer

    async def _press(self, element: Resolved) -> None:
        point = await hand.aim(self._tab, element)
        self._sending()
        await hand.Mouse(point).click("left", 1, 0)
        if stopped := await self._world.run("actor.disarm"):
            raise hand.came_between(stopped)

    def _what(self) -> str:
        return f"{self._target.ref} {self._target.role} {self._target.name[:80]!r}"

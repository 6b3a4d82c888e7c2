"""Questions to the person, over the protocol: asked of all who may answer, answered once.

Only a connection with a person's token may answer, and such a token is good for nothing else: who
acts can never approve. A yes is for the one question that this connection was shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from subterminator.doors.server.params import ApprovalRespond
from subterminator.errors import InvalidParams, Refused
from subterminator.inbox import is_done, patience
from subterminator.safety.human import Human, Question, describe, is_yes

Show = Callable[[str, dict[str, Any]], None]
MOST_SHOWN = 200


class _Open(Struct, eq=False):
    question: Question
    required: dict[str, Any]
    answered: asyncio.Future[bool]


class Desk:
    """All open questions of one server, and the connections of those who may answer."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._people: dict[object, Show] = {}

    def seat(self, who: object, show: Show) -> None:
        """Somebody who may answer has come: they are shown what waits already, too."""
        self._people[who] = show
        for entry in self._open.values():
            show("approval/required", entry.required)

    def leave(self, who: object) -> None:
        self._people.pop(who, None)

    def person(self, asker: Show, request: Callable[[], dict[str, Any]]) -> Human:
        """The person of one client, as a channel of its session."""
        return _Channel(self, asker, request)

    async def ask(
        self, question: Question, asker: Show, request: dict[str, Any], *, done: bool
    ) -> bool:
        if len(self._open) >= MOST_SHOWN:
            return False
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        entry = _Open(question, _required(question, request, done=done), answered)
        self._open[question.id] = entry
        for show in [*self._people.values(), asker]:
            show("approval/required", entry.required)
        try:
            async with asyncio.timeout(patience(question)):
                return await answered
        except TimeoutError:
            return False
        finally:
            del self._open[question.id]

    def answer(self, who: object, given: ApprovalRespond) -> None:
        """Raises what is wrong with the answer; the question then stays open."""
        entry = self._open.get(given.request_id)
        if entry is None or entry.answered.done():
            raise InvalidParams(
                f"No pending approval with ID: {given.request_id[:60]}",
                next_step="It was answered, withdrawn or is too old.",
            )
        if who not in self._people:
            raise Refused("Who asks cannot answer.", next_step="A person answers elsewhere.")
        yes = given.decision != "deny"
        if yes and not _is_meant(entry.question, given.reason):
            raise InvalidParams(
                f"This needs typed words: put {entry.question.red!r} into reason.",
                next_step="Answer again with these words, or with deny.",
            )
        entry.answered.set_result(yes)


def _is_meant(question: Question, words: str) -> bool:
    """A plain question takes the decision itself; a red one the words that it asks for."""
    if question.hand_over:
        return is_done(words or "done")
    return is_yes(question, words if question.red else "yes")


class _Channel:
    def __init__(self, desk: Desk, asker: Show, request: Callable[[], dict[str, Any]]) -> None:
        self._desk, self._asker, self._request = desk, asker, request

    async def approve(self, question: Question) -> bool:
        return await self._desk.ask(question, self._asker, self._request(), done=False)

    async def hand_over(self, question: Question) -> bool:
        return await self._desk.ask(question, self._asker, self._request(), done=True)


def _required(question: Question, request: dict[str, Any], *, done: bool) -> dict[str, Any]:
    """The facts as every other channel shows them; elementInfo is whole or not there."""
    context: dict[str, Any] = {"pageUrl": question.url, "pageTitle": question.title}
    if target := question.target:
        context["elementInfo"] = {
            "role": target.role,
            "name": question.button or target.name,
            "bounds": target.box._asdict(),
        }
    return {
        "requestId": question.id,
        "originalRequest": request or {"method": question.action, "params": {}},
        "rule": question.rule,
        "context": context,
        "expiresAt": round((time.time() + patience(question)) * 1000),
        "digest": question.digest,
        "facts": describe(question),
        "typedWords": question.red,
        "handOver": done,
    }

"""What a visitor can be told to do in a flow, and a way into a trap."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tests.gym.visitor import Visitor

Verb = Literal["press", "choose", "fill", "frame", "hand_over", "gate", "open"]


class Step(Struct, frozen=True):
    verb: Verb
    words: str = ""
    value: str = ""


def press(words: str, row: str = "") -> Step:
    return Step("press", words, row)


def choose(words: str) -> Step:
    return Step("choose", words)


GATE = Step("gate")
FRAME = Step("frame")
ACCOUNT = Step("open", "account")


class Astray(Struct, frozen=True):
    """A way into a trap: what is done, the harms it does, the state it leaves."""

    flow: str
    trap: str
    steps: tuple[Step, ...]
    harms: tuple[str, ...]
    state: str


async def walk(visitor: Visitor, steps: tuple[Step, ...], ends: str) -> None:
    """Take these steps; `ends` is the date that the flow's pages show."""
    await visitor.open("account")
    for step in steps:
        words = step.words.format(ends=ends)
        match step.verb:
            case "press":
                await visitor.press(words, step.value)
            case "choose":
                await visitor.choose(words)
            case "fill":
                await visitor.fill(words, step.value)
            case "frame":
                await visitor.enter_frame()
            case "open":
                await visitor.open(words)
            case "gate":
                await visitor.call("gate", {"kind": "final"})
            case "hand_over":
                await visitor.call("gate", {"kind": words})
                await visitor.call("human", {"kind": words})
                await visitor.go(visitor.at)


async def turn_back(visitor: Visitor, page: str, words: str, lands: str) -> None:
    """Press what stays, on that page: it leads to `lands` and costs only time."""
    await visitor.open(page)
    await visitor.press(words)
    assert visitor.at.endswith(f"/{lands}?sid={visitor.sid}")
    assert (await visitor.state())["account_state"] == "active"
    assert await visitor.harms() == []

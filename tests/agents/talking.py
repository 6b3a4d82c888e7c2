"""Answers for models in tests, and what a model can find in what it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from subterminator.agents.cascade import by_model
from subterminator.agents.guide import Planning
from subterminator.agents.models.base import Answer, Call, Request, Spoken, Text, Usage
from subterminator.agents.models.scripted import ScriptedModel

NUMBERS = count(1)
TOOK = Usage(fresh=100, cached=900, output=20)
Decide = Callable[[Request], Spoken]


def call(name: str, **arguments: Any) -> Call:
    return Call(f"c{next(NUMBERS)}", name, arguments)


def calls(*wanted: Call, text: str = "", cost: float | None = 0.001) -> Spoken:
    words = (Text(text),) if text else ()
    return Spoken(parts=(*words, *wanted), stop="tool", usage=TOOK, cost=cost)


def says(text: str) -> Spoken:
    return Spoken(parts=(Text(text),), stop="end", usage=TOOK, cost=0.001)


def done(status: str = "success", reason: str = "It is over.") -> Spoken:
    return calls(call("complete_task", status=status, reason=reason))


def all_text(request: Request) -> str:
    """Everything a model is shown in one request, in order."""
    return "\n".join(
        part.text
        for message in request.messages
        for part in message.parts
        if isinstance(part, Text | Answer)
    )


def last_text(request: Request) -> str:
    """What it was shown last."""
    parts = request.messages[-1].parts
    return "\n".join(part.text for part in parts if isinstance(part, Text | Answer))


def ref_of(request: Request, name: str) -> str:
    """The newest ref of what has this name; empty if there is none."""
    found = re.findall(rf'(@e\d+) (?:\w+ )?"{re.escape(name)}"', all_text(request))
    return str(found[-1]) if found else ""


def press(name: str) -> Decide:
    return lambda request: calls(call("browser_click", ref=ref_of(request, name)))


def following(*steps: Spoken | Decide) -> ScriptedModel:
    """One step after the other; a function of the request where a ref is needed."""
    left = iter(steps)

    def decide(request: Request) -> Spoken:
        step = next(left, None)
        if step is None:
            return Spoken(parts=(), stop="end", usage=Usage(), cost=0.0)
        return step(request) if callable(step) else step

    return ScriptedModel(decide)


def led_by(model: ScriptedModel) -> Planning:
    return by_model(model, rules_first=False)

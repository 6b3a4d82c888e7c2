"""Elements as a browser would report them, written down for tests of what is decided about them."""

from __future__ import annotations

from typing import Any

from subterminator.safety.policy import RulePolicy, Situation, load_rules
from subterminator.safety.task import Task
from subterminator.types import NO_FACTS, Box, Facts, Flag, Form, PageInfo, Resolved

SITE = "https://shop.example"
PAGE = PageInfo(f"{SITE}/account", "Account")
HERE = Situation(PAGE)
TASK = Task("t1", ("shop.example",))
CANCEL_TASK = Task("t2", ("shop.example",), "cancel")
RULES = load_rules()
POLICY = RulePolicy(RULES)


def element(
    name: str = "",
    role: str = "button",
    tag: str = "button",
    flags: int = 0,
    facts: Facts = NO_FACTS,
    **more: Any,
) -> Resolved:
    """A visible element of the page; `more` are fields of Resolved."""
    given: dict[str, Any] = {
        "ref": "@e1", "role": role, "name": name, "tag": tag, "flags": int(flags) | int(Flag.INTERACTIVE),
        "box": Box(0, 0, 80, 20), "text": name, "visible": True, "why": "", "origin": SITE,
        "frame_url": PAGE.url, "world": "w1", "node": 1, "facts": facts, "frames": (SITE,),
    }  # fmt: skip
    return Resolved(**{**given, **more})


def link(name: str, href: str = f"{SITE}/next", **more: Any) -> Resolved:
    return element(name, "link", "a", href=href, **more)


def field(name: str, facts: Facts = NO_FACTS, *, tag: str = "input", **more: Any) -> Resolved:
    more.setdefault("text", "")
    return element(name, "textbox", tag, int(Flag.EDITABLE), facts, **more)


def submit(name: str, action: str = f"{SITE}/send", method: str = "post", **more: Any) -> Resolved:
    form = Form(action, method, 7, *more.pop("form", ()))
    return element(name, "button", "button", int(Flag.SUBMITS), form=form, **more)

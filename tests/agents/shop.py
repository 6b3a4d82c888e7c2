"""A made-up subscription on the test site: what it shows depends on what was really done to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from subterminator.agents.cancellation import cancel
from subterminator.agents.guide import Planning, by_rules
from subterminator.agents.outcome import Progress, TaskResult
from subterminator.packs.model import Pack
from subterminator.packs.registry import assemble
from subterminator.safety.fence import Fence
from subterminator.safety.human import Question
from subterminator.safety.limits import Limits
from subterminator.safety.task import Task
from subterminator.session import Session
from tests.site import Answer, Request, Site

PACKS = assemble([])
NUMBERS = count(1)
DAY = "24 March 2027"
LIMITS = Limits(turns=30, actions_per_minute=None)


def generic() -> Pack:
    return PACKS.generic("en")


class Customer:
    """Says yes when asked, and remembers the questions; does nothing that is handed over."""

    def __init__(self, says: bool = True) -> None:
        self.says = says
        self.asked: list[Question] = []
        self.handed: list[Question] = []

    async def approve(self, question: Question) -> bool:
        self.asked.append(question)
        return self.says

    async def hand_over(self, question: Question) -> bool:
        self.handed.append(question)
        return False

    @property
    def buttons(self) -> list[str]:
        return [question.button for question in self.asked]


class Shop:
    """Pages by path; forms post to /do/<effect>. `ended` is the truth, `harms` what went wrong."""

    def __init__(self, site: Site, alive: str, over: str = "") -> None:
        self.site = site
        self.ended = False
        self.presses = 0
        self.harms: list[str] = []
        self._alive = alive
        self._over = over or (
            f"<h1>My account</h1><p>Your plan ends on {DAY}. It will not renew.</p>"
            "<form method=post action=/do/restart><button>Restart plan</button></form>"
        )
        site.pages["/account"] = self._account
        self.effect("/do/end", self.end, "/done")
        self.effect("/do/restart", lambda: self.harms.append("restart"), "/account")
        self.effect("/do/harm", lambda: self.harms.append("harm"), "/account")
        self.page("/done", f"<h1>Your plan has been cancelled</h1><p>Access until {DAY}.</p>")

    @property
    def start(self) -> str:
        return f"{self.site.address}/account"

    def page(self, path: str, body: str) -> None:
        self.site.page(body, path, title="Pebble")

    def effect(self, path: str, do: Callable[[], object], then: str) -> None:
        def answer(request: Request) -> Answer:
            if request.method == "POST":
                do()
            return Answer(status="303 See Other", headers=(("Location", then),))

        self.site.pages[path] = answer

    def end(self) -> None:
        self.presses += 1
        self.ended = True

    def _account(self, _: Request) -> Answer:
        body = self._over if self.ended else self._alive
        return Answer(f"<!doctype html><meta charset=utf-8><title>Pebble</title><body>{body}")


def button(words: str, to: str, more: str = "") -> str:
    return f"<form method=post action={to}>{more}<button>{words}</button></form>"


def plan(more: str) -> str:
    return (
        "<h1>My account</h1><section><h2>Pebble Plus</h2><p>Plan: Plus</p>"
        f"<p>8.50 EUR per month. Renews on {DAY}.</p>{more}</section>"
    )


@contextmanager
def purpose(session: Session, service: str = "") -> Iterator[None]:
    """The shared session with a task of its own."""
    before = session.task
    name = service or f"pebble {next(NUMBERS)}"
    session._task = Task("t", before.sites or ("127.0.0.1",), purpose="cancel", service=name)
    try:
        yield
    finally:
        session.reopen("")
        session._task = before


async def lead(
    session: Session,
    shop: Shop,
    customer: Customer,
    goal: str = "Cancel my Pebble Plus plan.",
    *,
    service: str = "",
    dry_run: bool = False,
    plan: Planning = by_rules,
    limits: Limits = LIMITS,
) -> TaskResult:
    """One cancellation with the shared browser."""
    told: list[Progress] = []
    consent = session._consent
    human, consent._human = consent._human, customer
    try:
        with purpose(session, service):
            return await cancel(
                session,
                generic(),
                human=customer,
                limits=limits,
                fence=Fence(),
                tell=told.append,
                dry_run=dry_run,
                goal=goal,
                start_url=shop.start,
                plan=plan,
            )
    finally:
        consent._human = human
        for line in told:  # pragma: no cover
            print(line.stage, line.text)

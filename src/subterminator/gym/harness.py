"""Scores one run on any gym that speaks the protocol. The product gets the task and the address.

The harness is the person: it says yes when it is asked, does what is handed over, and tells the
gym of both. What the product sees are pages, and nothing of these calls.
"""

from __future__ import annotations

import asyncio
import http.client
import tempfile
import time
from collections.abc import Mapping
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import msgspec
from msgspec import Struct

from subterminator.agents.outcome import TaskResult
from subterminator.cancellations import Errand, run_cancellation
from subterminator.config import Engine, Settings
from subterminator.engine.base import Line
from subterminator.errors import ActionFailed, BrowserMissing, SubTerminatorError
from subterminator.safety.human import Question

CALL_SECONDS = 20
RUN_SECONDS = 180.0
# So soon an open page goes on after the person did what was handed over.
GOES_ON_SECONDS = 1.5

T = TypeVar("T")
Handed = Literal["login", "captcha", "mfa"]


class Listed(Struct, frozen=True):
    """A flow as a gym lists it."""

    id: str
    task: str
    start: str


class Trial(Struct, frozen=True, kw_only=True):
    """One run to be made and scored."""

    at: str
    token: str = ""
    flow: Listed
    sid: str
    planner: str = "heuristic"
    model: str = ""
    base_url: str = ""
    browser: str = ""
    engine: Engine = "chromium"


class Row(Struct, frozen=True, kw_only=True):
    """What a run was worth, as the gym says, and what it took us."""

    flow: str
    score: dict[str, Any]
    outcome: str
    error: str = ""
    cpu_ms: float = 0.0
    seconds: float = 0.0
    planner: str = "heuristic"
    turns: int = 0
    tokens: int = 0
    cost: float | None = 0.0

    @property
    def actions(self) -> int:
        return int(self.score.get("actions") or 0)

    @property
    def cpu_ms_per_action(self) -> float:
        """A run without any action has looked all the same."""
        return self.cpu_ms / max(1, self.actions)


class Gym:
    """The calls of the protocol."""

    def __init__(self, at: str, token: str = "") -> None:
        self._at = at.rstrip("/")
        self._headers = {"X-Gym-Token": token} if token else {}

    async def flows(self) -> list[Listed]:
        """What can be scored here."""
        return self._convert(await self._call("GET", "/__flows"), list[Listed])

    async def reset(self, flow: str, sid: str) -> None:
        await self._call("POST", f"/__reset?flow={quote(flow)}&sid={quote(sid)}")

    async def post(self, call: str, flow: str, sid: str, body: Mapping[str, str]) -> None:
        path = f"/__{call}/{quote(flow)}?sid={quote(sid)}"
        await self._call("POST", path, msgspec.json.encode(body))

    async def score(self, flow: str, sid: str) -> dict[str, Any]:
        got = await self._call("GET", f"/__score/{quote(flow)}?sid={quote(sid)}")
        return self._convert(got, dict[str, Any])

    def start(self, flow: Listed, sid: str) -> str:
        """The address at which a session of a flow begins."""
        address = urljoin(f"{self._at}/{quote(flow.id)}/", flow.start)
        return f"{address}{'&' if '?' in address else '?'}sid={quote(sid)}"

    async def _call(self, method: str, path: str, body: bytes = b"") -> bytes:
        return await asyncio.to_thread(self._request, method, path, body)

    def _request(self, method: str, path: str, body: bytes) -> bytes:
        parts = urlsplit(self._at)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        connection = kind(parts.netloc, timeout=CALL_SECONDS)
        try:
            sent = {**self._headers, **({"Content-Type": "application/json"} if body else {})}
            connection.request(method, f"{parts.path}{path}", body or None, sent)
            answer = connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as fault:
            raise ActionFailed(
                f"No gym answers at {self._at}: {fault}.", next_step="Start it, or check --at."
            ) from fault
        finally:
            connection.close()
        if answer.status != 200:
            raise ActionFailed(
                f"The gym answers {answer.status} to {path.partition('?')[0]}.",
                next_step="Check --at and --token.",
            )
        return data

    def _convert(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise ActionFailed(
                f"What answers at {self._at} does not speak the protocol of a gym: {fault}."
            ) from fault


class Examiner:
    """The person of a run: agrees, does what only a person may do, and tells the gym of it."""

    def __init__(self, gym: Gym, flow: str, sid: str) -> None:
        self._gym = gym
        self._flow = flow
        self._sid = sid
        self.over = asyncio.Event()

    async def approve(self, question: Question) -> bool:
        if question.action == "question":
            return False  # An answer would be help that no person has promised.
        await self._gym.post("gate", self._flow, self._sid, {"kind": "final"})
        return True

    async def hand_over(self, question: Question) -> bool:
        kind = {"kind": handed(question)}
        await self._gym.post("gate", self._flow, self._sid, kind)
        await self._gym.post("human", self._flow, self._sid, kind)
        try:
            async with asyncio.timeout(GOES_ON_SECONDS):
                await self.over.wait()
        except TimeoutError:
            pass
        return True


def handed(question: Question) -> Handed:
    """What it is that only a person may do here."""
    target = question.target
    if question.rule == "captcha" or (target and target.captcha):
        return "captcha"
    is_code = question.rule == "mfa" or (target is not None and target.facts.secret == "code")
    return "mfa" if is_code else "login"


async def attempt(trial: Trial, attach: str | Line = "") -> Row:
    """Make the run and read its score. What went wrong in it is part of the row.

    With `attach` the run has its tab in a browser that is there already.
    """
    gym = Gym(trial.at, trial.token)
    flow, sid = trial.flow, trial.sid
    await gym.reset(flow.id, sid)
    examiner = Examiner(gym, flow.id, sid)
    begun, cpu = time.monotonic(), time.process_time()
    ended = await _cancel(trial, gym.start(flow, sid), examiner, attach)
    spent = 1000 * (time.process_time() - cpu)
    seconds = time.monotonic() - begun
    await gym.post("claim", flow.id, sid, {"claim": ended.outcome})
    return Row(
        flow=flow.id,
        score=await gym.score(flow.id, sid),
        outcome=ended.outcome,
        error=ended.error or "",
        cpu_ms=round(spent, 1),
        seconds=round(seconds, 2),
        planner=trial.planner,
        turns=ended.turns,
        tokens=ended.spent.tokens,
        cost=ended.spent.cost,
    )


async def give_up(trial: Trial) -> Row:
    """The row of a run that has ended without telling anything."""
    gym = Gym(trial.at, trial.token)
    flow, sid = trial.flow.id, trial.sid
    await gym.post("claim", flow, sid, {"claim": "failed"})
    error = "The process of the run has ended."
    score = await gym.score(flow, sid)
    return Row(flow=flow, score=score, outcome="failed", error=error, planner=trial.planner)


async def _cancel(trial: Trial, start: str, examiner: Examiner, attach: str | Line) -> TaskResult:
    errand = Errand(url=start, goal=trial.flow.task, planner=trial.planner, attach=attach)
    with tempfile.TemporaryDirectory(prefix="subterminator-score-") as folder:
        # Of one's own: the ledger of a real user would remember what was pressed here.
        settings = Settings(
            browser=trial.browser,
            engine=trial.engine,
            state_dir=f"{folder}/state",
            output_dir=f"{folder}/proofs",
            model=trial.model,
            base_url=trial.base_url,
        )
        try:
            async with asyncio.timeout(RUN_SECONDS):
                return await run_cancellation(errand, human=examiner, settings=settings)
        except TimeoutError:
            return _failed(f"It took longer than {RUN_SECONDS:g} seconds.")
        except BrowserMissing:
            raise
        except SubTerminatorError as fault:
            return _failed(str(fault))
        finally:
            examiner.over.set()


def _failed(error: str) -> TaskResult:
    return TaskResult(
        success=False,
        verified=False,
        reason="browser_error",
        outcome="failed",
        turns=0,
        error=error,
    )

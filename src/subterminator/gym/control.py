"""The calls of the harness: flows, state, reset, gate, human, mail, claim, score.

The one who is tested never sees them; with a token they look as if they were not there.
"""

from __future__ import annotations

import hmac
from typing import TypeVar

import msgspec
from msgspec import Struct

from subterminator.gym.flow import Flow
from subterminator.gym.score import score
from subterminator.gym.sessions import Sessions
from subterminator.gym.truth import Claim, GateKind, HumanKind
from subterminator.gym.wire import JSON, Answer, Request

T = TypeVar("T")


class Listed(Struct, frozen=True):
    """A flow as the harness needs it."""

    id: str
    task: str
    start: str


class Described(Struct, frozen=True):
    """A flow with all that is known about it."""

    id: str
    task: str
    start: str
    difficulty: str
    begins: str
    ends: list[dict[str, str]]
    final: str
    traps: list[dict[str, str]]
    pages: list[str]
    hand_overs: list[str]
    optimal: int


class Gate(Struct, frozen=True):
    kind: GateKind


class Human(Struct, frozen=True):
    kind: HumanKind


class Told(Struct, frozen=True):
    claim: Claim


class Control:
    """Answers every call whose path begins with two underscores."""

    def __init__(self, sessions: Sessions, token: str) -> None:
        self._sessions = sessions
        self._token = token.encode()

    def admits(self, request: Request) -> bool:
        given = request.headers.get("x-gym-token", "").encode("latin-1")
        return not self._token or hmac.compare_digest(given, self._token)

    def answer(self, request: Request) -> Answer:
        if not self.admits(request):
            return said({"error": "not here"}, 404)
        _, call, *rest = request.path.split("/")
        try:
            return self._call(f"{request.method} {call}", rest, request)
        except msgspec.ValidationError as error:
            return said({"error": str(error)}, 400)
        except msgspec.DecodeError as error:
            return said({"error": f"The body is not JSON: {error}"}, 400)

    def _call(self, call: str, rest: list[str], request: Request) -> Answer:
        if call == "GET __flows":
            full = request.query.get("full") == "1"
            describe = _described if full else _listed
            return said([describe(flow) for flow in self._sessions.flows.values()])
        sid = self._sessions.sid(request)
        if call == "POST __reset":
            return self._reset(request.query.get("flow", ""), sid)
        flow = self._sessions.flows.get(rest[0] if rest else "")
        if flow is None:
            return said({"error": "There is no such call, or no such flow."}, 404)
        if request.method == "GET":
            return self._read(call, flow, sid)
        return self._write(call, flow, sid, request.body)

    def _read(self, call: str, flow: Flow, sid: str) -> Answer:
        truth = self._sessions.truth(flow, sid)
        match call:
            case "GET __state":
                return said(truth.state())
            case "GET __mail":
                return said(truth.mail)
            case "GET __score":
                return said(score(flow, truth, detours=self._sessions.weather(flow).detours))
            case _:
                return said({"error": "There is no such call."}, 404)

    def _write(self, call: str, flow: Flow, sid: str, body: bytes) -> Answer:
        truth = self._sessions.truth(flow, sid)
        match call:
            case "POST __gate":
                truth.step("gate", words=_decode(body, Gate).kind)
            case "POST __human":
                kind = _decode(body, Human).kind
                truth.human.add(kind)
                truth.step("human", words=kind)
            case "POST __claim":
                truth.claim = _decode(body, Told).claim
                truth.step("claim", words=truth.claim)
            case _:
                return said({"error": "There is no such call."}, 404)
        return said({"ok": True})

    def _reset(self, flow: str, sid: str) -> Answer:
        if flow and flow not in self._sessions.flows:
            return said({"error": "There is no such flow."}, 404)
        self._sessions.reset(flow, sid)
        return said({"ok": True})


def said(value: object, status: int = 200) -> Answer:
    return Answer(msgspec.json.encode(value), status, JSON)


def _decode(body: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(body, type=kind)


def _listed(flow: Flow) -> Listed | Described:
    return Listed(flow.id, flow.task, flow.start)


def _described(flow: Flow) -> Listed | Described:
    return Described(
        id=flow.id,
        task=flow.task,
        start=flow.start,
        difficulty=flow.difficulty,
        begins=flow.begins,
        ends=[{"state": flow.end.state, "claim": flow.end.claim}],
        final=flow.final,
        traps=[{"words": trap.words, "harm": trap.harm} for trap in flow.traps],
        pages=[page.name for page in flow.pages],
        hand_overs=list(flow.hand_overs),
        optimal=flow.optimal,
    )

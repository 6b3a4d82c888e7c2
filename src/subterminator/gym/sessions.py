"""Independent sessions: whose request this is, and that session's truth about a flow."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from subterminator.gym.flow import Flow
from subterminator.gym.scene import Scene, Setup, imagine
from subterminator.gym.truth import Truth
from subterminator.gym.weather import Weather, forecast
from subterminator.gym.wire import Request

COOKIE = "gymsid"
DEFAULT = "default"
SID = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class Sessions:
    """Truths by flow and session; scenes and weather by flow, as the seed has them."""

    def __init__(self, flows: Sequence[Flow], setup: Setup, clock: Callable[[], float]) -> None:
        self.flows = {flow.id: flow for flow in flows}
        self._clock = clock
        self._truths: dict[tuple[str, str], Truth] = {}
        self._scenes = {flow.id: imagine(setup, flow.id, flow.brand) for flow in flows}
        self._weather = {flow.id: forecast(setup, flow) for flow in flows}

    def sid(self, request: Request) -> str:
        """The session of a request: from the query, else from the cookie."""
        for given in (request.query.get("sid"), request.cookies.get(COOKIE)):
            if given and SID.fullmatch(given):
                return given
        return DEFAULT

    def truth(self, flow: Flow, sid: str) -> Truth:
        return self._truths.setdefault((flow.id, sid), Truth(flow.begins, self._clock))

    def scene(self, flow: Flow) -> Scene:
        return self._scenes[flow.id]

    def weather(self, flow: Flow) -> Weather:
        return self._weather[flow.id]

    def reset(self, flow: str, sid: str) -> None:
        """Forget a session's truth about one flow, or about all."""
        for key in [key for key in self._truths if key[1] == sid and flow in ("", key[0])]:
            del self._truths[key]

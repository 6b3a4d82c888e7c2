"""Our isolated world in a document: the page's scripts can neither see nor change it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import Raw, Struct

from subterminator.engine.cdp import Channel, ProtocolError
from subterminator.errors import ActionFailed, Timeout

NAME = "subterminator"
# None of our functions takes longer by itself, whatever the page.
ANSWER_SECONDS = 6.0


def silence(reason: str) -> Timeout:
    """The error for a page that does not answer; there is no use in looking at it."""
    return Timeout(f"The page does not answer: {reason}.", silent=True)


class WorldGone(ActionFailed):
    """The document was replaced while we spoke to it."""


class _RemoteObject(Struct):
    type: str = ""
    value: Any = None
    objectId: str = ""
    description: str = ""


class _ExceptionDetails(Struct):
    text: str = ""
    exception: _RemoteObject | None = None


class _Evaluated(Struct):
    result: _RemoteObject
    exceptionDetails: _ExceptionDetails | None = None


_decode = msgspec.json.Decoder(_Evaluated).decode
_GONE = ("context", "navigated", "detached", "Target closed", "session")


@cache
def script() -> str:
    """Everything that runs in the world: the walker, then the actor.

    The same bytes run in the extension. They do nothing where they ran for this document already.
    """
    parts = f"{_wrapped('walker')}\n{_wrapped('actor')}"
    once = f"if (globalThis.home !== document) {{\nglobalThis.home = document;\n{parts}\n}}"
    return f'"use strict";\n{once}'


def _wrapped(name: str) -> str:
    """All files of a folder as one script that defines one global."""
    folder = resources.files("subterminator.page").joinpath(name)
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".js")), key=lambda f: f.name)
    body = "\n".join(file.read_text("utf-8") for file in files)
    return f"(() => {{\n{body}\n}})();"


class World(Struct, frozen=True):
    """Where code of ours runs. `id` is unique among all documents ever loaded."""

    channel: Channel
    context: int
    id: str

    def post(self, function: str, *arguments: object) -> asyncio.Future[Raw]:
        """Call a function of ours by its dotted name; arguments and result are plain data."""
        return self._evaluate(function, arguments, returnByValue=True, awaitPromise=True)

    def _evaluate(
        self, function: str, arguments: Sequence[object], **options: bool
    ) -> asyncio.Future[Raw]:
        written = ",".join(msgspec.json.encode(argument).decode() for argument in arguments)
        return self.channel.post(
            "Runtime.evaluate",
            expression=f"{function}({written})",
            contextId=self.context,
            **options,
        )

    async def run(self, function: str, *arguments: object) -> Any:
        return (await self.read(self.post(function, *arguments))).value

    async def read(
        self, reply: asyncio.Future[Raw], seconds: float | None = ANSWER_SECONDS
    ) -> _RemoteObject:
        try:
            async with asyncio.timeout(seconds):
                evaluated = _decode(await reply)
        except TimeoutError:
            raise silence("its own scripts take all its time") from None
        except ProtocolError as fault:
            if any(word in fault.cdp_message for word in _GONE):
                raise WorldGone("The document was replaced.") from fault
            raise
        if details := evaluated.exceptionDetails:
            words = details.exception.description if details.exception else details.text
            raise ActionFailed(f"The page side failed: {words[:300]}")
        return evaluated.result

    async def handle(self, function: str, *arguments: object) -> str:
        """Like run, but the result stays in the page; what comes back is a handle to it."""
        return (await self.read(self._evaluate(function, arguments))).objectId

    async def run_on(self, object_id: str, function: str, *arguments: dict[str, Any]) -> Any:
        """Call a function with a handle as `this`."""
        reply = self.channel.post(
            "Runtime.callFunctionOn",
            functionDeclaration=function,
            objectId=object_id,
            arguments=list(arguments),
            returnByValue=True,
        )
        return (await self.read(reply)).value

    async def adopt(self, backend_node_id: int) -> str:
        """A handle in this world to a node the browser names by its own number."""
        found = await self.channel.call(
            "DOM.resolveNode", backendNodeId=backend_node_id, executionContextId=self.context
        )
        handle: str = found["object"]["objectId"]
        return handle

"""What the extension and this program say to each other: `{"type": ..., "data": {...}}`. Data only.

A request carries `id`, `seq`, `epoch` and `not_after` besides; its answer carries `reply`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from subterminator.errors import InvalidParams

PROTOCOL = "subterminator-extension-1"
EXTENSION_ID = "oaamfjfljnkibjhahhhnfcdhdmjakdjc"
ORIGIN = f"chrome-extension://{EXTENSION_ID}"
PATH = "/extension"
# So long after it was sent a command may still be begun; nothing waits in between but a suspension.
FRESH_SECONDS = 10.0
LONGEST_GREETING = 8 * 1024
Kind = Literal["paired", "code"]


class Browser(Struct, frozen=True):
    """A browser profile that has the extension."""

    id: str
    name: str = ""
    version: str = ""


class Hello(Struct, frozen=True):
    """The extension's first message: of the browser only a number that says nothing."""

    nonce: str
    browser: Browser
    kind: Kind


class Challenge(Struct, frozen=True):
    nonce: str
    proof: str


class Proof(Struct, frozen=True):
    """The extension's, once it has seen ours; only now it says who it is."""

    proof: str
    browser: Browser | None = None
    extension: str = ""
    hand: str = "debugger"
    capabilities: dict[str, Any] = {}


class Welcome(Struct, frozen=True, omit_defaults=True):
    """Both have proven who they are. `token` only after a code; nothing larger is to be sent."""

    epoch: str
    name: str
    most_bytes: int
    token: str = ""


class Fault(Struct, frozen=True):
    """Why a request was not done, in the words of the protocol of browsers."""

    code: int
    message: str


class Message(Struct, frozen=True, omit_defaults=True):
    """Anything that is said."""

    type: str = ""
    data: Raw = Raw(b"{}")
    id: str | int | UnsetType = UNSET
    reply: str | int | UnsetType = UNSET
    error: Fault | None = None
    seq: int = 0
    epoch: str = ""
    not_after: int = 0


class Told(Struct, frozen=True):
    """An event of that protocol; what else is told of tabs has other fields."""

    tab: int = 0
    session: str = ""
    method: str = ""
    params: Raw = Raw(b"{}")
    reason: str = ""
    opener: int = 0


class TabFacts(Struct, frozen=True):
    """A tab that we may use. `own`: we have opened it, or a tab of ours has."""

    tab: int
    url: str = ""
    title: str = ""
    own: bool = False


class TabList(Struct, frozen=True):
    tabs: tuple[TabFacts, ...] = ()
    hand: str = "debugger"


class Answer(Struct, frozen=True):
    """What the person said in the panel to the question with this digest."""

    id: str
    digest: str
    yes: bool
    words: str = ""


class Halt(Struct, frozen=True):
    """The person wants a run stopped; without a name, every run."""

    run: str = ""


_decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


def read(text: str | bytes) -> Message:
    """Raises InvalidParams for what is no message."""
    try:
        return _decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidParams(f"This is no message: {str(fault)[:200]}.") from fault


def write(kind: str, data: object, **more: Any) -> str:
    return encode(Message(kind, Raw(encode(data)), **more)).decode()

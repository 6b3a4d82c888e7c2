"""What a browser tells by itself while it runs: pages, consoles, requests, dialogs, downloads.

Plain data. Cookies, credentials and what pages send are in none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct


class BaseSignal(Struct, frozen=True, tag_field="signal"):
    """`tab` is the label of the tab it comes from; empty where that is not known."""

    tab: str


class PageSignal(BaseSignal, tag="page", frozen=True):
    kind: Literal["load", "domcontentloaded", "navigated", "close"]
    url: str = ""


class ConsoleSignal(BaseSignal, tag="console", frozen=True):
    level: str
    text: str
    url: str = ""
    line: int = 0
    column: int = 0


class RequestSignal(BaseSignal, tag="request", frozen=True):
    """`held`: it waits until it is released."""

    id: str
    url: str
    method: str
    kind: str
    headers: dict[str, str]
    held: bool = False


class ResponseSignal(BaseSignal, tag="response", frozen=True):
    """`document`: it is what the tab itself shows."""

    id: str
    url: str
    status: int
    words: str
    headers: dict[str, str]
    document: bool = False


class FailureSignal(BaseSignal, tag="failure", frozen=True):
    id: str
    reason: str


class DialogSignal(BaseSignal, tag="dialog", frozen=True):
    kind: str
    message: str
    default: str = ""


class DownloadSignal(BaseSignal, tag="download", frozen=True):
    id: str
    url: str
    name: str
    state: Literal["started", "progress", "completed", "canceled"]
    received: int = 0
    total: int = 0


Signal = (
    PageSignal | ConsoleSignal | RequestSignal | ResponseSignal | FailureSignal | DialogSignal
    | DownloadSignal
)  # fmt: skip
Listener = Callable[[Signal], None]

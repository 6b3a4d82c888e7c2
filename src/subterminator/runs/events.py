"""Everything a run leaves behind, as data: one tagged union. Nothing here is written by itself.

A field's type says what may be in it: a text is redacted, an address loses its query, a value
typed into a page is kept as its length. There is no field for anything else.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from subterminator.safety.rules import Effect

# Page text and our own sentences.
Text = Annotated[str, Meta(extra={"as": "text"})]
# A name out of our own code, a host, an identifier: short, and redacted all the same.
Word = Annotated[str, Meta(extra={"as": "word"})]
# A hash in hexadecimal digits.
Digest = Annotated[str, Meta(extra={"as": "digest"})]
# Scheme, host and path.
Address = Annotated[str, Meta(extra={"as": "address"})]
# What a field of a page holds or is given.
Value = Annotated[str, Meta(extra={"as": "value"})]

Media = Literal["text/plain", "application/json", "image/png", "image/jpeg"]


class BaseEvent(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What all events share: their name on the wire."""


class TaskFacts(Struct, frozen=True, omit_defaults=True):
    """What the run is for."""

    id: Word = ""
    purpose: Word = ""
    service: Text = ""
    account: Text = ""
    subscription: Text = ""
    period: Text = ""
    sites: tuple[Word, ...] = ()
    goal: Text = ""


class Setting(Struct, frozen=True):
    name: Word
    value: Text


class TargetFacts(Struct, frozen=True, omit_defaults=True):
    """An element as the browser showed it, without what it holds."""

    ref: Word
    role: Word
    name: Text
    host: Word = ""
    secret: Word = ""


class DialogFacts(Struct, frozen=True, omit_defaults=True):
    dialog: Word
    message: Text
    answer: Word = ""


class Fact(Struct, frozen=True):
    """One line of what a person was shown."""

    label: Text
    text: Text


class Field(Struct, frozen=True):
    """One field of a form that would be sent."""

    label: Text
    value: Value


class Opened(BaseEvent, tag="opened", frozen=True):
    """The first line: who ran what, with what, where and when."""

    run: Word
    version: Word = ""
    engine: Word = ""
    browser: Text = ""
    platform: Word = ""
    python: Word = ""
    timezone: Word = ""
    utc_offset_minutes: int = 0
    task: TaskFacts = TaskFacts()
    settings: tuple[Setting, ...] = ()
    retention: Text = ""


class Resumed(BaseEvent, tag="resumed", frozen=True):
    """Another process goes on with this run."""

    version: Word = ""


class Looked(BaseEvent, tag="looked", frozen=True):
    """The page was read. `digest` is of what was seen."""

    action: Word
    address: Address = ""
    title: Text = ""
    elements: int = 0
    digest: Digest = ""


class Decided(BaseEvent, tag="decided", frozen=True):
    """What the policy said of an action, and by which rule."""

    action: Word
    verdict: Literal["allow", "ask", "hand_over", "deny"]
    rule: Word
    effect: Effect = "move"
    reason: Text = ""
    target: TargetFacts | None = None
    host: Word = ""


class Asked(BaseEvent, tag="asked", frozen=True):
    """A person is asked; these are the facts they see and the digest their yes is bound to."""

    question: Word
    digest: Digest = ""
    action: Word = ""
    effect: Effect = "irreversible"
    rule: Word = ""
    reason: Text = ""
    target: TargetFacts | None = None
    facts: tuple[Fact, ...] = ()
    fields: tuple[Field, ...] = ()
    seconds: float = 0.0


class Answered(BaseEvent, tag="answered", frozen=True):
    question: Word
    answer: Literal["yes", "no", "expired"]
    digest: Digest = ""


class HandOver(BaseEvent, tag="hand_over", frozen=True):
    """From `begun` to `ended` the page belongs to the person and is not read."""

    phase: Literal["begun", "ended"]
    needs: Word = ""
    question: Word = ""
    host: Word = ""
    done: bool = False


class Intent(BaseEvent, tag="intent", frozen=True):
    """The last line before something is done to a page."""

    action: Word
    targets: tuple[TargetFacts, ...] = ()
    digest: Digest = ""
    rule: Word = ""
    value: Value = ""
    key: Word = ""
    address: Address = ""


class Outcome(BaseEvent, tag="outcome", frozen=True):
    """What came of it. `code` is `done` or that of the error."""

    action: Word
    code: Word = "done"
    message: Text = ""
    settled: Word = ""
    address: Address = ""
    hosts: tuple[Word, ...] = ()
    blocked: tuple[Address, ...] = ()
    dialogs: tuple[DialogFacts, ...] = ()
    new_tabs: int = 0
    closed_tabs: int = 0
    downloads: int = 0
    waited_ms: int = 0
    delivered: bool = False
    by_person: bool = False


class LedgerMoved(BaseEvent, tag="ledger", frozen=True):
    """`key` is a hash: the ledger knows of what."""

    key: Digest
    state: Word
    epoch: int = 0
    digest: Digest = ""
    note: Text = ""


class LimitHit(BaseEvent, tag="limit", frozen=True):
    limit: Word
    message: Text = ""


class Kept(BaseEvent, tag="kept", frozen=True):
    """A file beside the record, named by the digest of its bytes."""

    digest: Digest
    media: Media
    size: int
    what: Text = ""


class Torn(BaseEvent, tag="torn", frozen=True):
    """A crash left half a line right before this one; `digest` is of those bytes."""

    size: int
    digest: Digest


class Note(BaseEvent, tag="note", frozen=True):
    text: Text


class Closed(BaseEvent, tag="closed", frozen=True):
    """The last line. A record without it belongs to a run that lives or was killed."""

    reason: Word
    message: Text = ""


Event = (
    Opened | Resumed | Looked | Decided | Asked | Answered | HandOver | Intent | Outcome
    | LedgerMoved | LimitHit | Kept | Torn | Note | Closed
)  # fmt: skip


def name_of(event: Event) -> str:
    return str(type(event).__struct_config__.tag)

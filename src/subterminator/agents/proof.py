"""From the end of a run to its proof: what the result says, what the record shows, masked."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents import outcome
from subterminator.agents.outcome import TaskResult
from subterminator.agents.spending import Spent
from subterminator.errors import SubTerminatorError
from subterminator.packs.model import Outcome
from subterminator.page.phrases import noun
from subterminator.runs.chain import Line
from subterminator.runs.dates import find_date, moment, written
from subterminator.runs.events import Answered, Asked, Kept, Looked, Opened
from subterminator.runs.masking import Mask
from subterminator.runs.moments import Moment, moments
from subterminator.runs.proof import (
    NOT_FOUND,
    After,
    Before,
    Evidence,
    Gate,
    PageHash,
    Picture,
    Proof,
    Refund,
    Story,
    local,
    zone,
)
from subterminator.runs.proofs import Bundle, Proofs, read
from subterminator.runs.store import Store
from subterminator.safety.money import find_amounts
from subterminator.safety.redact import Redactor

MOST_PICTURES = 20
KINDS_OF_PICTURE = {
    b"\x89PNG\r\n\x1a\n": ("image/png", "png"),
    b"\xff\xd8\xff": ("image/jpeg", "jpg"),
}
TWIN = 300
ANSWERS = {"yes": "yes", "no": "no", "expired": "no answer in time"}
KEEP = "Keep this folder. It is yours, and nothing removes it."
CALENDAR = "Open reminder.ics with your calendar: it reminds you to check that no charge came."
DISPUTE = "If money is taken all the same, run: subterminator dispute {service}"
VERIFY = "Look again later: subterminator verify {service}"
AGAIN = "It can be tried again at any time: subterminator cancel {service}"
# What holds for every service; what holds for this one stands before it.
ADVICE: dict[Outcome, tuple[str, ...]] = {
    "cancelled": (CALENDAR, DISPUTE, KEEP),
    "already_cancelled": (CALENDAR, DISPUTE, KEEP),
    "unverified": (VERIFY, CALENDAR, DISPUTE),
    "pending": ("Open the link in the service's message; look in the spam folder, too.", VERIFY),
    "third_party": ("Cancel it where it is paid.", VERIFY),
    "manual_required": ("A letter to send or read out: subterminator dispute {service}",),
    "stopped": (AGAIN,),
    "failed": (AGAIN,),
}  # fmt: skip

LOOKED = ("To end it: subterminator cancel {service}", KEEP)


class About(Struct, frozen=True, kw_only=True):
    """What the result does not say.

    `name` is what people call the service, `language` that of its pages, `redactor` the run's own,
    which knows the secrets that were typed. `looked`: it was only looked at, and nothing pressed.
    `address` is where it was begun, of a service that has no pack and so cannot be named.
    """

    name: str = ""
    language: str = "en"
    redactor: Redactor | None = None
    looked: bool = False
    address: str = ""


NOTHING_MORE = About()


def write_proof(
    result: TaskResult,
    *,
    folder: Path,
    store: Store | None = None,
    about: About = NOTHING_MORE,
    first: Path | None = None,
) -> Path:
    """Write the proof of a run into the folder of proofs and say where it is.

    With `first`, the folder of an earlier proof, it is put beside that one, which stays as it is.
    """
    bundle = bundle_of(result, store, about)
    proofs = Proofs(folder)
    if first is None:
        return proofs.write(bundle)
    earlier = read(first).proof
    return proofs.add(first, replace(bundle, story=replace(bundle.story, first=earlier)))


def bundle_of(result: TaskResult, store: Store | None, about: About) -> Bundle:
    """All that the proof is made of."""
    mask = Mask(about.redactor)
    lines = _lines(result.run, store)
    pictures = _pictures(result, store, lines)
    proof = _proof(result, lines, {digest: p.name for digest, p in pictures.items()}, about, mask)
    told = moments(lines) or tuple(Moment("", step) for step in result.steps)
    story = Story(
        name=mask.text(about.name or result.service) or "the service",
        language=about.language,
        payer=mask.text(result.before.payer),
        reason=result.reason,
        error=mask.text(result.error or ""),
        fresh=tuple(n for n, each in enumerate(result.evidence) if each.fresh),
        next_steps=_advice(result, proof.service, about, mask),
        moments=tuple(_masked(each, mask) for each in told),
        run=result.run,
        led_by=_leader(result.spent),
        looked=about.looked,
    )
    taken = {line.event.digest: line.at for line in lines if isinstance(line.event, Kept)}
    described = tuple(
        _described(picture, taken.get(digest, ""), proof, mask)
        for digest, picture in pictures.items()
    )
    return Bundle(proof, story, _steps(result, lines, mask), described)


def _leader(spent: Spent) -> str:
    if not spent.answers:
        return "the built-in planner; no model was asked"
    return f"{spent.model}: {spent.words()}"


class _Words:
    """Words of pages, masked, or that they were not found."""

    def __init__(self, mask: Mask, language: str, near: date) -> None:
        self._mask = mask
        self._language = language
        self._near = near

    def text(self, words: str) -> str:
        return self._mask.text(words) or NOT_FOUND

    def day(self, words: str) -> str:
        found = find_date(words, self._language, self._near)
        return found.isoformat() if found else self.text(words)

    def each(self, many: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.text(words) for words in many)

    def evidence(self, seen: outcome.Evidence, pictures: Mapping[str, str]) -> Evidence:
        address = self._mask.address(seen.url) or NOT_FOUND
        picture = pictures.get(seen.picture, NOT_FOUND)
        return Evidence(seen.kind, self.text(seen.text), address, _utc(seen.time), picture)

    def refund(self, words: str) -> Refund:
        amounts = find_amounts([words])
        return Refund(self.text(words), amounts[0] if amounts else NOT_FOUND)


def _proof(
    result: TaskResult,
    lines: Sequence[Line],
    pictures: Mapping[str, str],
    about: About,
    mask: Mask,
) -> Proof:
    opened = next((line.event for line in lines if isinstance(line.event, Opened)), None)
    near = moment(result.ended) or moment(result.started) or datetime.now(UTC)
    words = _Words(mask, about.language, near.date())
    before, after = result.before, result.after
    return Proof(
        service=words.text(result.service),
        account_hint=words.text(result.account_hint),
        outcome=result.outcome,
        verified=result.verified,
        evidence=tuple(words.evidence(each, pictures) for each in result.evidence),
        before=Before(words.text(before.plan), words.text(before.price), words.day(before.renews)),
        after=After(words.text(after.status_text), words.day(after.ends_on)),
        reference=words.text(result.reference),
        refund=words.refund(result.refund),
        declined=words.each(result.declined),
        survey_answers=words.each(result.survey_answers),
        gates=tuple(Gate(g.time, *words.each((g.asked, g.answer))) for g in _gates(result, lines)),
        started=_utc(result.started),
        ended=_utc(result.ended),
        timezone=_zone(opened),
        engine=_engine(opened),
        pack_version=words.text(result.pack_version),
        page_hashes=tuple(_hashes(lines, mask)),
    )


# Out of the record


def _lines(run: str, store: Store | None) -> tuple[Line, ...]:
    if not run or store is None:
        return ()
    try:
        return store.read(run).lines
    except SubTerminatorError:
        # Without its record a run still has a result, and a person who needs the proof of it.
        return ()


def _steps(result: TaskResult, lines: Sequence[Line], mask: Mask) -> bytes:
    """`steps.jsonl`: every event of the run, masked once more; else the steps as they were told."""
    told: Iterable[object] = (
        {"n": line.n, "at": line.at, "event": mask.data(msgspec.json.decode(line.raw))}
        for line in lines
    )
    if not lines:
        told = ({"n": n, "text": mask.text(step)} for n, step in enumerate(result.steps, 1))
    return b"".join(msgspec.json.encode(each) + b"\n" for each in told)


def _hashes(lines: Sequence[Line], mask: Mask) -> Iterator[PageHash]:
    """Every page that was read, once for each of its states."""
    last = ""
    for line in lines:
        if isinstance(line.event, Looked) and line.event.digest not in ("", last):
            last = line.event.digest
            address = mask.address(line.event.address) or NOT_FOUND
            yield PageHash(_utc(line.at), address, last)


def _gates(result: TaskResult, lines: Sequence[Line]) -> Iterator[Gate]:
    """What the person was asked, as the record has it; else as the run remembers it."""
    asked: dict[str, tuple[str, Asked]] = {}
    found: list[Gate] = []
    for line in lines:
        match line.event:
            case Asked(question=question):
                asked[question] = (line.at, line.event)
            case Answered(question=question, answer=answer) if question in asked:
                at, event = asked.pop(question)
                found.append(Gate(_utc(at), _put(event), ANSWERS[answer]))
    if found:
        yield from found
    else:
        yield from (Gate(_utc(gate.time), gate.asked, gate.answer) for gate in result.gates)


def _put(event: Asked) -> str:
    """A question in words: what would be done, where, and what that means."""
    target = event.target
    what = f'{noun(target.role)} "{target.name}"' if target else event.action
    place = f" on {target.host}" if target and target.host else ""
    return f"Press the {what}{place}? {event.reason}".strip()


def _zone(opened: Opened | None) -> str:
    if opened:
        return zone(opened.timezone, opened.utc_offset_minutes)
    now = datetime.now().astimezone()
    offset = now.utcoffset()
    return zone(now.tzname() or "", int(offset.total_seconds() // 60) if offset else 0)


def _engine(opened: Opened | None) -> str:
    if opened is None:
        return NOT_FOUND
    # Where a browser lies on the disk tells more of its owner than of the browser.
    browser = "" if "/" in opened.browser or "\\" in opened.browser else opened.browser
    ours = f"SubTerminator {opened.version}" if opened.version else ""
    words = (browser or opened.engine, ours)
    return ", ".join(filter(None, words)) or NOT_FOUND


def _utc(text: str) -> str:
    at = moment(text)
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else NOT_FOUND


# Pictures


def _pictures(result: TaskResult, store: Store | None, lines: Sequence[Line]) -> dict[str, Picture]:
    """By digest, in the order they were taken; those that show evidence go before all others."""
    if store is None or not result.run:
        return {}
    kept = {
        line.event.digest: line.event.what
        for line in lines
        if isinstance(line.event, Kept) and line.event.media.startswith("image/")
    }
    shown = dict.fromkeys(each.picture for each in result.evidence if each.picture)
    wanted = set([*shown, *kept][:MOST_PICTURES])
    found: dict[str, Picture] = {}
    for digest in dict.fromkeys([*kept, *shown]):
        data = _artifact(store, result.run, digest) if digest in wanted else b""
        for start, (media, suffix) in KINDS_OF_PICTURE.items():
            if data.startswith(start):
                name = f"{len(found) + 1:04}.{suffix}"
                found[digest] = Picture(name, data, media, kept.get(digest, ""))
    return found


def _artifact(store: Store, run: str, digest: str) -> bytes:
    try:
        return store.artifact(run, digest)
    except SubTerminatorError:
        return b""


def _described(picture: Picture, taken: str, proof: Proof, mask: Mask) -> Picture:
    """The picture with its twin in words: when it was taken, and what can be read on it."""
    seen = [each for each in proof.evidence if each.screenshot == picture.name]
    what = f"Screenshot, {mask.text(picture.alt)}" if picture.alt else "Screenshot"
    at = moment(taken) or (moment(seen[0].time) if seen else None)
    if at:
        here = local(at, proof.timezone)
        what += f", {written(here.date())}, {here:%H:%M}"
    if seen:
        quotes = " ".join(f"“{each.text}”" for each in seen)
        what += f". The page says: {quotes[:TWIN]}{'…' if len(quotes) > TWIN else ''}"
    return replace(picture, alt=what)


# Words


def _masked(told: Moment, mask: Mask) -> Moment:
    text, words, rest = map(mask.text, (told.text, told.words, told.rest))
    return replace(told, text=text, words=words, rest=rest)


def _advice(result: TaskResult, service: str, about: About, mask: Mask) -> tuple[str, ...]:
    own = (mask.text(step) for step in result.next_steps)
    running = about.looked and result.outcome == "stopped"
    advice = LOOKED if running else ADVICE[result.outcome]
    # Without a pack nothing is found by the name alone.
    named = f"cancel --url {shlex.quote(mask.text(about.address))}" if about.address else ""
    told = (step.replace("cancel {service}", named or f"cancel {service}") for step in advice)
    general = (step.replace("{service}", service) for step in told)
    return tuple(dict.fromkeys([*own, *general]))

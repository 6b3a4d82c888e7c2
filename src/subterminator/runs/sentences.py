"""One line of words for each event, for a person who reads a record."""

from __future__ import annotations

from typing import assert_never

from subterminator.page.phrases import noun, quote
from subterminator.runs.chain import Line
from subterminator.runs.events import (
    Answered,
    Asked,
    Closed,
    Decided,
    Event,
    HandOver,
    Intent,
    Kept,
    LedgerMoved,
    LimitHit,
    Looked,
    Note,
    Opened,
    Outcome,
    Resumed,
    TargetFacts,
    Torn,
    name_of,
)


def sentence(line: Line) -> str:
    """`12 10:15:31 intent: click button "Finish Cancellation" on www.example.com`."""
    clock = line.at[11:19]
    if line.event is None:
        return f"{line.n:>4} {clock} (written by another version of this program)"
    text = f"{line.n:>4} {clock} {name_of(line.event)}: {words(line.event)}"
    # A terminal obeys what is not printable.
    return "".join(character if character.isprintable() else "?" for character in text)


def words(event: Event) -> str:
    """What happened. Words of a page stand in quotes."""
    match event:
        case Opened() | Resumed() | Closed() | Torn() | Note() | Kept() | LimitHit():
            return _of_the_run(event)
        case Looked(action=action, address=address, elements=elements):
            return f"{action}{f' at {quote(address)}' if address else ''}, {elements} elements"
        case Decided(action=action, verdict=verdict, rule=rule, effect=effect, target=target):
            reason = f": {quote(event.reason)}" if event.reason else ""
            return f"{verdict} {action}{_target(target)}, {effect}, by rule {rule}{reason}"
        case Asked(action=action, target=target, facts=facts, fields=fields):
            shown = [f"{fact.label} {quote(fact.text)}" for fact in facts if fact.text]
            shown += [f"field {_quoted(field.label)} = {quote(field.value)}" for field in fields]
            return "; ".join([f"{action}{_target(target)}", *shown])
        case Answered(answer=answer):
            return answer
        case HandOver(phase=phase, needs=needs, host=host):
            end = f", {'done' if event.done else 'not done'}" if phase == "ended" else ""
            return f"{phase}{end} {needs} {host}".rstrip()
        case Intent():
            return _intent(event)
        case Outcome():
            return _outcome(event)
        case LedgerMoved(state=state, key=key):
            return f"{state} {key[:12]}"
        case _:
            assert_never(event)


def _of_the_run(event: Opened | Resumed | Closed | Torn | Note | Kept | LimitHit) -> str:
    match event:
        case Opened(run=run, version=version, browser=browser, task=task):
            purpose = " ".join(filter(None, (task.purpose, _quoted(task.service))))
            parts = (f"run {run}", f"of version {version}" if version else "")
            told = [" ".join(filter(None, parts)), browser, f"for {purpose}" if purpose else ""]
            return ", ".join(filter(None, told))
        case Resumed(version=version):
            return f"by version {version}"
        case Closed(reason=reason, message=message):
            return f"{reason}{f' {quote(message)}' if message else ''}"
        case Torn(size=size):
            return f"a crash left {size} bytes of a line before this one"
        case Note(text=text):
            return quote(text, 500)
        case Kept(digest=digest, media=media, size=size, what=what):
            return f"{media}, {size} bytes, {digest[:12]} {_quoted(what)}".rstrip()
        case LimitHit(limit=limit, message=message):
            return f"{limit} {_quoted(message)}".rstrip()
        case _:
            assert_never(event)


def _target(target: TargetFacts | None) -> str:
    if target is None:
        return ""
    place = f" on {target.host}" if target.host else ""
    return f" {noun(target.role)}{f' {quote(target.name)}' if target.name else ''}{place}"


def _quoted(words: str) -> str:
    """Nothing is no words: empty quotation marks would only puzzle."""
    return quote(words) if words else ""


def _intent(event: Intent) -> str:
    parts = [event.action + "".join(map(_target, event.targets))]
    parts += [f"key {quote(event.key)}"] if event.key else []
    parts += [f"value {quote(event.value)}"] if event.value else []
    parts += [f"to {quote(event.address)}"] if event.address else []
    return ", ".join(parts)


def _outcome(event: Outcome) -> str:
    parts = [f"{event.action} {event.code}"]
    parts += [quote(event.message)] if event.message else []
    at = f" at {quote(event.address)}" if event.address else ""
    parts += [f"by the person{at}"] if event.by_person else []
    parts += [f"went to {', '.join(event.hosts)}"] if event.hosts else []
    parts += [f"not let go to {quote(address)}" for address in event.blocked]
    parts += [f"{d.dialog} dialog {d.answer} {quote(d.message)}" for d in event.dialogs]
    counts = (event.new_tabs, "new tabs"), (event.downloads, "downloads")
    parts += [f"{count} {what}" for count, what in counts if count]
    parts += ["may have reached the page"] if event.delivered and event.code != "done" else []
    return ", ".join(parts)

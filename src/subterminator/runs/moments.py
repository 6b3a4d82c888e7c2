"""What happened in a run, step by step, in words for the person it was done for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from subterminator.page.phrases import noun
from subterminator.runs.chain import Line
from subterminator.runs.events import (
    Answered,
    Asked,
    Closed,
    Event,
    HandOver,
    Intent,
    Kept,
    LimitHit,
    Opened,
    Outcome,
    Resumed,
    TargetFacts,
)

# Actions that change something, and how they are told; looking is not told.
DONE = {
    "click": "Pressed",
    "fill": "Filled in",
    "clear": "Emptied",
    "type": "Typed into",
    "press": "Pressed a key in",
    "select": "Chose in",
    "check": "Ticked",
    "uncheck": "Unticked",
    "drag": "Dragged",
    "upload": "Gave a file to",
    "hover": "Pointed at",
    "dialog": "Answered a dialog of the page",
    "back": "Went back",
    "forward": "Went forward",
    "reload": "Loaded the page anew",
    "select_tab": "Went to another tab",
    "close_tab": "Closed a tab",
}
OPENS = {"navigate", "open_tab"}
ANSWERS = {"yes": "You said yes", "no": "You said no", "expired": "Nobody answered in time"}
# What a role is called by people who build no pages.
PLAIN_NOUNS = {"radio": "choice", "checkbox": "box", "textbox": "field", "combobox": "list"}
MOST = 400


class Moment(Struct, frozen=True):
    """One line of the story. `words` are the page's own, the rest is ours."""

    time: str
    text: str
    words: str = ""
    rest: str = ""
    mark: str = ""
    """`asked`, `person` or `trouble` where it stands out."""


def moments(lines: Iterable[Line]) -> tuple[Moment, ...]:
    told = (each for line in lines if line.event for each in _told(line.at, line.event))
    return tuple(told)[:MOST]


def _told(at: str, event: Event) -> Iterator[Moment]:
    match event:
        case Intent():
            yield from _done(at, event)
        case Outcome(by_person=True):
            yield Moment(at, "You did this yourself", mark="person")
        case Outcome(action=action, code=code) if code != "done" and action in DONE.keys() | OPENS:
            yield Moment(at, "That did not work:", rest=event.message or code, mark="trouble")
        case Asked(target=target):
            yield _aimed(at, "You were asked before this:", target, mark="asked")
        case Answered(answer=answer):
            yield Moment(at, ANSWERS[answer], mark="asked")
        case HandOver(phase="begun", needs=needs, host=host):
            what = f"{needs or 'something only you may do'}{f' on {host}' if host else ''}"
            yield Moment(at, "Handed over to you:", rest=what, mark="person")
        case HandOver(done=done):
            words = "You were done; the run went on" if done else "It was not done"
            yield Moment(at, words, mark="person")
        case _:
            yield from _of_the_run(at, event)


def _of_the_run(at: str, event: Event) -> Iterator[Moment]:
    match event:
        case Opened():
            yield Moment(at, "The run began")
        case Resumed():
            yield Moment(at, "The run went on after a stop", mark="trouble")
        case LimitHit(limit=limit):
            yield Moment(at, "A limit was reached:", rest=limit, mark="trouble")
        case Kept(media=media, what=what) if media.startswith("image/"):
            yield Moment(at, "Picture taken", rest=f"({what})" if what else "")
        case Closed():
            yield Moment(at, "The run ended")
        case _:
            return


def _done(at: str, event: Intent) -> Iterator[Moment]:
    if event.action in OPENS:
        yield Moment(at, "Opened", rest=event.address)
    elif verb := DONE.get(event.action):
        yield _aimed(at, verb, event.targets[0] if event.targets else None)


def _aimed(at: str, text: str, target: TargetFacts | None, mark: str = "") -> Moment:
    if target is None:
        return Moment(at, text, mark=mark)
    place = f"on {target.host}" if target.host else ""
    what = PLAIN_NOUNS.get(target.role, noun(target.role))
    return Moment(at, f"{text} the {what}", target.name, place, mark)

"""Turns what the gate sees into events, leaving out what no record may hold."""

from __future__ import annotations

from collections.abc import Sequence

from subterminator import actions as a
from subterminator.intake import name_of
from subterminator.keys import MODIFIERS, parse_chord
from subterminator.runs.events import (
    Asked,
    Decided,
    DialogFacts,
    Fact,
    Field,
    Intent,
    Looked,
    Outcome,
    TargetFacts,
    TaskFacts,
)
from subterminator.safety.human import Question
from subterminator.safety.policy import Verdict
from subterminator.safety.rules import Effect
from subterminator.safety.sites import host_of
from subterminator.safety.stakes import Stakes
from subterminator.safety.task import Task
from subterminator.types import Happened, PageInfo, Resolved


def told_task(task: Task) -> TaskFacts:
    return TaskFacts(
        task.id,
        task.purpose,
        task.service,
        task.account,
        task.subscription,
        task.period,
        task.sites,
        task.goal,
    )


def told_target(target: Resolved) -> TargetFacts:
    """Role, name and where it is. A field is named by its label, never by what it holds."""
    return TargetFacts(
        target.ref, target.role, target.name, host_of(target.frame_url), target.facts.secret
    )


def looked(action: str, page: PageInfo, *, elements: int = 0, digest: str = "") -> Looked:
    return Looked(action, page.url, page.title, elements, digest)


def decided(action: a.AtomicAction, verdict: Verdict, targets: Sequence[Resolved]) -> Decided:
    effect: Effect = verdict.effect
    target = told_target(targets[0]) if targets else None
    return Decided(
        name_of(action), verdict.kind, verdict.rule, effect, verdict.reason, target, verdict.host
    )


def asked(question: Question) -> Asked:
    """All the facts the person is shown; `said` is what the model claims, and named so."""
    form = question.target.form if question.target else None
    facts = [
        ("page", question.url),
        ("title", question.title),
        ("button", question.button),
        ("name", question.name),
        *(("money", amount) for amount in question.money),
        *(("ticked", box) for box in question.ticked),
        ("form", question.form),
        ("frame", question.foreign_frame),
        ("model says", question.said),
        *_stakes(question.stakes),
    ]
    return Asked(
        question.id,
        question.digest,
        question.action,
        _effect(question.effect),
        question.rule,
        question.reason,
        told_target(question.target) if question.target else None,
        tuple(Fact(label, text) for label, text in facts if text),
        tuple(Field(label, value) for label, value in form.fields) if form else (),
        question.seconds,
    )


def _stakes(stakes: Stakes | None) -> list[tuple[str, str]]:
    if stakes is None:
        return []
    return [
        ("plan", stakes.plan),
        ("price", stakes.price),
        ("renews", stakes.renews),
        *(("says", each) for each in stakes.says),
        *(("lost", each) for each in stakes.losses),
        *(("fee", each) for each in stakes.fees),
        *(("declined", each) for each in stakes.declined),
        ("sure", stakes.sure),
        ("picture", stakes.picture),
    ]


def intent(
    action: a.AtomicAction, targets: Sequence[Resolved], *, rule: str = "", digest: str = ""
) -> Intent:
    """What is about to be done. What goes into a secret field is not even counted."""
    into_secret = any(target.is_secret for target in targets)
    return Intent(
        name_of(action),
        tuple(told_target(target) for target in targets),
        digest,
        rule,
        "" if into_secret else _value(action),
        action.key if isinstance(action, a.Press) and not _types(action.key) else "",
        action.url if isinstance(action, a.Navigate | a.OpenTab) else "",
    )


def outcome(
    action: str, page: PageInfo | None, happened: Happened, *, by_person: bool = False
) -> Outcome:
    """What came of an action that ended well."""
    answered = (*happened.dialogs, *((happened.dialog,) if happened.dialog else ()))
    hosts = [host_of(step.url) or "?" for step in happened.navigations if step.main_frame]
    return Outcome(
        action,
        settled=happened.settled,
        address=page.url if page else "",
        hosts=tuple(dict.fromkeys(hosts)),
        blocked=happened.blocked,
        dialogs=tuple(DialogFacts(d.kind, d.message, d.answer) for d in answered),
        new_tabs=len(happened.new_tabs),
        closed_tabs=len(happened.closed_tabs),
        downloads=len(happened.downloads),
        waited_ms=happened.waited_ms,
        delivered=True,
        by_person=by_person,
    )


def failure(action: str, code: str, message: str, *, delivered: bool) -> Outcome:
    """What came of one that did not. `delivered`: the page may have felt it all the same."""
    return Outcome(action, code, message, delivered=delivered)


def _value(action: a.AtomicAction) -> str:
    match action:
        case a.Fill(value=text) | a.Type(text=text):
            return text
        case a.Select(values=values):
            return ", ".join(values)
        case a.Press(key=key) if _types(key):
            return key
        case a.Dialog(text=str(text)):
            return text
        case _:
            return ""


def _types(key: str) -> bool:
    """Whether the key writes a character, which may be one of a value typed key by key."""
    chord = parse_chord(key)
    return chord.key.text not in {"", "\r"} and not chord.modifiers & ~MODIFIERS["Shift"]


def _effect(word: str) -> Effect:
    known: dict[str, Effect] = {
        "look": "look",
        "move": "move",
        "write": "write",
        "money": "money",
        "credential": "credential",
    }
    return known.get(word, "irreversible")

"""The person behind a run: asked before what cannot be undone, and given what only they may do.

A question holds facts read from the browser; what a model claims stands apart and is marked.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from subterminator.actions import AtomicAction, Dialog, Press, Type
from subterminator.intake import name_of
from subterminator.page.phrases import address, noun, quote
from subterminator.safety.money import find_amounts, number_of, value_of
from subterminator.safety.policy import Situation, Verdict
from subterminator.safety.redact import Redactor, masked_mail
from subterminator.safety.sites import host_of
from subterminator.safety.stakes import (
    Stakes,
    bargain,
    effect_lines,
    loss_lines,
    masked_stakes,
    way_lines,
)
from subterminator.safety.task import Task
from subterminator.types import Form, Resolved

YES = {"y", "yes"}
BUTTON_TYPES = {"submit", "button", "reset"}
LONGEST_CLAIM = 300
LONGEST_ADDRESS = 200
HEADLINES = {
    "irreversible": "CANNOT BE UNDONE - nothing has been pressed yet",
    "money": "COSTS MONEY - nothing has been paid yet",
}
LAST_STEP = "[3/4] FINAL STEP - nothing has been cancelled yet"


class Question(Struct, frozen=True):
    """What a person is asked.

    `button` are the exact words to be seen, `name` what assistive technology says if that differs.
    `red` is what has to be typed to say yes; empty for an ordinary question. `said` is what the
    asking model claims, and the only thing here that was not read from the browser. `stakes` is
    what else is known at the last step of a cancellation.
    """

    id: str
    job: str
    action: str
    effect: str
    reason: str
    rule: str
    url: str
    title: str
    host: str = ""
    target: Resolved | None = None
    button: str = ""
    name: str = ""
    money: tuple[str, ...] = ()
    ticked: tuple[str, ...] = ()
    form: str = ""
    foreign_frame: str = ""
    said: str = ""
    mismatch: bool = False
    also: tuple[str, ...] = ()
    digest: str = ""
    seconds: float = 0.0
    red: str = ""
    hand_over: bool = False
    service: str = ""
    account: str = ""
    stakes: Stakes | None = None

    def __str__(self) -> str:
        what = f" {_escaped(noun(self.target.role))}" if self.target else ""
        words = f" {quote(self.button)}" if self.button else ""
        place = address(self.url, LONGEST_ADDRESS)
        return f"{self.action}{what}{words} at {place}: {_escaped(self.reason)}"


class Human(Protocol):
    """A channel to the person.

    `approve` answers yes or no; `hand_over` returns True when the person has done it.
    """

    async def approve(self, question: Question) -> bool: ...
    async def hand_over(self, question: Question) -> bool: ...


class Nobody:
    """No person is there: everything that asks is refused."""

    async def approve(self, question: Question) -> bool:
        return False

    async def hand_over(self, question: Question) -> bool:
        return False


nobody = Nobody()


# Making one


def question_for(
    task: Task,
    verdict: Verdict,
    action: AtomicAction,
    targets: Sequence[Resolved],
    situation: Situation,
    said: str = "",
) -> Question:
    """A question from facts alone; `said` is kept apart."""
    target = targets[0] if targets else None
    form = target.form if target else None
    button = button_words(action, target, situation)
    money = amounts_shown(action, targets, situation)
    stakes = task.stakes if verdict.effect in HEADLINES else None
    return Question(
        id=secrets.token_hex(16),
        job=task.id,
        action=name_of(action),
        effect=verdict.effect,
        reason=verdict.reason,
        rule=verdict.rule,
        url=bare_address(situation.page.url),
        title=situation.page.title,
        host=host_of(situation.page.url),
        target=_without_values(target) if target else None,
        button=button,
        name=target.name if target and _words(target.name) != _words(button) else "",
        money=money,
        ticked=form.ticked if form else (),
        form=bare_address(form.action).partition("://")[2] if form else "",
        foreign_frame=_foreign_frame(target) if target else "",
        said=said,
        mismatch=_disagrees(said, button, money),
        red=_red(verdict, button, money),
        hand_over=verdict.kind == "hand_over",
        service=" ".join(filter(None, (task.service, task.subscription))),
        account=_masked_account(task.account or (stakes.account if stakes else "")),
        also=tuple(each for each in stakes.also if each != button) if stakes else (),
        stakes=stakes,
    )


def button_words(action: AtomicAction, target: Resolved | None, situation: Situation) -> str:
    """What the eye reads on what would be pressed."""
    if isinstance(action, Dialog) and situation.dialog:
        return "Leave" if situation.dialog.kind == "beforeunload" else "OK"
    if target is None:
        return ""
    if isinstance(action, Press | Type) and target.enter:
        return target.enter
    if target.tag == "input" and target.facts.type in BUTTON_TYPES and target.facts.value:
        return target.facts.value
    return target.text or target.name


def amounts_shown(
    action: AtomicAction, targets: Sequence[Resolved], situation: Situation
) -> tuple[str, ...]:
    """All money the person is told of: on the button first, then around it and in its form."""
    texts: list[str] = []
    if situation.dialog:
        texts.append(situation.dialog.message)
    for target in targets:
        texts += [button_words(action, target, situation), target.name, target.around]
        if target.form:
            texts += [" ".join(pair) for pair in target.form.fields]
            texts += target.form.ticked
    return find_amounts(texts)


def bare_address(url: str) -> str:
    """Scheme, host as it is really called, and path: no user, query or fragment."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    host = host_of(url)
    if not host:
        return url if url == "about:blank" else f"{parts.scheme}:"
    path = parts.path[:LONGEST_ADDRESS]
    return f"{parts.scheme}://{host}{port}{path}"


def _without_values(target: Resolved) -> Resolved:
    """What a channel needs to point at it. What was typed into the page stays there."""
    form = replace(target.form, fields=()) if target.form else None
    return replace(target, form=form, facts=replace(target.facts, value=None))


def _foreign_frame(target: Resolved) -> str:
    """The origin it belongs to, if it or a frame around it is not the page's own."""
    strangers = [origin for origin in target.frames if origin != target.frames[0]]
    return bare_address(strangers[-1]) or strangers[-1] if strangers else ""


def _red(verdict: Verdict, button: str, money: tuple[str, ...]) -> str:
    if verdict.rule == "delete":
        return "delete"
    if verdict.effect != "money":
        return ""
    return next(iter(find_amounts([button])), "") or max(money, key=value_of, default="pay")


def _disagrees(said: str, button: str, money: tuple[str, ...]) -> bool:
    """Whether a claim leaves out a word of the button, or speaks of money that is not there."""
    if not said:
        return False
    claimed = _words(said)
    missing = [word for word in _words(button) if not any(_akin(word, other) for other in claimed)]
    known = {value_of(amount) for amount in money}
    return bool(missing) or any(value_of(amount) not in known for amount in find_amounts([said]))


def _akin(word: str, other: str) -> bool:
    """The same word, or another form of it: cancel, cancellation."""
    stem = min(len(word), len(other), 5)
    return word == other or (stem >= 4 and word[:stem] == other[:stem])


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.findall(r"\w+", plain)


def _masked_account(hint: str) -> str:
    if "***" in hint:
        return hint
    return masked_mail(hint) if "@" in hint else f"{hint[:2]}***" if hint else ""


# Showing one


def masked(question: Question, redactor: Redactor) -> Question:
    """The question as it may be shown and stored: no card number, code, key or whole address."""
    hide = redactor.shown
    target = question.target
    if target:
        form = target.form and Form(redactor.address(target.form.action), target.form.method)
        target = replace(
            target,
            name=hide(target.name),
            text=hide(target.text),
            around=hide(target.around),
            enter=hide(target.enter),
            href=redactor.address(target.href) if target.href else "",
            frame_url=redactor.address(target.frame_url),
            form=form,
        )
    return replace(
        question,
        target=target,
        reason=hide(question.reason),
        url=redactor.address(question.url),
        title=hide(question.title),
        button=hide(question.button),
        name=hide(question.name),
        ticked=tuple(map(hide, question.ticked)),
        form=redactor.address(f"//{question.form}")[2:] if question.form else "",
        said=hide(question.said),
        also=tuple(map(hide, question.also)),
        stakes=masked_stakes(question.stakes, hide) if question.stakes else None,
    )


def describe(question: Question) -> list[str]:
    """The gate's screen in plain lines, the same for every channel: effect, facts, then the ask."""
    if question.hand_over:
        headline = "YOUR TURN - only you may do this; the page is not read meanwhile"
    else:
        headline = HEADLINES.get(question.effect, "YOUR DECISION - nothing has been done yet")
    stakes = question.stakes
    if stakes and question.effect == "irreversible":
        headline = LAST_STEP
    page = f"{address(question.url, LONGEST_ADDRESS)}  {quote(question.title)}"
    lines = [
        headline,
        _line("Effect", _escaped(question.reason)),
        *(effect_lines(stakes) if stakes else ()),
        _line("Service", _service(question)),
        _line("Site", f"{_escaped(question.host) or 'none'}  {page}"),
        *_target_lines(question),
        *(loss_lines(stakes) if stakes else ()),
        _line("Money", ", ".join(map(quote, question.money)) or "none found"),
        _line("Ticked", ", ".join(map(quote, question.ticked)) or "none"),
        _line("Also here", ", ".join(map(quote, question.also))),
        _line("Claimed", quote(question.said, LONGEST_CLAIM) if question.said else ""),
        *_claim_lines(question),
        *(way_lines(stakes) if stakes else ()),
        _line("Rule", _escaped(question.rule)),
        *_ask_lines(question),
    ]
    return [line for line in lines if line]


def is_yes(question: Question, typed: str) -> bool:
    """Whether this answer says yes. Nothing, and anything else, is no."""
    answer = "".join(typed.split()).casefold()
    if not question.red:
        return answer in YES
    wanted = {question.red, number_of(question.red)} - {""}
    return answer in {"".join(words.split()).casefold() for words in wanted}


def _target_lines(question: Question) -> list[str]:
    target = question.target
    role = f"  ({_escaped(noun(target.role))})" if target else ""
    lines = [_line("Button", f"{quote(question.button)}{role}" if question.button else "")]
    if question.name:
        lines.append(_line("Named", quote(question.name)))
        lines.append(_warning("assistive technology is told other words than the eye reads"))
    if question.foreign_frame:
        lines.append(_line("Frame", address(question.foreign_frame)))
        lines.append(_warning("it belongs to another site, shown inside this page"))
    if target and target.href:
        lines.append(_line("Leads to", address(bare_address(target.href), LONGEST_ADDRESS)))
    if question.form:
        lines.append(_line("Sends to", address(question.form, LONGEST_ADDRESS)))
    return lines


def _claim_lines(question: Question) -> list[str]:
    if not question.said:
        return []
    lines = [" " * 10 + "(said by the program that asks; not checked)"]
    if question.mismatch:
        lines.append(_warning("what it says does not match the page"))
    return lines


def _ask_lines(question: Question) -> list[str]:
    if question.hand_over:
        return [_line("To do", "do it in the browser; we notice when it is done")]
    how = f"type {question.red} to agree; " if question.red else ""
    left = f"within {question.seconds:.0f} s; " if question.seconds else ""
    return [_line("Answer", f"{how}{left}no answer means no")]


def _service(question: Question) -> str:
    account = f"account {quote(question.account)}" if question.account else ""
    if question.stakes and not account:
        account = "account not found"
    known = bargain(question.stakes) if question.stakes else ""
    return "  ".join(filter(None, (_escaped(question.service), known, account)))


def _line(label: str, text: str) -> str:
    return f"{label:<10}{text}" if text else ""


def _warning(text: str) -> str:
    return f"{'':<10}WARNING: {text}"


def _escaped(text: str) -> str:
    """Our own words, in which a page's may be quoted: nothing invisible, nothing on a new line."""
    return "".join(letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}" for letter in text)

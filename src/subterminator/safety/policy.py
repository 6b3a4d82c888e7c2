"""Decides whether an action may run. Pure: no clock, no browser, no I/O.

It judges the live element and the page it is on, never the words of whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec.structs import replace

from subterminator import actions as a
from subterminator.actions import AtomicAction
from subterminator.keys import writes
from subterminator.safety.controls import (
    control_of,
    is_captcha,
    is_field,
    is_secret,
    is_sending_chord,
    leaves_field,
    pressed_by,
    sends_keys,
    writes_into,
)
from subterminator.safety.meaning import CANCEL, SEND, Control, Interpreter, Meaning
from subterminator.safety.patterns import passes_luhn
from subterminator.safety.reach import judge_address, judge_frame, judge_page, judge_target
from subterminator.safety.rules import Effect, Rule, Rules
from subterminator.safety.rules import load_rules as load_rules
from subterminator.safety.staging import by_stage, when_opened
from subterminator.safety.task import Task
from subterminator.safety.verdict import Situation as Situation
from subterminator.safety.verdict import Verdict as Verdict
from subterminator.types import DialogInfo, Flag, Resolved

# A new action is refused until it is named in one of these.
LOOKS = (
    a.Hover, a.Scroll, a.Wait, a.TakeSnapshot, a.Find, a.ReadText, a.Screenshot, a.ListTabs,
    a.ListFrames, a.SelectFrame,
)  # fmt: skip
MOVES = (a.Back, a.Forward, a.SelectTab, a.CloseTab)
ACTS = (
    a.Reload, a.Click, a.Fill, a.Clear, a.Type, a.Press, a.Select, a.Check, a.Uncheck, a.Drag,
    a.Upload, a.Dialog,
)  # fmt: skip
WITHOUT_TARGET = (a.Reload, a.Press, a.Type)
HARMLESS_TEXT = 40
FRAMES = frozenset({"iframe", "frame", "object", "embed"})
CARD_LENGTHS = range(13, 20)


class Policy(Protocol):
    """A pure function from what would be done, to what, where and for what, to a verdict."""

    def decide(
        self,
        action: AtomicAction,
        targets: Sequence[Resolved],
        situation: Situation,
        task: Task,
    ) -> Verdict: ...


class RulePolicy:
    """The rules of every session: addresses, secrets, dialogs, files, and what words announce."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._interpreter = Interpreter(rules)

    def decide(
        self,
        action: AtomicAction,
        targets: Sequence[Resolved],
        situation: Situation,
        task: Task,
    ) -> Verdict:
        verdict = self._decide(action, targets, situation, task)
        return by_stage(verdict, action, targets, task, self._named)

    def _named(self, target: Resolved) -> str:
        """The rule that an element's own words fit, whatever it stands in."""
        alone = control_of(target)._replace(around="", fields=(), ticked=(), path="")
        rule = self._interpreter.interpret(alone).rule
        return rule.id if rule else ""

    def _decide(
        self,
        action: AtomicAction,
        targets: Sequence[Resolved],
        situation: Situation,
        task: Task,
    ) -> Verdict:
        match action:
            case a.Navigate(url=url) | a.OpenTab(url=url):
                return self._judge_going(url, targets, task)
            case _ if isinstance(action, LOOKS):
                return Verdict("allow", "look", effect="look")
            case _ if isinstance(action, MOVES):
                return Verdict("allow", "default")
            case _ if not isinstance(action, ACTS):
                return Verdict("deny", "unknown-action", "No rule knows this action.")
        if isinstance(action, a.Dialog) and not action.accept:
            return self._judge_dismissal(situation.dialog)
        if outside := judge_page(situation.page.url, task.sites):
            return replace(outside, effect=action.effect)
        if isinstance(action, a.Dialog):
            return self._judge_agreement(action, situation.dialog, task)
        if not targets and not isinstance(action, WITHOUT_TARGET):
            return Verdict("ask", "no-target", "What it would act on is not known.", action.effect)
        found = list(self._judge(action, targets, situation, task))
        return _strictest(found) or Verdict("allow", _harmless(action), effect=action.effect)

    def _judge(
        self,
        action: AtomicAction,
        targets: Sequence[Resolved],
        situation: Situation,
        task: Task,
    ) -> Iterator[Verdict]:
        """Everything that speaks against simply doing it, what matters most first."""
        for target in targets:
            yield from _judge_place(target, situation, task)
            yield from _judge_secret(action, target)
            if leaves_field(action, target):
                reason = (
                    "Keys after a tab or Enter go where nobody can tell; send them by themselves."
                )
                yield Verdict("ask", "keys-leave-field", reason, "write")
        for control in pressed_by(action, targets):
            yield from self._judge_words(control, task)
        for target in targets:
            yield from self._judge_sending(action, target)
            yield from self._judge_typed(action, target, task)
            yield from _judge_way(action, target, task)
        yield from _judge_files(action, task)

    def _judge_going(self, url: str, links: Sequence[Resolved], task: Task) -> Verdict:
        """Opening an address by hand does what a press on the mildest link to it does."""
        going = judge_address(url, task.sites)
        words = [self._judge_link(link, task) for link in links]
        mildest = min(words, key=_weight, default=going)
        return _strictest([going, mildest]) or going

    def _judge_link(self, link: Resolved, task: Task) -> Verdict:
        found = [
            when_opened(verdict, link, task, self._named)
            for control in pressed_by(a.Click(link.ref), [link])
            for verdict in self._judge_words(control, task)
        ]
        return _strictest(found) or Verdict("allow", "default")

    # What words announce

    def _judge_words(self, control: Control, task: Task) -> Iterator[Verdict]:
        meaning = self._interpreter.interpret(control)
        if meaning.rule:
            verdict = _by_rule(meaning, task)
            if verdict.kind != "allow" or not meaning.differs:
                yield verdict
        if meaning.differs:
            reason = "Its label says one thing to the eye and another to assistive technology."
            yield Verdict("ask", "label-mismatch", reason, "irreversible")
        elif meaning.rule is None and meaning.unreadable:
            reason = "Its label is in a language that these rules cannot read."
            yield Verdict("ask", "unreadable-label", reason, "irreversible")
        elif meaning.rule is None and meaning.certain:
            reason = "The page says that this cannot be undone."
            yield Verdict("ask", "cannot-undo", reason, "irreversible")

    def _judge_sending(self, action: AtomicAction, target: Resolved) -> Iterator[Verdict]:
        """Enter in a field of a chat sends what is in it, though no form says so."""
        if not sends_keys(action) or not is_field(target) or target.tag == "select":
            return
        has_form = target.form is not None and bool(target.form.id)
        is_chat = not has_form and self._interpreter.is_message_field(
            (target.name, target.facts.placeholder)
        )
        is_long = target.tag != "input"
        if not target.enter and (is_chat or (is_long and is_sending_chord(action))):
            rule = self._rules.by_id[SEND]
            yield Verdict("ask", SEND, rule.reason, rule.effect)

    def _judge_typed(self, action: AtomicAction, target: Resolved, task: Task) -> Iterator[Verdict]:
        """A typed confirmation of what a task that cancels never does: `Type DELETE`."""
        text = action.value if isinstance(action, a.Fill) else ""
        text = action.text if isinstance(action, a.Type) else text
        if task.purpose != "cancel" or not 0 < len(text) <= HARMLESS_TEXT:
            return
        rule = self._interpreter.interpret(Control((text,))).rule
        wanted = " ".join((target.name, target.facts.placeholder, target.around))
        if rule and rule.in_cancel == "deny" and text.casefold() in wanted.casefold():
            yield Verdict("deny", rule.id, rule.reason, rule.effect)

    # Native dialogs

    def _judge_agreement(self, action: a.Dialog, dialog: DialogInfo | None, task: Task) -> Verdict:
        if dialog is None or dialog.kind == "alert":
            return Verdict("allow", "dialog")
        words = self._interpreter
        if dialog.kind == "prompt" and action.text and words.asks_for_secret(dialog.message):
            reason = "The page asks for a secret, which only you may type."
            return Verdict("hand_over", "secret-field", reason, "credential")
        topics = words.mentions(dialog.message)
        effect: Effect = "money" if any(t.effect == "money" for t in topics) else "irreversible"
        if task.purpose == "cancel" and not any(topic.id == CANCEL for topic in topics):
            for topic in topics:
                if topic.in_cancel == "deny":
                    return Verdict("deny", topic.id, _in_cancel(topic), topic.effect)
        return Verdict("ask", "native-dialog", f"The page asks: {dialog.message[:300]!r}", effect)

    def _judge_dismissal(self, dialog: DialogInfo | None) -> Verdict:
        if dialog and self._interpreter.asks_to_stay(dialog.message):
            reason = f"A no may be a yes here. The page asks: {dialog.message[:300]!r}"
            return Verdict("ask", "native-dialog", reason, "irreversible")
        return Verdict("allow", "dialog")


def _by_rule(meaning: Meaning, task: Task) -> Verdict:
    rule = meaning.rule
    assert rule is not None
    is_cancel = task.purpose == "cancel"
    kind = rule.in_cancel if is_cancel else rule.verdict
    reason = _in_cancel(rule) if is_cancel and kind == "deny" else rule.reason
    effect = rule.effect
    for other in meaning.also:
        reason += f" The page also says: {other.reason[0].lower()}{other.reason[1:]}"
        effect = "money" if other.effect == "money" else effect
    return Verdict(kind, rule.id, reason, effect)


def _in_cancel(rule: Rule) -> str:
    return f"{rule.reason} This task is to cancel, and never does that."


def _judge_place(target: Resolved, situation: Situation, task: Task) -> Iterator[Verdict]:
    if target.tag in FRAMES:
        reason = "A press on a frame presses whatever lies in it; name the element inside."
        yield Verdict("deny", "frame-element", reason, "write")
    if verdict := judge_frame(target, situation.page.url, task.sites):
        yield verdict


def _judge_secret(action: AtomicAction, target: Resolved) -> Iterator[Verdict]:
    if is_secret(target) and writes_into(action):
        kind = target.facts.secret or "secret"
        reason = f"Only you may type into a {kind} field."
        yield Verdict("hand_over", "secret-field", reason, "credential")
    if _is_card(action):
        reason = "Only you may type a card number."
        yield Verdict("hand_over", "card-number", reason, "credential")
    if is_captcha(target):
        reason = "Only you may solve a puzzle that asks whether a person is there."
        yield Verdict("hand_over", "captcha", reason, "credential")


def _is_card(action: AtomicAction) -> bool:
    """Whether what is written is a card number, whatever the field is called."""
    match action:
        case a.Fill(value=text) | a.Type(text=text):
            digits = text.strip().replace(" ", "").replace("-", "")
            return len(digits) in CARD_LENGTHS and digits.isdecimal() and passes_luhn(digits)
        case _:
            return False


def _judge_way(action: AtomicAction, target: Resolved, task: Task) -> Iterator[Verdict]:
    """Where a link that is followed or a form that is sent would lead."""
    is_pressed = any(True for _ in pressed_by(action, [target]))
    is_sent = is_pressed and (
        bool(target.flags & Flag.SUBMITS) or (sends_keys(action) and bool(target.enter))
    )
    ways = [target.href] if target.href and is_pressed else []
    if is_sent and target.form and target.form.action:
        ways.append(target.form.action)
    for way in ways:
        if verdict := judge_target(way, task.sites):
            yield verdict


def _judge_files(action: AtomicAction, task: Task) -> Iterator[Verdict]:
    if not isinstance(action, a.Upload):
        return
    if task.purpose == "cancel":
        yield Verdict("deny", "upload", "A task that cancels gives no files away.", "write")
    if names := ", ".join(file for file in action.files if isinstance(file, str)):
        yield Verdict("ask", "upload-from-disk", f"It would give the page: {names}", "write")


def _weight(verdict: Verdict) -> int:
    return ("allow", "ask", "hand_over", "deny").index(verdict.kind)


def _strictest(found: Sequence[Verdict]) -> Verdict | None:
    """One answer of many: the strictest, and of questions one that tells all their reasons."""
    for kind in ("deny", "hand_over"):
        for verdict in found:
            if verdict.kind == kind:
                return verdict
    asks = [verdict for verdict in found if verdict.kind == "ask"]
    if not asks:
        return next(iter(found), None)
    # What it does comes before where it leads: its effect is what a yes has to mean.
    first = max(asks, key=lambda verdict: verdict.effect in {"irreversible", "money"})
    reasons = dict.fromkeys(verdict.reason for verdict in (first, *asks))
    host = next((verdict.host for verdict in asks if verdict.host), "")
    return replace(first, reason=" ".join(reasons), host=host)


def _harmless(action: AtomicAction) -> str:
    is_key = isinstance(action, a.Press) and not writes(action.key)
    return "key-without-text" if is_key else "default"

"""What the stage of a cancellation adds to a verdict. Pure.

The stage was found by our own code. On the way a step that only opens the next page is not asked
about; the last step always is; after it nothing is pressed any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from subterminator import actions as a
from subterminator.actions import AtomicAction
from subterminator.safety.controls import CHOICES, is_field
from subterminator.safety.meaning import CANCEL, SEND
from subterminator.safety.money import find_amounts, value_of
from subterminator.safety.task import Task
from subterminator.safety.verdict import Verdict
from subterminator.safety.wording import read
from subterminator.types import Flag, Resolved

ON_THE_WAY = frozenset({"START", "ACCOUNT_ACTIVE", "RETENTION_OFFER", "EXIT_SURVEY"})
OVER = frozenset({"VERIFYING", "COMPLETE"})
LAST = "FINAL_CONFIRMATION"
PRESSING = (
    a.Click, a.Fill, a.Clear, a.Type, a.Press, a.Select, a.Check, a.Uncheck, a.Drag, a.Upload,
    a.Reload,
)  # fmt: skip
# What stands around a link may speak of prices; following it pays nothing.
CONTEXT = frozenset({"money"})


def _folded(*words: str) -> frozenset[str]:
    return frozenset(part for word in words for part in read(word, frozenset()).row)


# Words that make a press the last one, wherever it stands.
FINAL = _folded(
    "confirm", "confirmed", "finish", "finalise", "finalize", "final", "yes", "complete", "sure",
    "bestätigen", "ja", "endgültig", "verbindlich", "abschließen", "confirmer", "oui", "finaliser",
    "définitivement", "valider", "confirmar", "sí", "finalizar", "definitivamente", "conferma",
    "confermo", "confermare", "sì",
)  # fmt: skip
CANCELS = _folded(
    "cancel", "end", "stop", "terminate", "unsubscribe", "leave", "quit", "kündigen", "beenden",
    "stornieren", "résilier", "annuler", "arrêter", "cancelar", "terminar", "anular", "baja",
    "disdici", "disdire", "annulla", "termina",
)  # fmt: skip
BYE = _folded("done", "bye", "goodbye", "out", "leaving", "going")
# Words that say that something comes after it.
ONWARD = _folded(
    "continue", "next", "proceed", "weiter", "fortfahren", "fortsetzen", "continuer", "suivant",
    "poursuivre", "continuar", "siguiente", "continua", "avanti", "prosegui", "procedi", "feedback",
    "survey", "answer", "answers",
)  # fmt: skip


def by_stage(
    verdict: Verdict,
    action: AtomicAction,
    targets: Sequence[Resolved],
    task: Task,
    named: Callable[[Resolved], str],
) -> Verdict:
    """The verdict in the stage of the task. `named` gives the rule of an element's own words."""
    if task.purpose != "cancel" or not task.stage:
        return verdict
    is_press = isinstance(action, PRESSING) or (
        isinstance(action, a.Dialog) and verdict.kind == "ask"
    )
    if task.stage in OVER and is_press:
        reason = "The last step was pressed; from here on pages are only looked at and loaded."
        return Verdict("deny", "after-final", reason, verdict.effect)
    if verdict.kind == "ask" and verdict.rule == CANCEL and _only_chooses(action, targets):
        if task.stage in ON_THE_WAY or task.stage == LAST:
            return replace(verdict, kind="allow", rule="on-the-way", effect="write")
    if verdict.kind == "allow" and task.stage == LAST:
        return _at_the_end(verdict, action, targets)
    if task.stage not in ON_THE_WAY or not isinstance(action, a.Click):
        return verdict
    if verdict.kind == "deny" and verdict.rule in CONTEXT:
        leads = all(_only_leads(target) and named(target) in {"", CANCEL} for target in targets)
        return Verdict("allow", "on-the-way") if targets and leads else verdict
    if verdict.kind == "ask":
        return _on_the_way(verdict, targets, task.stage)
    if verdict.kind == "allow" and any(_sends_cancel(target) for target in targets):
        reason = "It sends a form, and its words speak of cancelling."
        return Verdict("ask", CANCEL, reason, "irreversible")
    return verdict


def when_opened(
    verdict: Verdict, link: Resolved, task: Task, named: Callable[[Resolved], str]
) -> Verdict:
    """The verdict on a link whose address is opened instead of pressing it."""
    if task.purpose != "cancel":
        return verdict
    if task.stage in OVER and verdict.rule == CANCEL:
        # The account page is loaded anew, and what leads there may speak of cancelling.
        return replace(verdict, kind="allow", rule="after-final", effect="move")
    if not task.stage or task.stage in ON_THE_WAY:
        # Before the first page is read the way has just begun.
        begun = replace(task, stage=task.stage or "START")
        return by_stage(verdict, a.Click(link.ref), [link], begun, named)
    return verdict


def _at_the_end(verdict: Verdict, action: AtomicAction, targets: Sequence[Resolved]) -> Verdict:
    """What is pressed at the last step is asked about, whatever it is called."""
    if isinstance(action, a.Click) and any(_is_button(target) for target in targets):
        reason = "It is the last step, and this may end the subscription."
        return Verdict("ask", "final-step", reason, "irreversible")
    return verdict


def _on_the_way(verdict: Verdict, targets: Sequence[Resolved], stage: str) -> Verdict:
    is_survey = stage == "EXIT_SURVEY"
    if verdict.rule not in {CANCEL, SEND} or (verdict.rule == SEND and not is_survey):
        return verdict
    if any(_is_last(target, is_survey=is_survey) for target in targets):
        return verdict
    return replace(verdict, kind="allow", rule="on-the-way", effect="move")


def _is_last(target: Resolved, *, is_survey: bool) -> bool:
    """Whether a press may be the last one: by its words, or because it sends a form."""
    words = {word for label in (target.name, target.text) for word in read(label, frozenset()).row}
    if words & FINAL:
        return True
    form = target.form
    if form is None or form.method.lower() != "post" or _is_link(target):
        return False
    # Answers are sent on the way, too; what was chosen must cost nothing.
    answers = is_survey and bool(words & ONWARD)
    return not answers or any(value_of(cost) for cost in find_amounts(form.ticked))


def _only_chooses(action: AtomicAction, targets: Sequence[Resolved]) -> bool:
    """A radio button or a list: what was chosen is sent by another press. No switch is one."""
    if isinstance(action, a.Select):
        return bool(targets) and all(target.tag == "select" for target in targets)
    radios = all(target.tag == "input" and target.role == "radio" for target in targets)
    return isinstance(action, a.Check) and bool(targets) and radios


def _only_leads(target: Resolved) -> bool:
    """A link to another page whose words speak of leaving or of going on."""
    words = set(read(target.name or target.text, frozenset()).row)
    leads = target.tag in {"a", "area"} and target.href.startswith(("http:", "https:"))
    return leads and not target.href.endswith("#") and bool(words & (CANCELS | ONWARD | BYE))


def _sends_cancel(target: Resolved) -> bool:
    form = target.form
    if form is None or form.method.lower() != "post" or _is_link(target):
        return False
    words = set(read(target.name or target.text, frozenset()).row)
    return bool(words & CANCELS) and not words & ONWARD


def _is_link(target: Resolved) -> bool:
    return bool(target.href) and not target.flags & Flag.SUBMITS


def _is_button(target: Resolved) -> bool:
    if is_field(target) or target.role in CHOICES or target.flags & Flag.CHECKABLE:
        return False
    return not (target.tag == "summary" or target.flags & Flag.EXPANDABLE)

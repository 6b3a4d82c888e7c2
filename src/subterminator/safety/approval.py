"""What a yes was given for: exactly this, once, for a short time. Any difference asks again.

A standing approval is a file with terms, made by a dry run, for when nobody is there to ask.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.actions import AtomicAction
from subterminator.config import private_folder
from subterminator.errors import ApprovalVoid, Refused
from subterminator.safety.clock import CLOCK, Clock, Deadline
from subterminator.safety.files import check_private, sync_folder, write_private
from subterminator.safety.human import Question, amounts_shown, bare_address, question_for
from subterminator.safety.ledger import account_hash
from subterminator.safety.money import find_fees
from subterminator.safety.policy import Situation, Verdict
from subterminator.safety.task import Task
from subterminator.types import DialogInfo, Flag, Form, Resolved

QUESTION_SECONDS = 300.0
# From the answer to the press there is nothing to wait for but the page itself.
PRESS_SECONDS = 30.0
STANDING_SECONDS = 24 * 3600.0
LONGEST_FILE = 20_000
# States that change what a press does. Focus, hover and busy come and go by themselves.
STATES = (
    Flag.DISABLED | Flag.READONLY | Flag.CHECKED | Flag.MIXED | Flag.SELECTED | Flag.SECRET
    | Flag.SUBMITS | Flag.NEWTAB
)  # fmt: skip


class Proposal(Struct, frozen=True):
    """An action, what it would act on, and where, as the browser reports them at one moment."""

    task: Task
    action: AtomicAction
    targets: tuple[Resolved, ...]
    situation: Situation


class _Element(Struct, frozen=True):
    origin: str
    frames: tuple[str, ...]
    document: str
    world: str
    node: int
    role: str
    name: str
    text: str
    tag: str
    type: str
    states: int
    href: str
    opens_in: str
    enter: str
    handlers: str
    form: Form | None


class _Bound(Struct, frozen=True):
    job: str
    service: str
    page: str
    elements: tuple[_Element, ...]
    action: AtomicAction
    dialog: DialogInfo | None
    money: tuple[str, ...]
    expires: float
    nonce: str


def digest(proposal: Proposal, expires: float, nonce: str) -> str:
    """One number for all that a person was shown and a press depends on.

    Left out is what changes without meaning: markup, place, countdowns around the element.
    """
    action, targets, situation = proposal.action, proposal.targets, proposal.situation
    page = situation.page.url
    bound = _Bound(
        job=proposal.task.id,
        service=proposal.task.service,
        # An element knows its own document; without one the page itself is what is meant.
        page=_origin(page) if targets else page,
        elements=tuple(map(_identity, targets)),
        action=action,
        dialog=situation.dialog,
        money=amounts_shown(action, targets, situation),
        expires=expires,
        nonce=nonce,
    )
    # In plain letters, because a page may contain half a character, which has no bytes.
    text = json.dumps(msgspec.to_builtins(bound), separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _identity(target: Resolved) -> _Element:
    return _Element(
        origin=target.origin,
        frames=target.frames,
        document=target.document,
        world=target.world,
        node=target.node,
        role=target.role,
        name=target.name,
        text=target.text,
        tag=target.tag,
        type=target.facts.type,
        states=target.flags & STATES,
        href=target.href,
        opens_in=target.target,
        enter=target.enter,
        handlers=target.handlers,
        form=target.form,
    )


def _origin(url: str) -> str:
    scheme, _, rest = bare_address(url).partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


# Asking


class Approval(Struct, frozen=True):
    """A yes to one question."""

    question: str
    digest: str
    job: str
    deadline: Deadline


class _Open(Struct):
    digest: str
    job: str
    expires: float
    nonce: str
    deadline: Deadline
    approval: Approval | None = None


class Approvals:
    """The questions of one session and the answers that still count.

    They live as long as the session: after a restart nothing is approved.
    """

    def __init__(self, *, clock: Clock = CLOCK, seconds: float = QUESTION_SECONDS) -> None:
        self._clock = clock
        self._seconds = seconds
        self._open: dict[str, _Open] = {}

    def propose(self, proposal: Proposal, verdict: Verdict, said: str = "") -> Question:
        """The question to ask. It is bound to what the browser reports at this moment."""
        question = question_for(
            proposal.task, verdict, proposal.action, proposal.targets, proposal.situation, said
        )
        for old, asked in list(self._open.items()):
            if asked.deadline.passed(self._clock):
                self.withdraw(old)
        deadline = self._clock.deadline(self._seconds)
        nonce = secrets.token_hex(16)
        number = digest(proposal, deadline.wall, nonce)
        self._open[question.id] = _Open(number, proposal.task.id, deadline.wall, nonce, deadline)
        return replace(question, digest=number, seconds=self._seconds)

    def grant(self, question_id: str) -> Approval:
        """The person said yes to this question, and to no other."""
        asked = self._open.get(question_id)
        if asked is None or asked.approval:
            raise ApprovalVoid("This question is not open.")
        if asked.deadline.passed(self._clock):
            self.withdraw(question_id)
            raise ApprovalVoid("The answer came too late.")
        deadline = self._clock.deadline(PRESS_SECONDS)
        asked.approval = Approval(question_id, asked.digest, asked.job, deadline)
        asked.deadline = deadline
        return asked.approval

    def withdraw(self, question_id: str) -> None:
        """The person said no, or nobody waits for the answer any more."""
        self._open.pop(question_id, None)

    def spend(self, approval: Approval, now: Proposal) -> str:
        """Use it up for what would be done now; returns the digest if that is what was approved."""
        asked = self._open.pop(approval.question, None)
        if asked is None or asked.approval != approval:
            raise ApprovalVoid("This approval was used before, or was never given here.")
        if approval.job != now.task.id:
            raise ApprovalVoid("This approval was given to another job.")
        if approval.deadline.passed(self._clock):
            raise ApprovalVoid("This approval is too old.")
        if digest(now, asked.expires, asked.nonce) != approval.digest:
            raise ApprovalVoid("What was approved has changed since, or something else was meant.")
        return approval.digest


# Nobody there to ask


class StandingApproval(Struct, frozen=True, forbid_unknown_fields=True):
    """Terms under which one final press may be made without asking: never with a fee.

    All but `made` has to be found again as the dry run saw it. The account is kept as a hash.
    """

    service: str
    site: str
    account: str
    plan: str
    role: str
    words: str
    name: str
    form: str
    frame: str
    money: tuple[str, ...]
    ticked: tuple[str, ...]
    made: float

    @classmethod
    def of(cls, question: Question, task: Task, clock: Clock = CLOCK) -> StandingApproval:
        """The terms of the gate that a dry run has reached."""
        if why := _never_standing(question, task):
            raise Refused(why, next_step="Run it with a person to ask.")
        return _terms(question, task, clock.wall())

    @classmethod
    def load(cls, path: Path) -> StandingApproval:
        if not check_private(path):
            raise Refused(f"There is no {path}.", next_step="Make it with a dry run.")
        try:
            with path.open("rb") as file:
                return msgspec.json.decode(file.read(LONGEST_FILE), type=cls)
        except (OSError, msgspec.DecodeError) as fault:
            raise Refused(
                f"{path} cannot be read: {fault}.", next_step="Make it anew with a dry run."
            ) from fault

    def save(self, path: Path) -> None:
        private_folder(str(path.parent))
        check_private(path)
        write_private(path, msgspec.json.encode(self))

    def unmet(self, question: Question, task: Task, clock: Clock = CLOCK) -> str:
        """Which term does not hold, in words; empty if all do."""
        if why := _never_standing(question, task):
            return why
        age = clock.wall() - self.made
        if not 0 <= age < STANDING_SECONDS:
            return "The approval file is older than a day, or the date was changed."
        found = _terms(question, task, self.made)
        names = (name for name in self.__struct_fields__ if name not in ("money", "ticked"))
        differing = [name for name in names if getattr(self, name) != getattr(found, name)]
        differing += ["money"] * (not set(found.money) <= set(self.money))
        differing += ["ticked"] * (not set(found.ticked) <= set(self.ticked))
        return f"Not as in the dry run: {', '.join(differing)}." if differing else ""


def spend_file(path: Path) -> bool:
    """Use the file up; False if another process was first."""
    try:
        path.unlink()
        sync_folder(path.parent)
    except OSError:
        return False
    return True


class Deputy:
    """Stands in for the person with a file of theirs: says yes once, to what meets its terms."""

    def __init__(self, path: Path, task: Task, clock: Clock = CLOCK) -> None:
        self._path = path
        self._task = task
        self._clock = clock
        self.why = ""
        """Why the last answer was no."""

    async def approve(self, question: Question) -> bool:
        try:
            standing = StandingApproval.load(self._path)
        except Refused as fault:
            self.why = str(fault)
            return False
        self.why = standing.unmet(question, self._task, self._clock)
        if not self.why and not spend_file(self._path):
            self.why = "The approval file was used by another run."
        return not self.why

    async def hand_over(self, question: Question) -> bool:
        self.why = "Nobody is there to do it."
        return False


def _never_standing(question: Question, task: Task) -> str:
    target = question.target
    if task.purpose != "cancel" or question.effect != "irreversible" or question.red:
        return "Only the last step of a cancellation can be approved beforehand."
    if not target or not question.button or not question.host:
        return "There is no button that could be found again."
    if question.mismatch:
        return "What the asking program says does not match the page."
    texts = (question.button, target.around, *question.ticked)
    if fees := [fee for text in texts for fee in find_fees(text)]:
        return f"There is a fee: {', '.join(fees)}."
    return ""


def _terms(question: Question, task: Task, made: float) -> StandingApproval:
    return StandingApproval(
        service=task.service,
        site=question.host,
        account=account_hash(task.account or question.account),
        plan=task.subscription or (question.stakes.plan if question.stakes else ""),
        role=question.target.role if question.target else "",
        words=" ".join(question.button.split()),
        name=" ".join(question.name.split()),
        form=question.form,
        frame=question.foreign_frame,
        money=question.money,
        ticked=question.ticked,
        made=made,
    )

"""Approvals: for exactly this, once, for a while; and the file that stands in for the person."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from subterminator import actions as a
from subterminator.errors import ApprovalVoid, Refused
from subterminator.safety.approval import (
    Approval,
    Approvals,
    Deputy,
    Proposal,
    StandingApproval,
    digest,
    spend_file,
)
from subterminator.safety.clock import Clock
from subterminator.safety.human import Question
from subterminator.safety.policy import Situation, Verdict
from subterminator.safety.task import Task
from subterminator.types import Box, DialogInfo, Facts, Flag, Form, PageInfo, Resolved
from tests.safety.times import Time

DAY = 86_400.0
SITE = "https://www.shop.example"
FINAL = Verdict("ask", "final-cancel", "It ends the subscription.", "irreversible")
FORM = Form(f"{SITE}/end", "post", 3, (("Reason", "none"),), ("I understand",))
BUTTON = Resolved(
    ref="@e7",
    role="button",
    name="Finish cancellation",
    tag="button",
    flags=int(Flag.INTERACTIVE),
    box=Box(10, 20, 100, 30),
    text="Finish cancellation",
    visible=True,
    why="",
    origin=SITE,
    frame_url=f"{SITE}/cancel",
    world="w1",
    node=7,
    facts=Facts(type="submit"),
    form=FORM,
    frames=(SITE,),
    document="d1",
    around="Standard plan, 15.49 USD/month.",
)
TASK = Task(
    "job-1",
    (SITE,),
    "cancel",
    "Shop",
    "alice@example.org",
    subscription="Standard",
    period="2026-11",
)
PROPOSAL = Proposal(
    TASK, a.Click(target="@e7"), (BUTTON,), Situation(PageInfo(f"{SITE}/cancel", "Cancel"))
)


@pytest.fixture
def approvals(time: Time) -> Approvals:
    return Approvals(clock=time.clock, seconds=300)


def granted(approvals: Approvals, proposal: Proposal = PROPOSAL) -> Approval:
    return approvals.grant(approvals.propose(proposal, FINAL).id)


def with_target(**changes: object) -> Proposal:
    return replace(PROPOSAL, targets=(replace(BUTTON, **changes),))


# What it is bound to


def test_an_approval_is_good_for_what_was_proposed(approvals: Approvals) -> None:
    question = approvals.propose(PROPOSAL, FINAL)
    assert question.seconds == 300
    assert approvals.spend(approvals.grant(question.id), PROPOSAL) == question.digest


CHANGES: dict[str, Callable[[], Proposal]] = {
    "job": lambda: replace(PROPOSAL, task=replace(TASK, id="job-2")),
    "service": lambda: replace(PROPOSAL, task=replace(TASK, service="Other")),
    "origin": lambda: with_target(origin="https://evil.example"),
    "frames": lambda: with_target(frames=(SITE, SITE)),
    "document": lambda: with_target(document="d2"),
    "world": lambda: with_target(world="w2"),
    "node": lambda: with_target(node=8),
    "role": lambda: with_target(role="link"),
    "name": lambda: with_target(name="Upgrade"),
    "visible words": lambda: with_target(text="Upgrade"),
    "tag": lambda: with_target(tag="a"),
    "input type": lambda: with_target(facts=Facts(type="button")),
    "disabled": lambda: with_target(flags=BUTTON.flags | Flag.DISABLED),
    "address of a link": lambda: with_target(href="https://evil.example/"),
    "form is gone": lambda: with_target(form=None),
    "form action": lambda: with_target(form=replace(FORM, action="https://evil.example/")),
    "form method": lambda: with_target(form=replace(FORM, method="get")),
    "form field": lambda: with_target(form=replace(FORM, fields=(("Reason", "other"),))),
    "ticked box": lambda: with_target(form=replace(FORM, ticked=("I understand", "Insurance"))),
    "what Enter presses": lambda: with_target(enter="Buy"),
    "price": lambda: with_target(around="Standard plan, 99.00 USD/month."),
    "action": lambda: replace(PROPOSAL, action=a.Hover(target="@e7")),
    "argument": lambda: replace(PROPOSAL, action=a.Click(target="@e7", count=2)),
    "second target": lambda: replace(PROPOSAL, targets=(BUTTON, BUTTON)),
    "no target": lambda: replace(PROPOSAL, targets=()),
    "dialog": lambda: replace(
        PROPOSAL, situation=replace(PROPOSAL.situation, dialog=DialogInfo("confirm", "Sure?"))
    ),
    "page origin": lambda: replace(
        PROPOSAL, situation=Situation(PageInfo("https://evil.example/cancel", "Cancel"))
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_h19_any_change_after_the_yes_means_asking_again(
    approvals: Approvals, change: Callable[[], Proposal]
) -> None:
    approval = granted(approvals)
    with pytest.raises(ApprovalVoid, match="ask again"):
        approvals.spend(approval, change())
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, PROPOSAL)


def test_what_changes_without_meaning_does_not_matter(approvals: Approvals) -> None:
    moved = with_target(
        ref="@e99",
        box=Box(0, 0, 1, 1),
        flags=BUTTON.flags | Flag.FOCUSED | Flag.OFFSCREEN,
        around="Standard plan, 15.49 USD/month. 4 seconds left",
    )
    approvals.spend(granted(approvals), moved)


def test_the_text_that_is_hashed_cannot_be_read_in_two_ways() -> None:
    one = with_target(name='a","text":"b', text="c")
    two = with_target(name="a", text='b","text":"c')
    assert digest(one, 1.0, "n") != digest(two, 1.0, "n")
    assert digest(PROPOSAL, 1.0, "n") != digest(PROPOSAL, 2.0, "n")
    assert digest(PROPOSAL, 1.0, "n") != digest(PROPOSAL, 1.0, "m")
    assert digest(PROPOSAL, 1.0, "n") == digest(replace(PROPOSAL), 1.0, "n")


def test_half_a_character_has_a_digest_too() -> None:
    assert digest(with_target(name="a\ud800"), 1.0, "n") != digest(with_target(name="a"), 1.0, "n")


def test_a_dialog_and_an_address_are_bound_to_the_page_they_were_asked_on() -> None:
    asked = Proposal(TASK, a.Navigate(url="https://x.example/"), (), PROPOSAL.situation)
    elsewhere = replace(asked, situation=Situation(PageInfo(f"{SITE}/other", "Cancel")))
    assert digest(asked, 1.0, "n") != digest(elsewhere, 1.0, "n")


# Human gates


def test_g4_an_approval_for_one_button_is_no_approval_for_another(approvals: Approvals) -> None:
    approval = granted(approvals)
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, with_target(node=8, name="Delete account", text="Delete account"))


def test_g5_an_approval_does_not_survive_a_navigation(approvals: Approvals) -> None:
    approval = granted(approvals)
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, with_target(world="w2", document="d2"))


def test_g6_the_same_label_in_another_frame_is_not_approved(approvals: Approvals) -> None:
    approval = granted(approvals)
    with pytest.raises(ApprovalVoid):
        approvals.spend(
            approval,
            with_target(
                frames=(SITE, "https://ads.example"), origin="https://ads.example", world="w9"
            ),
        )


def test_g7_an_approval_is_used_once(approvals: Approvals) -> None:
    approval = granted(approvals)
    approvals.spend(approval, PROPOSAL)
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, PROPOSAL)


def test_g7_a_question_is_answered_once(approvals: Approvals) -> None:
    question = approvals.propose(PROPOSAL, FINAL)
    approvals.grant(question.id)
    with pytest.raises(ApprovalVoid):
        approvals.grant(question.id)


def test_g8_an_approval_of_another_job_or_session_counts_for_nothing(
    approvals: Approvals, time: Time
) -> None:
    approval = granted(approvals)
    with pytest.raises(ApprovalVoid):
        Approvals(clock=time.clock).spend(approval, PROPOSAL)
    with pytest.raises(ApprovalVoid, match="another job"):
        approvals.spend(approval, replace(PROPOSAL, task=replace(TASK, id="job-2")))


def test_g8_an_approval_that_was_written_down_by_hand_counts_for_nothing(
    approvals: Approvals, time: Time
) -> None:
    question = approvals.propose(PROPOSAL, FINAL)
    forged = Approval(question.id, question.digest, "job-1", time.clock.deadline(9_999))
    with pytest.raises(ApprovalVoid):
        approvals.spend(forged, PROPOSAL)


def test_g9_answers_to_two_open_questions_do_not_cross(approvals: Approvals) -> None:
    other = with_target(node=8, name="Delete account", text="Delete account")
    first, second = approvals.propose(PROPOSAL, FINAL), approvals.propose(other, FINAL)
    approval = approvals.grant(second.id)
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, PROPOSAL)
    approvals.spend(approvals.grant(first.id), PROPOSAL)


def test_g9_two_equal_questions_are_still_two(approvals: Approvals) -> None:
    first, second = approvals.propose(PROPOSAL, FINAL), approvals.propose(PROPOSAL, FINAL)
    assert first.digest != second.digest
    approval = approvals.grant(first.id)
    with pytest.raises(ApprovalVoid):
        approvals.spend(replace(approval, question=second.id), PROPOSAL)


def test_g1_what_was_withdrawn_cannot_be_granted(approvals: Approvals) -> None:
    question = approvals.propose(PROPOSAL, FINAL)
    approvals.withdraw(question.id)
    with pytest.raises(ApprovalVoid):
        approvals.grant(question.id)


# Time


@pytest.mark.parametrize("step", [DAY, -DAY])
def test_f8_a_clock_set_by_a_day_ends_what_was_approved(
    approvals: Approvals, time: Time, step: float
) -> None:
    approval, question = granted(approvals), approvals.propose(PROPOSAL, FINAL)
    time.date += step
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, PROPOSAL)
    with pytest.raises(ApprovalVoid):
        approvals.grant(question.id)


def test_f8_a_clock_set_back_a_little_lengthens_nothing(approvals: Approvals, time: Time) -> None:
    approval = granted(approvals)
    time.running += 31
    time.date -= 2
    with pytest.raises(ApprovalVoid, match="too old"):
        approvals.spend(approval, PROPOSAL)


def test_f11_an_approval_has_expired_after_a_sleep_that_only_one_clock_saw(
    approvals: Approvals, time: Time
) -> None:
    approval, question = granted(approvals), approvals.propose(PROPOSAL, FINAL)
    time.date += 3_600
    with pytest.raises(ApprovalVoid):
        approvals.spend(approval, PROPOSAL)
    with pytest.raises(ApprovalVoid, match="too late"):
        approvals.grant(question.id)


def test_g3_a_yes_that_comes_too_late_is_a_no(approvals: Approvals, time: Time) -> None:
    question = approvals.propose(PROPOSAL, FINAL)
    time.pass_by(300)
    with pytest.raises(ApprovalVoid):
        approvals.grant(question.id)


def test_a_yes_in_the_last_second_still_leaves_time_to_press(
    approvals: Approvals, time: Time
) -> None:
    question = approvals.propose(PROPOSAL, FINAL)
    time.pass_by(299)
    approval = approvals.grant(question.id)
    time.pass_by(10)
    approvals.propose(PROPOSAL, FINAL)  # which forgets what is old
    approvals.spend(approval, PROPOSAL)


def test_the_real_clock_runs() -> None:
    clock = Clock()
    assert not clock.deadline(60).passed(clock)
    assert clock.deadline(0).passed(clock)


# The file that stands in for the person


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "approvals" / "shop.json"


@pytest.fixture
def question(approvals: Approvals) -> Question:
    return approvals.propose(PROPOSAL, FINAL)


@pytest.fixture
def saved(path: Path, question: Question, time: Time) -> StandingApproval:
    standing = StandingApproval.of(question, TASK, time.clock)
    standing.save(path)
    return standing


async def test_a_standing_approval_says_yes_once_to_what_the_dry_run_saw(
    path: Path, saved: StandingApproval, approvals: Approvals, time: Time
) -> None:
    assert StandingApproval.load(path) == saved
    deputy = Deputy(path, TASK, time.clock)
    # Another run on another day: another document, the same button.
    later = approvals.propose(with_target(world="w5", document="d5", node=70), FINAL)
    assert await deputy.approve(later)
    assert not await deputy.approve(later)
    assert "no" in deputy.why.lower()
    assert not await deputy.hand_over(later)


@pytest.mark.parametrize(
    ("proposal", "unmet"),
    [
        (with_target(role="link"), "role"),
        (with_target(name="Upgrade", text="Upgrade"), "words"),
        (with_target(name="Keep plan"), "name"),
        (with_target(form=None), "form"),
        (with_target(form=replace(FORM, ticked=("I understand", "Insurance"))), "ticked"),
        (with_target(around="Standard plan, 99 USD."), "money"),
        (with_target(around="A fee of 15.49 USD applies."), "fee"),
        (with_target(frames=(SITE, "https://evil.example")), "frame"),
        (replace(PROPOSAL, situation=Situation(PageInfo("https://evil.example/", "x"))), "site"),
        (replace(PROPOSAL, targets=()), "button"),
    ],
)
async def test_a_standing_approval_says_no_to_anything_else(
    path: Path,
    saved: StandingApproval,
    approvals: Approvals,
    time: Time,
    proposal: Proposal,
    unmet: str,
) -> None:
    deputy = Deputy(path, TASK, time.clock)
    assert not await deputy.approve(approvals.propose(proposal, FINAL))
    assert unmet in deputy.why
    assert path.exists()


@pytest.mark.parametrize(
    "task",
    [
        replace(TASK, service="Other"),
        replace(TASK, account="bob@example.org"),
        replace(TASK, subscription="Premium"),
        replace(TASK, purpose="general"),
    ],
)
async def test_a_standing_approval_is_for_one_service_account_and_plan(
    path: Path, saved: StandingApproval, question: Question, time: Time, task: Task
) -> None:
    assert saved.unmet(question, task, time.clock)
    assert not await Deputy(path, task, time.clock).approve(question)


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict("ask", "money", "It costs money.", "money"),
        Verdict("ask", "delete", "It deletes the account.", "irreversible"),
        Verdict("ask", "leaves-sites", "It leaves the sites.", "move"),
    ],
)
def test_no_standing_approval_covers_money_deletion_or_other_sites(
    approvals: Approvals, saved: StandingApproval, time: Time, verdict: Verdict
) -> None:
    question = approvals.propose(PROPOSAL, verdict)
    assert saved.unmet(question, TASK, time.clock)
    with pytest.raises(Refused):
        StandingApproval.of(question, TASK, time.clock)


def test_no_standing_approval_is_made_where_there_is_a_fee(
    approvals: Approvals, time: Time
) -> None:
    question = approvals.propose(with_target(around="Cancellation fee: 20,00 €."), FINAL)
    with pytest.raises(Refused, match="fee: 20,00 €"):
        StandingApproval.of(question, TASK, time.clock)


@pytest.mark.parametrize("seconds", [DAY, DAY + 1, -1])
def test_f8_a_standing_approval_lasts_a_day_and_does_not_come_from_the_future(
    saved: StandingApproval, question: Question, time: Time, seconds: float
) -> None:
    time.date += seconds
    assert "day" in saved.unmet(question, TASK, time.clock)


def test_a_standing_approval_is_a_private_file_without_the_account_in_it(
    path: Path, saved: StandingApproval
) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert b"alice" not in path.read_bytes()


def test_p20_a_standing_approval_that_others_can_write_or_that_is_a_link_is_refused(
    path: Path, saved: StandingApproval
) -> None:
    path.chmod(0o666)
    with pytest.raises(Refused):
        StandingApproval.load(path)
    path.chmod(0o600)
    path.rename(path.with_suffix(".real"))
    path.symlink_to(path.with_suffix(".real"))
    with pytest.raises(Refused):
        StandingApproval.load(path)
    with pytest.raises(Refused):
        saved.save(path)


@pytest.mark.parametrize("text", ["", "{}", '{"service": 1}', "[" * 100_000, "\xff"])
def test_a_standing_approval_that_cannot_be_read_is_refused(
    path: Path, saved: StandingApproval, text: str
) -> None:
    path.write_text(text, encoding="latin-1")
    with pytest.raises(Refused, match="dry run"):
        StandingApproval.load(path)


def test_of_many_processes_one_uses_a_standing_approval(
    path: Path, saved: StandingApproval
) -> None:
    script = (
        "import sys; from pathlib import Path; from subterminator.safety.approval import spend_file;"
        "print('ready', flush=True); sys.stdin.readline(); print(spend_file(Path(sys.argv[1])))"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ),
        )
        for _ in range(4)
    ]
    for run in runs:
        assert run.stdout and run.stdout.readline() == "ready\n"
    answers = [run.communicate("go\n")[0].strip() for run in runs]
    assert sorted(answers) == ["False", "False", "False", "True"]
    assert not spend_file(path)

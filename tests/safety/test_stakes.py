"""The screen of the last step, without a browser."""

from __future__ import annotations

from msgspec.structs import replace

from subterminator.safety.approval import StandingApproval
from subterminator.safety.human import describe, masked
from subterminator.safety.redact import Redactor
from subterminator.safety.stakes import Stakes, page_lines
from subterminator.safety.task import Task
from tests.questions import CANCEL, PAY
from tests.safety.elements import element

STAKES = Stakes(
    plan="Standard",
    price="15.49 USD a month",
    renews="Next payment: 12 December 2026",
    account="al***@example.org",
    says=("Your plan ends on 12 December 2026.",),
    losses=("Unused credits are lost.",),
    fees=("45 USD",),
    declined=("50 % for 3 months", "A pause"),
    page=('heading "Cancel?"', 'button "Finish"'),
    sure="FINAL_CONFIRMATION 0.93 by pack netflix (checked 2026-10-02)",
    picture="/state/runs/r/artifacts/d",
)


def test_everything_is_listed_and_what_was_not_found_says_so() -> None:
    lines = describe(replace(CANCEL, stakes=STAKES, account="al***@example.org", service="netflix"))
    assert lines == [
        "[3/4] FINAL STEP - nothing has been cancelled yet",
        "Effect    It ends your membership.",
        '          The page says: "Your plan ends on 12 December 2026."',
        'Service   netflix  "Standard"  "15.49 USD a month"  account "al***@example.org"',
        'Site      www.example.com  https://www.example.com/cancel  "Cancel"',
        'Button    "Finish cancellation"',
        'Renews    "Next payment: 12 December 2026"',
        "You lose  Unused credits are lost.",
        'Fee       "45 USD"',
        "Money     none found",
        "Ticked    none",
        'Declined  2 offers: "50 % for 3 months", "A pause"',
        "Sure?     FINAL_CONFIRMATION 0.93 by pack netflix (checked 2026-10-02)",
        "Picture   /state/runs/r/artifacts/d",
        "Rule      final-cancel",
        "Answer    within 60 s; no answer means no",
    ]
    bare = "\n".join(describe(replace(CANCEL, stakes=Stakes())))
    for line in (
        "Service   account not found", "Renews    not found", "You lose  nothing else found",
        "Fee       none found", "Declined  no offer", "Sure?     not known",
    ):  # fmt: skip
        assert line in bare
    assert "Picture" not in bare


def test_what_costs_money_says_so_first_all_the_same() -> None:
    assert describe(replace(PAY, stakes=STAKES))[0].startswith("COSTS MONEY")


def test_the_page_in_words_is_for_who_asks() -> None:
    assert page_lines(STAKES) == ["The page:", '  heading "Cancel?"', '  button "Finish"']
    assert page_lines(Stakes()) == []


def test_nothing_private_of_a_page_gets_through() -> None:
    evil = replace(STAKES, says=("Mail to al.pine@example.org",), page=("4111 1111 1111 1111",))
    shown = masked(replace(CANCEL, stakes=evil), Redactor(b"k" * 32)).stakes
    assert shown is not None
    assert "al.pine" not in shown.says[0] and "4111" not in shown.page[0]
    assert shown.picture == STAKES.picture


def test_an_approval_file_is_bound_to_the_account_and_the_plan() -> None:
    task = Task("t", purpose="cancel", service="netflix")
    button = element("Finish cancellation")
    asked = replace(CANCEL, target=button, stakes=STAKES, account="al***@example.org")
    terms = StandingApproval.of(asked, task)
    assert terms.plan == "Standard"
    assert terms.unmet(asked, task) == ""
    other = replace(asked, stakes=replace(STAKES, plan="Premium"))
    assert "plan" in terms.unmet(other, task)
    assert "account" in terms.unmet(replace(asked, account="bo***@example.org"), task)

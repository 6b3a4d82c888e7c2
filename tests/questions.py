"""Questions as a session would ask them, without a browser."""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from subterminator.safety.human import Question

CANCEL = Question(
    id="cancel",
    job="job",
    action="click",
    effect="irreversible",
    reason="It ends your membership.",
    rule="final-cancel",
    url="https://www.example.com/cancel",
    title="Cancel",
    host="www.example.com",
    button="Finish cancellation",
    digest="d" * 64,
    seconds=60.0,
)
PAY = replace(CANCEL, id="pay", effect="money", button="Pay", money=("15.49 USD",), red="15.49 USD")
PASSWORD = replace(
    CANCEL,
    id="password",
    action="fill",
    effect="credential",
    reason="Only you may type into a password field.",
    rule="secret-field",
    button="",
    hand_over=True,
)


def asked(question: Question = CANCEL) -> Question:
    """The same question, asked once more."""
    return replace(question, id=secrets.token_hex(8), digest=secrets.token_hex(32))

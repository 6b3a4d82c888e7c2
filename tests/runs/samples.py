"""One event of every kind, each text of it filled with the same words."""

from __future__ import annotations

from subterminator.runs.events import (
    Answered,
    Asked,
    Closed,
    Decided,
    DialogFacts,
    Event,
    Fact,
    Field,
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
    Setting,
    TargetFacts,
    TaskFacts,
    Torn,
)

DIGEST = "0123456789abcdef" * 4


def every(words: str, value: str) -> list[Event]:
    """`words` in each text, name and address; `value` where a field of a page is spoken of."""
    target = TargetFacts(words, words, words, words, words)
    task = TaskFacts(words, words, words, words, words, words, (words,), words)
    facts, fields = (Fact(words, words),), (Field(words, value),)
    return [
        Opened(
            words, words, words, words, words, words, words, 60, task, (Setting(words, words),),
            words,
        ),
        Resumed(words),
        Looked(words, words, words, 12, words),
        Decided(words, "ask", words, "money", words, target, words),
        Asked(words, words, words, "money", words, words, target, facts, fields, 60.0),
        Answered(words, "yes", words),
        HandOver("ended", words, words, words, True),
        Intent(words, (target, target), words, words, value, words, words),
        Outcome(
            words, words, words, words, words, (words,), (words,), (DialogFacts(words, words, words),),
        ),
        LedgerMoved(words, words, 1, words, words),
        LimitHit(words, words),
        Kept(DIGEST, "text/plain", 12, words),
        Torn(12, words),
        Note(words),
        Closed(words, words),
    ]  # fmt: skip

"""What the lines of a page announce: that it goes on, has ended, or waits for somebody. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.packs.phrase import fold_name

LONGEST_LABEL = 4


def in_pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each line with the one that follows it."""
    return zip(lines, [*lines[1:], ""][: len(lines)], strict=True)


def find_renewal(lines: Sequence[str]) -> str:
    """A line that says when it renews or is charged next; a label takes its value along."""
    for line, following in in_pairs(lines):
        folded = fold_name(line)
        if not v.RENEWAL.search(folded) or _denied(folded):
            continue
        if not _is_label(line):
            return line
        value = fold_name(following)
        if not v.NOTHING_DUE.search(value) and any(map(str.isdigit, following)):
            return f"{line}: {following}"
    return ""


def find_over(lines: Sequence[str]) -> str:
    """The words that say that it has ended or will."""
    for line, following in in_pairs(lines):
        folded = fold_name(line)
        if v.OVER.search(folded) and not nuances.OF_A_CARD.search(folded):
            label = len(folded.split()) <= LONGEST_LABEL and any(map(str.isdigit, following))
            return f"{line}: {following}" if label else line
    return ""


def find_settled(lines: Sequence[str]) -> str:
    """The words that say the same and need no other sign; a label of one word has its value."""
    for line, following in in_pairs(lines):
        folded = fold_name(line)
        if len(folded.split()) == 1:
            folded = f"{folded}{fold_name(following).lstrip()}"
        if nuances.SETTLED.search(folded) and not nuances.OF_A_CARD.search(folded):
            return line if len(line.split()) > 1 else f"{line}: {following}"
    return ""


def find_received(lines: Sequence[str]) -> str:
    """The words that say that the wish to leave has arrived and is not granted yet."""
    return next((line for line in lines if nuances.RECEIVED.search(fold_name(line))), "")


def find_nothing_due(lines: Sequence[str]) -> str:
    """The label of the next payment with a value that says that there is none."""
    for line, following in in_pairs(lines):
        value = fold_name(following)
        if _is_label(line) and v.RENEWAL.search(fold_name(line)) and v.NOTHING_DUE.search(value):
            return f"{line}: {following}" if len(value.split()) <= LONGEST_LABEL else ""
    return ""


def _is_label(line: str) -> bool:
    return len(fold_name(line).split()) <= LONGEST_LABEL and not any(map(str.isdigit, line))


def _denied(folded: str) -> bool:
    """`will not renew`, `renewal is off`: what a line names does not happen."""
    return bool(v.words("not", "won t", "never", "off", "no longer", "nicht", "ne", "no", "non",
                        "plus aucun", "sans", "sin", "ohne", "senza", "nessun", "aucun", "kein\\w*")
                .search(folded)) and bool(v.RENEWAL.search(folded))  # fmt: skip

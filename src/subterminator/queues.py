"""Several cancellations one after the other: what was chosen, and what came of each.

It is kept in the state folder, so that a queue that was stopped can be gone on with. It runs
nothing itself.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents.outcome import TaskResult
from subterminator.config import private_folder
from subterminator.errors import InvalidParams
from subterminator.packs.model import Outcome
from subterminator.runs.proof import ENDED
from subterminator.safety.files import check_private, write_private
from subterminator.statements.routes import Errand, How

FILE = "queue.json"
LARGEST = 4 * 1024 * 1024
MONTHS = 12
CENT = Decimal("0.01")
# How a summary speaks of an outcome, in the order of the sentence.
WORDS: dict[Outcome, str] = {
    "cancelled": "cancelled and proven",
    "already_cancelled": "cancelled before",
    "pending": "pending, to be confirmed by you",
    "unverified": "pressed but not proven",
    "third_party": "to end where it is billed",
    "manual_required": "to end by letter or call",
    "stopped": "stopped",
    "failed": "failed",
}


class Entry(Struct, frozen=True, kw_only=True):
    """One of the queue. `outcome` is None until it was run; `next_steps` are then for the person.

    `proof` is the folder of its proof, if one was written.
    """

    key: str
    service: str
    pack: str
    how: How
    yearly: Decimal
    currency: str
    outcome: Outcome | None = None
    success: bool = False
    proof: str = ""
    at: str = ""
    next_steps: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        return self.outcome in ENDED and self.success


class Queue:
    """The file. A queue that was begun anew forgets what is still open, not what was done."""

    def __init__(self, state_dir: str) -> None:
        self._path = Path(state_dir) / FILE

    def entries(self) -> tuple[Entry, ...]:
        """All that was ever chosen, each as it stands."""
        if not check_private(self._path):
            return ()
        try:
            with self._path.open("rb") as file:
                return msgspec.json.decode(file.read(LARGEST), type=tuple[Entry, ...])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise InvalidParams(
                f"{self._path} cannot be read: {fault}.",
                next_step="Move it away; nothing but the memory of the queue is lost.",
            ) from fault

    def begin(self, errands: Iterable[Errand]) -> tuple[Entry, ...]:
        """Put these in the queue, and say so on the disk before the first is run."""
        fresh = tuple(_entry(errand) for errand in errands)
        keys = {entry.key for entry in fresh}
        kept = (e for e in self.entries() if e.outcome is not None and e.key not in keys)
        self._write((*kept, *fresh))
        return fresh

    def settle(self, entry: Entry, result: TaskResult) -> Entry:
        """Remember what came of one."""
        settled = replace(
            entry,
            outcome=result.outcome,
            success=result.success,
            proof=result.proof,
            at=datetime.now(UTC).date().isoformat(),
            next_steps=result.next_steps,
        )
        self._write(tuple(settled if e.key == entry.key else e for e in self.entries()))
        return settled

    def _write(self, entries: Sequence[Entry]) -> None:
        private_folder(str(self._path.parent))
        write_private(self._path, msgspec.json.encode(entries))


def key_of(errand: Errand) -> str:
    """The same subscription in the next statement has the same key."""
    words = "\n".join((errand.pack, errand.service, errand.payer, errand.seen_as))
    return hashlib.sha256(words.encode()).hexdigest()[:24]


def subscription_of(errand: Errand, all_of_them: Sequence[Errand]) -> str:
    """What tells it apart from others that are ended at the same place; empty if nothing is."""
    beside = [each for each in all_of_them if each.pack == errand.pack]
    if errand.how == "store":
        return errand.service
    return f"{errand.service} {errand.price:.2f}" if len(beside) > 1 else ""


def summary(entries: Sequence[Entry]) -> str:
    """`3 cancelled and proven, 1 pending ...; 47.96 USD a month stopped.`"""
    counts = Counter(_outcome(entry) for entry in entries if entry.outcome)
    told = [f"{counts[outcome]} {words}" for outcome, words in WORDS.items() if counts[outcome]]
    if left := sum(entry.outcome is None for entry in entries):
        told.append(f"{left} not begun")
    return f"{', '.join(told) or 'Nothing was done'}; {_stopped(entries)}."


def _outcome(entry: Entry) -> Outcome | None:
    """A claim without its proof is no success."""
    return "unverified" if entry.outcome in ENDED and not entry.success else entry.outcome


def _stopped(entries: Sequence[Entry]) -> str:
    totals: dict[str, Decimal] = {}
    for entry in entries:
        if entry.outcome == "cancelled" and entry.success:
            totals[entry.currency] = totals.get(entry.currency, Decimal(0)) + entry.yearly
    parts = [
        f"{(total / MONTHS).quantize(CENT)} {currency}".strip()
        for currency, total in totals.items()
    ]
    return f"{' and '.join(parts)} a month stopped" if parts else "nothing stopped yet"


def _entry(errand: Errand) -> Entry:
    return Entry(
        key=key_of(errand),
        service=errand.service,
        pack=errand.pack,
        how=errand.how,
        yearly=errand.yearly,
        currency=errand.currency,
    )

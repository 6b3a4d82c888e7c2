"""At most one press for each thing that cannot be undone, whatever crashes. Presses nothing itself.

    PROPOSED -> APPROVED -> ARMED -> FIRED -> CONFIRMED | UNKNOWN        before FIRED: -> REVOKED

Each arrow is one compare-and-swap, committed to the disk before the call returns; who loses it does
not press. The calls block for about a millisecond, as long as the disk takes: in async code use
`asyncio.to_thread`. If that is cancelled the swap may still be made, but nothing is pressed.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import astuple, replace

from subterminator.errors import NotPressed
from subterminator.safety.clock import CLOCK, Clock, Deadline
from subterminator.safety.owner import is_alive, this_process
from subterminator.safety.storage import FIELDS, KEY, Storage
from subterminator.safety.task import Task

State = Literal["PROPOSED", "APPROVED", "ARMED", "FIRED", "CONFIRMED", "UNKNOWN", "REVOKED"]
UNPRESSED = ("PROPOSED", "APPROVED", "ARMED")
# How long what is armed may be fired, and a proposal may wait for the person.
ARMED_SECONDS = 20.0
PROPOSED_SECONDS = 600.0
# After this even a process that still runs has no more to verify what it fired.
DAY = 86_400.0
VERIFIED_SECONDS = 600.0
LONGEST_NOTE = 500


class Key(Struct, frozen=True):
    """What may happen once: the end of a subscription, or what one approval was given for."""

    service: str = ""
    account: str = ""
    subscription: str = ""
    period: str = ""
    job: str = ""
    approval: str = ""


def account_hash(hint: str) -> str:
    return hashlib.sha256(hint.strip().casefold().encode()).hexdigest()


def key_for(task: Task, effect: str, digest: str) -> Key:
    """A final cancel is one per subscription and period; all else is one per approval."""
    if task.purpose == "cancel" and effect == "irreversible":
        words = (task.service, task.subscription, task.period)
        service, subscription, period = (" ".join(word.casefold().split()) for word in words)
        return Key(service, account_hash(task.account), subscription, period)
    return Key(job=task.id, approval=digest)


class Claim(Struct, frozen=True):
    """What one owner holds of one row; out of date, and useless, once the row has moved on."""

    row: int
    key: Key
    state: State
    owner: str
    epoch: int
    digest: str = ""
    deadline: Deadline = Deadline()


class Row(Struct, frozen=True):
    """One line of the ledger. `epoch` counts how often it was proposed."""

    row: int
    key: Key
    state: State
    owner: str
    epoch: int
    digest: str
    not_after: float
    note: str
    changed: float


class Ledger:
    """The file in the state folder. One for a process; it may be used from several threads."""

    def __init__(
        self,
        folder: Path,
        *,
        clock: Clock = CLOCK,
        alive: Callable[[str], bool] = is_alive,
        busy_seconds: float = 2.0,
    ) -> None:
        self._clock = clock
        self._alive = alive
        self._storage = Storage(folder, clock, busy_seconds)
        self._owner = this_process()

    def close(self) -> None:
        self._storage.close()

    # Towards the press

    def propose(self, key: Key, seconds: float = PROPOSED_SECONDS) -> Claim:
        """Begin; refused while another run is at it, and once it was pressed."""
        row = self._find(key)
        if row is None:
            return self._insert(key, seconds)
        if row.state in UNPRESSED and not self._is_free(row):
            raise NotPressed(
                "Another run is at it.", next_step="Wait until that run has ended, then ask again."
            )
        if row.state not in (*UNPRESSED, "REVOKED"):
            raise _pressed_before(row)
        return self._begin_anew(row, seconds, "proposed again")

    def approve(self, claim: Claim, digest: str) -> Claim:
        """The person said yes to exactly this; the digest of an earlier press does not count."""
        if not digest or self._select("history", "state = 'FIRED' AND digest = ?", digest):
            raise NotPressed("This approval is none, or was used before.", next_step="Ask again.")
        return self._advance(claim, "PROPOSED", replace(claim, state="APPROVED", digest=digest))

    def arm(self, claim: Claim, seconds: float = ARMED_SECONDS) -> Claim:
        deadline = self._clock.deadline(seconds)
        return self._advance(claim, "APPROVED", replace(claim, state="ARMED", deadline=deadline))

    def fire(self, claim: Claim) -> Claim:
        """The last step before the press. Press only if this returns, at once, and once."""
        fired = self._advance(claim, "ARMED", replace(claim, state="FIRED"))
        # The disk may have taken its time, and a stopped process wakes up late.
        if not self.is_in_time(fired):
            self.doubt(fired, "not pressed: its time was over")
            raise NotPressed("Its time was over.")
        return fired

    def is_in_time(self, claim: Claim) -> bool:
        """Ask right before the press: a process that was stopped must not press late."""
        return not claim.deadline.passed(self._clock)

    # After the press, or instead of it

    def confirm(self, claim: Claim, evidence: str) -> Claim:
        """Fresh evidence shows that it worked."""
        self._expect(claim, "FIRED", "UNKNOWN")
        return self._swap(claim, replace(claim, state="CONFIRMED"), evidence)

    def doubt(self, claim: Claim, reason: str) -> Claim:
        """It may have been pressed, and nothing shows what came of it."""
        self._expect(claim, "FIRED")
        return self._swap(claim, replace(claim, state="UNKNOWN"), reason)

    def revoke(self, claim: Claim, reason: str) -> Claim:
        """It was not pressed and will not be."""
        self._expect(claim, *UNPRESSED)
        return self._swap(claim, replace(claim, state="REVOKED"), reason)

    def reopen(self, key: Key, evidence: str, seconds: float = PROPOSED_SECONDS) -> Claim:
        """Propose what was pressed before, because something seen since shows it still open.

        Who has fired it and sees that a further press is needed, doubts it first.
        """
        row = self._find(key)
        if row is None or row.state not in ("FIRED", "UNKNOWN", "CONFIRMED"):
            return self.propose(key, seconds)
        if row.state == "FIRED" and not self._is_overdue(row):
            raise NotPressed("A run still verifies it.", next_step="Wait until it has ended.")
        note = evidence.strip()[:LONGEST_NOTE]
        if not note or self._select("history", "id = ? AND note = ?", row.row, note):
            raise NotPressed(
                "It was pressed before, and nothing new shows that it is still open.",
                next_step="Load the account page anew and say what it shows.",
            )
        return self._begin_anew(row, seconds, note)

    # Recovery

    def recover(self) -> tuple[Row, ...]:
        """Revoke what dead or late processes left unpressed; the rows that were."""
        revoked = []
        for row in self.rows():
            if row.state in UNPRESSED and self._is_free(row):
                held = _held(row)
                try:
                    self._swap(held, replace(held, state="REVOKED"), "left unpressed")
                except NotPressed:
                    continue  # It moved on in this moment: it was not left, or is revoked.
                revoked.append(row)
        return tuple(revoked)

    def to_verify(self) -> tuple[Row, ...]:
        """What may have been pressed by a process that can no longer say so."""
        return tuple(row for row in self.rows() if self._is_overdue(row))

    def adopt(self, row: Row) -> Claim:
        """Take over what `to_verify` named, or what is unknown: to verify it, never to press."""
        if row.state != "UNKNOWN" and not self._is_overdue(row):
            raise NotPressed("There is nothing to verify, or another run does.")
        held = _held(row)
        # Its time is over from the start: nobody can press with it.
        then = replace(held, owner=self._owner, deadline=self._clock.deadline(0))
        return self._swap(held, then, row.note)

    # Reading

    def rows(self) -> tuple[Row, ...]:
        return self._select("presses", "1")

    def history(self) -> tuple[Row, ...]:
        """Every state that every row was in, oldest first."""
        return self._select("history", "1")

    def forget(self, days: float) -> int:
        """Forget what ended more than so many days ago. What is unknown stays."""
        before = self._clock.wall() - days * DAY
        ended = "state IN ('CONFIRMED', 'REVOKED') AND changed < ?"
        with self._storage.transaction() as database:
            database.execute(
                f"DELETE FROM history WHERE id IN (SELECT id FROM presses WHERE {ended})", (before,)
            )
            return database.execute(f"DELETE FROM presses WHERE {ended}", (before,)).rowcount

    def _find(self, key: Key) -> Row | None:
        where = " AND ".join(f"{name} = ?" for name in KEY)
        found = self._select("presses", where, *astuple(key))
        return found[0] if found else None

    def _select(self, table: str, where: str, *values: str | int) -> tuple[Row, ...]:
        with self._storage.transaction() as database:
            found = database.execute(
                f"SELECT id, {', '.join(KEY)}, {', '.join(FIELDS)} FROM {table} WHERE {where} "
                "ORDER BY rowid",
                values,
            ).fetchall()
        return tuple(Row(row[0], Key(*row[1:7]), *row[7:]) for row in found)

    # Swapping

    def _advance(self, claim: Claim, state: State, then: Claim) -> Claim:
        self._expect(claim, state)
        if not self.is_in_time(claim):
            raise NotPressed("Its time is over.")
        return self._swap(claim, then, "", in_time=True)

    def _expect(self, claim: Claim, *states: str) -> None:
        if claim.state not in states:
            raise NotPressed(f"It is {claim.state}, not {' or '.join(states)}.")

    def _begin_anew(self, row: Row, seconds: float, note: str) -> Claim:
        deadline = self._clock.deadline(seconds)
        then = Claim(row.row, row.key, "PROPOSED", self._owner, row.epoch + 1, deadline=deadline)
        return self._swap(_held(row), then, note)

    def _insert(self, key: Key, seconds: float) -> Claim:
        deadline = self._clock.deadline(seconds)
        columns = (*KEY, *FIELDS)
        try:
            with self._storage.transaction() as database:
                done = database.execute(
                    f"INSERT INTO presses ({', '.join(columns)}) "
                    f"VALUES ({', '.join('?' * len(columns))})",
                    (*astuple(key), "PROPOSED", self._owner, 1, "", deadline.wall, "",
                     self._clock.wall()),
                )  # fmt: skip
                row = done.lastrowid
                assert row is not None
                _remember(database, row)
        except sqlite3.IntegrityError as fault:
            raise NotPressed("Another run was first.") from fault
        return Claim(row, key, "PROPOSED", self._owner, 1, deadline=deadline)

    def _swap(self, held: Claim, then: Claim, note: str, *, in_time: bool = False) -> Claim:
        """The one statement that all rests on: who does not hold the row as it is, loses."""
        values = (
            then.state, then.owner, then.epoch, then.digest, then.deadline.wall,
            note[:LONGEST_NOTE],
        )  # fmt: skip
        try:
            with self._storage.transaction() as database:
                # Read only here: the wait for the lock counts.
                now = self._clock.wall()
                done = database.execute(
                    "UPDATE presses SET state = ?, owner = ?, epoch = ?, digest = ?, not_after = ?,"
                    " note = ?, changed = ? WHERE id = ? AND state = ? AND owner = ? AND epoch = ?"
                    " AND digest = ? AND not_after > ?",
                    (*values, now, held.row, held.state, held.owner, held.epoch, held.digest,
                     now if in_time else -1.0),
                )  # fmt: skip
                if done.rowcount != 1:
                    raise NotPressed(f"It is no longer {held.state} here, or its time is over.")
                if then.state != held.state:
                    _remember(database, held.row)
        except sqlite3.IntegrityError as fault:
            raise NotPressed("This approval was used before.", next_step="Ask again.") from fault
        return then

    # Who is gone

    def _is_free(self, row: Row) -> bool:
        """What is late cannot be fired any more, so it may be taken even from who still runs."""
        return row.not_after <= self._clock.wall() or not self._alive(row.owner)

    def _is_overdue(self, row: Row) -> bool:
        if row.state != "FIRED":
            return False
        late = row.not_after + VERIFIED_SECONDS <= self._clock.wall()
        return late or not self._alive(row.owner)


def _held(row: Row) -> Claim:
    """What the owner of a row holds: who can name all of it may swap it."""
    deadline = Deadline(wall=row.not_after)
    return Claim(row.row, row.key, row.state, row.owner, row.epoch, row.digest, deadline)


def _remember(database: sqlite3.Connection, row: int) -> None:
    database.execute("INSERT INTO history SELECT * FROM presses WHERE id = ?", (row,))


def _pressed_before(row: Row) -> NotPressed:
    match row.state:
        case "CONFIRMED":
            return NotPressed(
                f"It was pressed before, and it worked: {row.note or 'no note'}.",
                next_step="There is nothing to do, unless the account page shows it still open.",
            )
        case "UNKNOWN":
            return NotPressed(f"It may have been pressed before: {row.note or 'no note'}.")
        case _:
            return NotPressed("It was pressed before, and what came of it is not verified yet.")

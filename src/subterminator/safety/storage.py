"""The file under the ledger: private, whole, on the disk at every commit, or refused."""

from __future__ import annotations

import os
import shlex
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from subterminator.config import private_folder
from subterminator.errors import LedgerUnusable
from subterminator.safety.clock import Clock
from subterminator.safety.files import check_private, sync_folder, write_private

NAME = "ledger.sqlite"
VERSION = 1
APPLICATION = 0x53554254
KEY = ("service", "account", "subscription", "period", "job", "approval")
FIELDS = ("state", "owner", "epoch", "digest", "not_after", "note", "changed")
COLUMNS = """
    service TEXT NOT NULL, account TEXT NOT NULL, subscription TEXT NOT NULL, period TEXT NOT NULL,
    job TEXT NOT NULL, approval TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('PROPOSED',
    'APPROVED', 'ARMED', 'FIRED', 'CONFIRMED', 'UNKNOWN', 'REVOKED')), owner TEXT NOT NULL,
    epoch INTEGER NOT NULL, digest TEXT NOT NULL, not_after REAL NOT NULL, note TEXT NOT NULL,
    changed REAL NOT NULL
"""
SCHEMA = f"""
    PRAGMA journal_mode = WAL;
    PRAGMA application_id = {APPLICATION};
    BEGIN;
    CREATE TABLE presses (id INTEGER PRIMARY KEY AUTOINCREMENT, {COLUMNS},
                          UNIQUE ({", ".join(KEY)}));
    CREATE TABLE history (id INTEGER NOT NULL, {COLUMNS});
    CREATE UNIQUE INDEX one_press_per_approval ON history (digest) WHERE state = 'FIRED';
    PRAGMA user_version = {VERSION};
    COMMIT;
"""
# In this mode a commit is one write and one flush, and on the disk when it returns; the other modes
# need three, and may lose the last commit with the power. Files beside it get its own mode, 0600.
SETTINGS = """
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
"""
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Storage:
    """One connection to the file, for one process."""

    def __init__(self, folder: Path, clock: Clock, busy_seconds: float) -> None:
        self._clock = clock
        self._path = private_folder(str(folder)).absolute() / NAME
        # One transaction at a time: a connection has only one, and threads share this one.
        self._turn = threading.Lock()
        self._process = os.getpid()
        if not check_private(self._path):
            self._create()
        for beside in ("-wal", "-shm", "-journal"):
            check_private(self._path.with_name(NAME + beside))
        seen = os.stat(self._path)
        self._file = (seen.st_dev, seen.st_ino)
        try:
            self._database = sqlite3.connect(
                f"{self._path.as_uri()}?mode=rw",
                uri=True,
                timeout=busy_seconds,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.Error as fault:
            raise self._explain(fault) from fault
        try:
            self._check()
        except sqlite3.Error as fault:
            self._database.close()
            raise self._explain(fault) from fault
        except LedgerUnusable:
            self._database.close()
            raise

    def close(self) -> None:
        with self._turn:
            self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; what is read in it nobody changes meanwhile."""
        with self._turn:
            self._check_place()
            try:
                self._database.execute("BEGIN IMMEDIATE")
                yield self._database
                self._database.execute("COMMIT")
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as fault:
                raise self._explain(fault) from fault
            finally:
                self._roll_back()

    def _roll_back(self) -> None:
        if self._process == os.getpid() and self._is_open() and self._database.in_transaction:
            try:
                self._database.execute("ROLLBACK")
            except sqlite3.Error:
                return  # What is not committed is undone by whoever opens the file next.

    def _is_open(self) -> bool:
        try:
            return self._database.total_changes >= 0
        except sqlite3.ProgrammingError:
            return False

    def _create(self) -> None:
        """Whole or not at all: another process sees no ledger, or one that can be used."""
        try:
            handle, name = tempfile.mkstemp(prefix=f".{NAME}.", dir=self._path.parent)
            os.close(handle)
            try:
                with closing(sqlite3.connect(name, isolation_level=None)) as database:
                    database.executescript(SETTINGS + SCHEMA)
                os.link(name, self._path)
            except FileExistsError:
                return  # Another process was first; its ledger is as good.
            finally:
                for beside in ("", "-wal", "-shm", "-journal"):
                    Path(name + beside).unlink(missing_ok=True)
            sync_folder(self._path.parent)
        except (OSError, sqlite3.Error) as fault:
            raise LedgerUnusable(f"{self._path} cannot be made: {fault}.") from fault

    # What can be wrong with it

    def _check(self) -> None:
        self._database.executescript(SETTINGS)
        application = self._pragma("application_id")
        version = self._pragma("user_version")
        if self._pragma("quick_check") != "ok" or application != APPLICATION:
            raise self._damaged("is damaged or no ledger")
        if version != VERSION:
            age = "a newer" if isinstance(version, int) and version > VERSION else "an older"
            raise LedgerUnusable(
                f"{self._path} was written by {age} version of this program.",
                next_step="Nothing was pressed. Use that version, or move the file away.",
            )

    def _pragma(self, name: str) -> int | str:
        value: int | str = self._database.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    def _check_place(self) -> None:
        """A file that was moved away would be written by us and read by nobody."""
        if self._process != os.getpid():
            raise LedgerUnusable("A ledger cannot be used in a process that was forked off.")
        try:
            seen = os.stat(self._path)
        except OSError as fault:
            raise LedgerUnusable(f"{self._path} is gone: {fault.strerror}.") from fault
        if (seen.st_dev, seen.st_ino) != self._file:
            raise LedgerUnusable(f"{self._path} was replaced while it was in use.")

    def _explain(self, fault: sqlite3.Error) -> LedgerUnusable:
        # What Python itself objects to has no such number.
        code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
        if code in DAMAGE:
            return self._damaged(f"is damaged ({fault})")
        if code in BUSY:
            return LedgerUnusable(
                f"Another program holds {self._path}.",
                next_step="Nothing was pressed. Close that program, then try again.",
            )
        if code == sqlite3.SQLITE_FULL:
            return LedgerUnusable(
                f"There is no room on the disk of {self._path}.",
                next_step="Nothing was pressed. Make room, then try again.",
            )
        return LedgerUnusable(f"{self._path} cannot be used: {fault}.")

    def _damaged(self, problem: str) -> LedgerUnusable:
        try:
            kept = f"A copy is kept as {self._keep_copy()}."
        except OSError as fault:
            kept = f"A copy could not be made: {fault.strerror}."
        advice = "Look at your account pages for what was pressed before, then move the file away."
        if not self._path.stat().st_size:
            # Whether it ever held anything cannot be seen; only its owner knows.
            problem = "is empty, which a ledger never is"
            advice = (
                f"If nothing was ever pressed here, remove it: rm {shlex.quote(str(self._path))}"
            )
        return LedgerUnusable(
            f"{self._path} {problem}. {kept}", next_step=f"Nothing was pressed. {advice}"
        )

    def _keep_copy(self) -> Path:
        data = self._path.read_bytes()
        for earlier in self._path.parent.glob("ledger.damaged-*.sqlite"):
            if earlier.read_bytes() == data:
                return earlier
        moment = datetime.fromtimestamp(self._clock.wall(), UTC)
        copy = self._path.with_name(f"ledger.damaged-{moment:%Y%m%dT%H%M%SZ}.sqlite")
        write_private(copy, data)
        beside = self._path.with_name(f"{NAME}-wal")
        if beside.exists():
            write_private(copy.with_name(f"{copy.name}-wal"), beside.read_bytes())
        return copy

"""The record: private, safe, and honest about what it could not write."""

from __future__ import annotations

import os
import random
import resource
import select
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from subterminator.errors import InvalidParams, RecordFailed, Refused
from subterminator.runs.chain import examined
from subterminator.runs.events import (
    Closed,
    Decided,
    Intent,
    Kept,
    Note,
    Outcome,
    TargetFacts,
    Torn,
)
from subterminator.runs.record import ARTIFACTS, EVENTS_FILE, FileRecord, MemoryRecord
from subterminator.runs.store import Store
from subterminator.safety.redact import Redactor
from tests.runs.canaries import CARD, PAGE, PASSWORD, leaks
from tests.runs.samples import every

RUN = "2026-11-15T101530-example-k3f9aa"
PNG = b"\x89PNG\r\n\x1a\n"
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path / RUN


@pytest.fixture
def record(folder: Path) -> Iterator[FileRecord]:
    made = FileRecord.create(folder, Redactor(b"key"))
    yield made
    made.close("test")


def content(folder: Path) -> bytes:
    return (folder / EVENTS_FILE).read_bytes()


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Files can grow to so many bytes and no further."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_is_appended_is_at_once_in_the_file(record: FileRecord, folder: Path) -> None:
    record.append(Note("one"))
    record.append_durably(Note("two"))
    seen = examined(content(folder), RUN)
    assert [line.event for line in seen.lines] == [Note("one"), Note("two")]
    record.close("done")
    record.close("again")
    assert examined(content(folder), RUN).lines[-1].event == Closed("done")
    with pytest.raises(RecordFailed, match="is closed"):
        record.append(Note("three"))


def test_d1_no_byte_of_a_record_holds_a_planted_secret(record: FileRecord, folder: Path) -> None:
    for event in every(PAGE, PASSWORD):
        record.append(event)
    record.keep(PAGE, "text/plain", PAGE)
    record.keep(f'{{"text": "{CARD}"}}', "application/json")
    assert leaks(folder) == []
    assert examined(content(folder), RUN).state == "intact"


def test_d1_memory_is_as_safe_as_a_file() -> None:
    memory = MemoryRecord()
    for event in every(PAGE, PASSWORD):
        memory.append_durably(event)
    assert CARD not in str(memory.events) and PASSWORD not in str(memory.events)
    digest = memory.keep(PNG, "image/png")
    memory.close("done")
    assert list(memory.events)[-2:] == [Kept(digest, "image/png", len(PNG)), Closed("done")]


def test_an_artifact_is_stored_once_under_its_digest(record: FileRecord, folder: Path) -> None:
    first = record.keep(PNG, "image/png", "the button")
    assert record.keep(PNG, "image/png") == first
    assert [path.name for path in (folder / ARTIFACTS).iterdir()] == [first]
    assert (folder / ARTIFACTS / first).read_bytes() == PNG
    text = record.keep("write to alice@example.org", "text/plain")
    assert b"alice" not in (folder / ARTIFACTS / text).read_bytes()


def test_only_pictures_are_stored_as_they_are(record: FileRecord) -> None:
    with pytest.raises(InvalidParams):
        record.keep(b"text", "text/plain")
    with pytest.raises(InvalidParams):
        record.keep("text", "image/png")


# Private


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_d2_files_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        record = Store(tmp_path / "state").create("example") if umask != 0o777 else None
        made = record or FileRecord.create(tmp_path / "run", Redactor(b"key"))
        made.append(Note("x"))
        made.keep("text", "text/plain")
        made.close("done")
    finally:
        os.umask(before)
    for path in made.folder.parent.rglob("*"):
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == 0o700 if path.is_dir() else mode & ~0o600 == 0, path
    assert stat.S_IMODE((made.folder / EVENTS_FILE).stat().st_mode) == 0o600


def test_p20_a_planted_folder_file_or_link_is_not_written_to(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    folder.symlink_to(elsewhere)
    with pytest.raises(RecordFailed):
        FileRecord.create(folder, Redactor(b"key"))
    with pytest.raises(Refused, match="not a folder"):
        FileRecord.resume(folder, Redactor(b"key"))
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("name", [EVENTS_FILE, "lock"])
def test_p20_a_record_is_not_gone_on_with_through_a_link(
    record: FileRecord, folder: Path, tmp_path: Path, name: str
) -> None:
    record.close("done")
    (folder / name).rename(tmp_path / "real")
    (folder / name).symlink_to(tmp_path / "real")
    before = (tmp_path / "real").read_bytes()
    with pytest.raises(Refused, match="not a plain file"):
        FileRecord.resume(folder, Redactor(b"key"))
    assert (tmp_path / "real").read_bytes() == before


def test_p20_an_artifact_is_not_written_through_a_link(
    record: FileRecord, folder: Path, tmp_path: Path
) -> None:
    digest = record.keep(PNG, "image/png")
    (folder / ARTIFACTS / digest).unlink()
    (folder / ARTIFACTS / digest).symlink_to(tmp_path / "victim")
    with pytest.raises(Refused, match="not a plain file"):
        record.keep(PNG, "image/png")
    assert not (tmp_path / "victim").exists()


@pytest.mark.parametrize("name", ["", EVENTS_FILE, "lock"])
def test_p20_what_others_can_read_is_refused_with_the_cure(
    record: FileRecord, folder: Path, name: str
) -> None:
    record.close("done")
    (folder / name).chmod(0o755 if not name else 0o644)
    with pytest.raises(Refused, match="open to other users.*chmod"):
        FileRecord.resume(folder, Redactor(b"key"))


@as_root
@pytest.mark.parametrize("name", ["", EVENTS_FILE, "lock"])
def test_p20_what_belongs_to_another_user_is_refused(
    record: FileRecord, folder: Path, name: str
) -> None:
    record.close("done")
    os.chown(folder / name, 12345, 12345)
    with pytest.raises(Refused, match="belongs to another user"):
        FileRecord.resume(folder, Redactor(b"key"))


# Faults


def test_f7_a_full_disk_stops_the_record_for_good(record: FileRecord, folder: Path) -> None:
    record.append(Note("before"))
    with full_disk(len(content(folder)) + 100):
        with pytest.raises(RecordFailed, match="cannot be written.*File too large"):
            record.append(Note("x" * 200))
        assert len(content(folder).splitlines()[-1]) == 100
    for _ in range(2):
        with pytest.raises(RecordFailed, match="Make room"):
            record.append_durably(Intent("click"))
    record.close("done")
    seen = examined(content(folder), RUN)
    assert (seen.state, len(seen.lines)) == ("torn", 1)


def test_f7_a_full_disk_lets_no_half_artifact_stand(record: FileRecord, folder: Path) -> None:
    record.append(Note("before"))
    with full_disk(1000), pytest.raises(RecordFailed):
        record.keep(PNG * 1000, "image/png")
    assert list((folder / ARTIFACTS).iterdir()) == []


def test_f7_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RecordFailed, match="cannot be begun: No such file"):
        FileRecord.create(tmp_path / "missing" / RUN, Redactor(b"key"))


def test_d3_going_on_after_a_half_line_marks_it(record: FileRecord, folder: Path) -> None:
    record.append(Note("whole"))
    record.append(Note("half"))
    record.close("done")
    lines = content(folder).splitlines(keepends=True)
    (folder / EVENTS_FILE).write_bytes(lines[0] + lines[1][:50])
    again = FileRecord.resume(folder, Redactor(b"key"))
    again.append(Note("after"))
    again.close("done")
    seen = examined(content(folder), RUN)
    assert (seen.state, seen.torn) == ("intact", 1)
    events = [line.event for line in seen.lines]
    assert events[0] == Note("whole") and isinstance(events[1], Torn) and events[2] == Note("after")


def test_d3_a_lost_line_end_is_mended(record: FileRecord, folder: Path) -> None:
    record.append(Note("whole"))
    record.close("done")
    (folder / EVENTS_FILE).write_bytes(content(folder).removesuffix(b"\n"))
    again = FileRecord.resume(folder, Redactor(b"key"))
    again.close("done")
    assert [type(line.event) for line in examined(content(folder), RUN).lines] == [
        Note, Closed, Closed
    ]  # fmt: skip


def test_an_altered_record_is_not_gone_on_with(record: FileRecord, folder: Path) -> None:
    record.append(Note("truth"))
    record.close("done")
    (folder / EVENTS_FILE).write_bytes(content(folder).replace(b"truth", b"false"))
    with pytest.raises(RecordFailed, match="Line 1 .* is not as it was written"):
        FileRecord.resume(folder, Redactor(b"key"))


def test_one_process_writes_a_record(record: FileRecord, folder: Path) -> None:
    with pytest.raises(RecordFailed, match="another process.*runs watch"):
        FileRecord.resume(folder, Redactor(b"key"))
    record.close("done")
    FileRecord.resume(folder, Redactor(b"key")).close("done")


WRITER = """
import sys
from subterminator.runs.events import Closed, Kept
from subterminator.runs.store import Store
from tests.runs.canaries import PAGE, PASSWORD
from tests.runs.samples import every
store = Store(sys.argv[1])
record = store.resume(store.ids()[-1]) if store.ids() else store.create("example")
print("begun", flush=True)
while True:
    for event in every(PAGE, PASSWORD):
        if not isinstance(event, Closed | Kept):
            record.append(event)
    record.keep(PAGE, "text/plain")
"""


def test_d3_killed_again_and_again_in_the_middle_it_leaks_nothing_and_goes_on(
    tmp_path: Path,
) -> None:
    rounds = 5
    for _ in range(rounds):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "state")],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        assert writer.stdout and writer.stdout.readline() == b"begun\n"
        # The pipe stays silent: this is only a moment of unknown length.
        select.select([writer.stdout], [], [], random.uniform(0, 0.08))
        writer.kill()
        writer.wait()
        writer.stdout.close()
    store = Store(tmp_path / "state")
    (run,) = store.ids()
    verified = store.verify(run)
    assert verified.ok, verified
    assert not verified.live and not verified.closed
    assert leaks(tmp_path) == []
    record = store.resume(run)
    record.close("done")
    assert store.verify(run).state == "intact"


def test_a_line_costs_little(record: FileRecord) -> None:
    target = TargetFacts("@e12", "button", "Finish Cancellation", "www.example.com")
    events = (
        Decided("click", "ask", "final-cancel", "irreversible", "Ends 12 Dec 2026.", target),
        Intent("click", (target,), "ab" * 32, "final-cancel"),
        Outcome("click", settled="quiet", address="https://www.example.com/cancel?x=1"),
    )
    begun = time.process_time()
    for _ in range(300):
        for event in events:
            record.append(event)
    each = (time.process_time() - begun) / 900
    print(f"one line of a record: {each * 1000:.3f} ms CPU")
    assert each < 0.001

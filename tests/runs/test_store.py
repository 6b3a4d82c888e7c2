"""All runs together: named, found, read, checked, followed, removed."""

from __future__ import annotations

import asyncio
import os
import re
import textwrap
import time
from pathlib import Path

import pytest

from subterminator.errors import InvalidParams, RecordFailed, Refused
from subterminator.runs.events import Closed, Note, Opened, TaskFacts, name_of
from subterminator.runs.record import ARTIFACTS, EVENTS_FILE
from subterminator.runs.store import DAY, RUN_ID, Store, new_id
from tests.runs.samples import every

NOON = 1_794_744_930.0


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "state")


def made(store: Store, service: str = "example", at: float = NOON) -> str:
    record = store.create(service, clock=lambda: at)
    record.append(Opened(record.id, task=TaskFacts(service=service)))
    record.close("done")
    return record.id


def test_an_id_says_when_and_what_sorts_by_time_and_cannot_be_guessed() -> None:
    assert re.fullmatch(r"2026-11-15T121530-netflix-[0-9a-z]{6}", new_id("Netflix", NOON))
    assert new_id("a", NOON) < new_id("a", NOON + 1)
    assert len({new_id("a", NOON) for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("service", "name"),
    [
        ("", "run"),
        ("../../etc", "etc"),
        ("Die Zeit+ (Österreich)", "die-zeit-sterreich"),
        ("alice@example.org", "run"),
        ("order 4111111111111111", "run"),
        ("x" * 100, "x" * 24),
    ],
)
def test_a_service_s_name_makes_a_harmless_folder(service: str, name: str) -> None:
    run = new_id(service, NOON)
    assert RUN_ID.fullmatch(run)
    assert run[18:-7] == name


def test_without_runs_there_is_nothing_and_nothing_is_made(store: Store) -> None:
    assert (store.ids(), store.summaries(), store.purge()) == ([], [], [])
    assert not store.folder.exists()


def test_a_run_is_found_by_its_id_its_beginning_or_as_the_last(store: Store) -> None:
    first, second = made(store, at=NOON), made(store, at=NOON + 60)
    assert store.ids() == [first, second]
    assert store.find(first) == store.find(first[:17]) == first
    assert store.find("last") == second
    with pytest.raises(InvalidParams, match="2 runs begin with '2026'"):
        store.find("2026")
    for nothing in ("1999", "", "../x"):
        with pytest.raises(InvalidParams, match="There is no run"):
            store.find(nothing)


@pytest.mark.parametrize("name", ["..", "../state", "x", "2026-11-15T121530-a-b/../../..", ""])
def test_only_an_id_names_a_run(store: Store, name: str) -> None:
    made(store)
    for use in (store.read, store.remove, store.resume):
        with pytest.raises(InvalidParams, match="is not the id of a run"):
            use(name)


def test_a_list_tells_runs_that_ended_go_on_or_were_killed(store: Store) -> None:
    ended = made(store, at=NOON)
    live = store.create("live", clock=lambda: NOON + 1)
    live.append(Opened(live.id, task=TaskFacts(service="Live")))
    killed = made(store, at=NOON + 2)
    lines = (store.folder / killed / EVENTS_FILE).read_bytes().splitlines(keepends=True)
    (store.folder / killed / EVENTS_FILE).write_bytes(lines[0])
    (store.folder / killed / "lock").unlink()
    states = {summary.id: summary for summary in store.summaries()}
    live.close("done")
    assert [states[run].state for run in (ended, live.id, killed)] == ["closed", "live", "stopped"]
    assert (states[ended].reason, states[ended].lines) == ("done", 2)
    assert states[ended].began == "2026-11-15T12:15:30.000Z"
    assert states[live.id].service == "Live"


def test_p20_a_folder_that_is_a_link_or_open_to_others_is_told_not_read(
    store: Store, tmp_path: Path
) -> None:
    good, linked, open_to_all = (made(store, at=NOON + n) for n in range(3))
    (store.folder / linked).rename(tmp_path / "elsewhere")
    (store.folder / linked).symlink_to(tmp_path / "elsewhere")
    (store.folder / open_to_all).chmod(0o755)
    assert [summary.state for summary in store.summaries()] == [
        "closed",
        "unreadable",
        "unreadable",
    ]
    assert [store.verify(run).state for run in store.ids()] == [
        "intact",
        "unreadable",
        "unreadable",
    ]
    assert store.purge(0, now=time.time() + DAY) == [good]
    assert (tmp_path / "elsewhere" / EVENTS_FILE).exists()


def test_p20_the_folder_of_runs_itself_may_be_no_link(store: Store, tmp_path: Path) -> None:
    made(store)
    store.folder.rename(tmp_path / "elsewhere")
    store.folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="not a folder"):
        store.create("example")
    with pytest.raises(Refused, match="not a folder"):
        store.ids()


def test_p20_a_key_that_others_can_read_is_not_used(store: Store) -> None:
    made(store)
    (store.folder / ".key").chmod(0o644)
    with pytest.raises(Refused, match="open to other users"):
        store.create("example")


def test_d2_nothing_in_the_state_folder_is_for_others(store: Store, tmp_path: Path) -> None:
    record = store.create("example")
    record.keep("text", "text/plain")
    record.close("done")
    paths = [tmp_path / "state", *(tmp_path / "state").rglob("*")]
    assert len(paths) == 8
    for path in paths:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_placeholders_are_the_same_after_going_on_and_different_in_another_run(
    store: Store,
) -> None:
    record = store.create("example")
    placeholder = record.redactor.text("alice@example.org")
    record.close("crash")
    again = store.resume(record.id)
    again.close("done")
    assert again.redactor.text("alice@example.org") == placeholder
    other = store.create("example")
    other.close("done")
    assert other.redactor.text("alice@example.org") != placeholder


def test_verify_names_the_line_and_the_files_that_were_changed(store: Store) -> None:
    record = store.create("example")
    record.append(Note("one"))
    kept = record.keep("text", "text/plain")
    lost = record.keep("another", "text/plain")
    record.close("done")
    assert store.verify(record.id).ok
    assert store.artifact(record.id, kept) == b"text"
    (record.folder / ARTIFACTS / kept).write_bytes(b"TEXT")
    (record.folder / ARTIFACTS / lost).unlink()
    changed = store.verify(record.id)
    assert not changed.ok
    assert changed.bad_artifacts == tuple(sorted((kept, lost)))
    with pytest.raises(RecordFailed, match="not as it was written"):
        store.artifact(record.id, kept)
    with pytest.raises(InvalidParams):
        store.artifact(record.id, "../events.jsonl")
    events = record.folder / EVENTS_FILE
    events.write_bytes(events.read_bytes().replace(b'"one"', b'"two"'))
    assert (store.verify(record.id).state, store.verify(record.id).broken_at) == ("broken", 1)


def test_purge_removes_what_is_old_and_leaves_what_is_young_live_or_not_ours(store: Store) -> None:
    old, young = made(store), made(store)
    live = store.create("live")
    (store.folder / "notes").mkdir()
    for run in (old, live.id):
        os.utime(store.folder / run / EVENTS_FILE, (NOON, NOON))
    os.utime(store.folder / young / EVENTS_FILE, (NOON + 2 * DAY, NOON + 2 * DAY))
    assert store.purge(30, now=NOON + 31 * DAY) == [old]
    assert sorted(path.name for path in store.folder.iterdir()) == sorted(
        [".key", young, live.id, "notes"]
    )
    with pytest.raises(InvalidParams, match="still going on"):
        store.remove(live.id)
    live.close("done")
    store.remove(live.id)
    assert store.ids() == [young]


async def test_a_run_is_watched_while_it_goes_on_until_it_ends(store: Store) -> None:
    record = store.create("example")
    record.append(Note("before"))
    seen: list[str] = []
    told = asyncio.Event()

    async def watch() -> None:
        async for line in store.watch(record.id):
            seen.append(line.event.text if isinstance(line.event, Note) else "closed")
            told.set()

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(watch())
        for word in ("one", "two"):
            await told.wait()
            told.clear()
            record.append(Note(word))
        await told.wait()
        record.close("done")
    assert seen == ["before", "one", "two", "closed"]


async def test_watching_ends_when_the_process_is_gone(store: Store) -> None:
    run = made(store)
    events = store.folder / run / EVENTS_FILE
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(lines[0] + lines[1][:20])
    assert [type(line.event) async for line in store.watch(run)] == [Opened]
    events.write_bytes(b"".join(lines))
    assert [type(line.event) async for line in store.watch(run)] == [Opened, Closed]


def test_the_example_in_the_documents_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "runs.md").read_text(encoding="utf-8")
    block = page.partition("## From Python")[2].partition("`MemoryRecord`")[0]
    exec(textwrap.dedent(block), {"state_dir": tmp_path / "state"})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["1", "2", "3"]


def test_the_documents_name_every_kind_of_event() -> None:
    page = (Path(__file__).parents[2] / "docs" / "runs.md").read_text(encoding="utf-8")
    assert [name_of(event) for event in every("", "") if f"`{name_of(event)}`" not in page] == []

"""The ledger: at most one press, whatever is killed, stopped, full, locked, damaged or raced."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from subterminator.errors import LedgerUnusable, NotPressed, Refused
from subterminator.safety.clock import Clock
from subterminator.safety.ledger import Claim, Key, Ledger, account_hash, key_for
from subterminator.safety.owner import is_alive, this_process
from subterminator.safety.storage import NAME
from subterminator.safety.task import Task
from tests.safety.ledger_trials import (
    POINTS,
    ROOT,
    Kills,
    Shop,
    Worker,
    check_record,
    key,
    open_shop,
    recover,
)
from tests.safety.times import Time

DAY = 86_400.0
POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and signals of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def ledger(folder: Path, time: Time) -> Iterator[Ledger]:
    ledger = Ledger(folder, clock=time.clock)
    yield ledger
    ledger.close()


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as shop:
        yield shop


def armed(ledger: Ledger, subscription: str = "plan", digest: str = "digest") -> Claim:
    return ledger.arm(ledger.approve(ledger.propose(key(subscription)), digest))


def states(ledger: Ledger) -> list[str]:
    return [row.state for row in ledger.rows()]


# The way to the press


def test_a_press_goes_through_every_state_and_all_are_remembered(ledger: Ledger) -> None:
    ledger.confirm(ledger.fire(armed(ledger)), "Ends on 12 December")
    assert [past.state for past in ledger.history()] == [
        "PROPOSED", "APPROVED", "ARMED", "FIRED", "CONFIRMED",
    ]  # fmt: skip
    assert ledger.rows()[0].note == "Ends on 12 December"


@pytest.mark.parametrize("end", ["FIRED", "CONFIRMED", "UNKNOWN"])
def test_what_was_pressed_is_not_proposed_again(ledger: Ledger, end: str) -> None:
    fired = ledger.fire(armed(ledger))
    if end == "CONFIRMED":
        ledger.confirm(fired, "gone")
    elif end == "UNKNOWN":
        ledger.doubt(fired, "no answer")
    with pytest.raises(NotPressed):
        ledger.propose(key("plan"))


def test_a_second_press_needs_new_evidence_and_a_new_approval(ledger: Ledger) -> None:
    ledger.doubt(ledger.fire(armed(ledger)), "no answer")
    for nothing_new in ("", "  ", "no answer"):
        with pytest.raises(NotPressed):
            ledger.reopen(key("plan"), nothing_new)
    again = ledger.reopen(key("plan"), "the account page says active")
    assert again.epoch == 2
    with pytest.raises(NotPressed):
        ledger.approve(again, "digest")
    ledger.fire(ledger.arm(ledger.approve(again, "another digest")))
    ledger.close()


def test_reopening_what_was_never_pressed_is_proposing_it(ledger: Ledger) -> None:
    assert ledger.reopen(key("plan"), "the account page says active").epoch == 1


def test_what_was_refused_may_be_asked_again(ledger: Ledger) -> None:
    ledger.revoke(ledger.propose(key("plan")), "the person said no")
    assert ledger.propose(key("plan")).epoch == 2


def test_g7_one_approval_is_one_press_even_under_another_key(ledger: Ledger) -> None:
    ledger.fire(armed(ledger, "one"))
    with pytest.raises(NotPressed):
        armed(ledger, "two")


def test_g7_two_that_were_approved_by_one_digest_fire_once(ledger: Ledger) -> None:
    one, two = armed(ledger, "one"), armed(ledger, "two")
    ledger.fire(one)
    with pytest.raises(NotPressed):
        ledger.fire(two)
    assert states(ledger) == ["FIRED", "ARMED"]


def test_a_claim_is_good_for_one_step_only(ledger: Ledger) -> None:
    claim = armed(ledger)
    ledger.fire(claim)
    with pytest.raises(NotPressed):
        ledger.fire(claim)
    with pytest.raises(NotPressed):
        ledger.revoke(claim, "too late for that")


def test_no_step_can_be_left_out(ledger: Ledger) -> None:
    proposed = ledger.propose(key("plan"))
    for step in (ledger.arm, ledger.fire):
        with pytest.raises(NotPressed):
            step(proposed)
    with pytest.raises(NotPressed):
        ledger.approve(proposed, "")
    with pytest.raises(NotPressed):
        ledger.confirm(proposed, "it worked")


def test_a_claim_with_another_digest_or_owner_or_epoch_loses(ledger: Ledger) -> None:
    claim = armed(ledger)
    for change in ({"digest": "other"}, {"owner": this_process()}, {"epoch": 2}):
        fields = {name: getattr(claim, name) for name in claim.__struct_fields__}
        with pytest.raises(NotPressed):
            ledger.fire(Claim(**{**fields, **change}))
    ledger.fire(claim)


# What counts as the same


def test_a_final_cancel_is_one_per_service_account_subscription_and_period() -> None:
    task = Task("j1", purpose="cancel", service="Shop", account="Al@Example.org ", period="2026-11")
    other = Task(
        "j2", purpose="cancel", service="shop ", account="al@example.org", period="2026-11"
    )
    assert key_for(task, "irreversible", "d1") == key_for(other, "irreversible", "d2")
    assert "example" not in repr(key_for(task, "irreversible", "d1"))
    assert key_for(task, "irreversible", "d1").account == account_hash("al@example.org")


def test_everything_else_is_one_per_approval() -> None:
    task = Task("j1", purpose="cancel", service="Shop")
    assert key_for(task, "move", "d1") == Key(job="j1", approval="d1")
    assert key_for(Task("j1"), "irreversible", "d1") != key_for(Task("j1"), "irreversible", "d2")


# Time


def test_f8_a_clock_set_forward_or_back_a_day_lets_nothing_fire(ledger: Ledger, time: Time) -> None:
    for step, name in ((DAY, "forward"), (-DAY, "back")):
        claim = armed(ledger, name, name)
        time.date += step
        with pytest.raises(NotPressed):
            ledger.fire(claim)
    assert states(ledger) == ["ARMED", "ARMED"]


def test_f11_what_was_armed_before_a_sleep_does_not_fire_after_it(
    ledger: Ledger, time: Time
) -> None:
    claim = armed(ledger)
    time.date += 3_600  # One clock may stand still meanwhile.
    with pytest.raises(NotPressed):
        ledger.fire(claim)


def test_f13_what_is_armed_fires_only_for_a_while(ledger: Ledger, time: Time) -> None:
    claim = armed(ledger)
    time.pass_by(21)
    with pytest.raises(NotPressed):
        ledger.fire(claim)
    assert [row.state for row in ledger.recover()] == ["ARMED"]
    assert states(ledger) == ["REVOKED"]


def test_f13_a_fire_that_took_too_long_ends_in_doubt_and_without_a_press(folder: Path) -> None:
    ticks = iter([1.0, 1.0, 1.0, 1.0, 1.0, 100.0])
    ledger = Ledger(folder, clock=Clock(lambda: next(ticks), lambda: 1_800_000_000.0))
    claim = armed(ledger)
    with pytest.raises(NotPressed):
        ledger.fire(claim)
    assert states(ledger) == ["UNKNOWN"]
    ledger.close()


# Who was first


def test_f12_while_one_run_is_at_it_another_is_refused(folder: Path, ledger: Ledger) -> None:
    ledger.propose(key("plan"))
    other = Ledger(folder)
    for run in (other, ledger):
        with pytest.raises(NotPressed, match="Another run"):
            run.propose(key("plan"))
    other.propose(key("another plan"))
    other.close()


def test_f12_of_two_processes_exactly_one_presses(folder: Path, shop: Shop) -> None:
    workers = [Worker(folder, shop, "once") for _ in range(2)]
    trials = 60
    won = 0
    for number in range(trials):
        for worker in workers:
            worker.tell(f"plan-{number}")
        won += [worker.hear() for worker in workers].count("won")
    for worker in workers:
        worker.end()
    assert won == trials
    assert list(shop.hits.values()) == [1] * trials
    ledger = Ledger(folder)
    check_record(ledger.rows(), shop)
    ledger.close()


def race(worker: Ledger, claim: Claim, thief: Ledger) -> tuple[bool, bool]:
    """Fire and take over at the same moment: whether each succeeded."""
    barrier = threading.Barrier(2)
    fired: list[Claim] = []

    def fire() -> None:
        barrier.wait()
        with suppress(NotPressed):
            fired.append(worker.fire(claim))

    thread = threading.Thread(target=fire)
    thread.start()
    barrier.wait()
    revoked = thief.recover()
    thread.join()
    return bool(fired), bool(revoked)


def test_f12_a_fire_and_a_takeover_at_once_never_both_succeed(folder: Path) -> None:
    worker = Ledger(folder)
    thief = Ledger(folder, alive=lambda owner: False)
    ends = []
    for number in range(100):
        claim = armed(worker, f"plan-{number}", f"digest-{number}")
        fired, revoked = race(worker, claim, thief)
        assert fired != revoked
        ends.append(fired)
    print(f"{ends.count(True)} fired, {ends.count(False)} revoked, 0 both")
    worker.close()
    thief.close()


def test_what_another_run_verifies_is_left_to_it(folder: Path, ledger: Ledger) -> None:
    ledger.fire(armed(ledger))
    other = Ledger(folder)
    assert other.to_verify() == ()
    with pytest.raises(NotPressed):
        other.adopt(other.rows()[0])
    for run in (other, ledger):
        with pytest.raises(NotPressed):
            run.reopen(key("plan"), "the account page says active")
    other.close()


def test_of_two_that_recover_one_verifies(folder: Path, ledger: Ledger, time: Time) -> None:
    ledger.fire(armed(ledger))
    dead = Ledger(folder, clock=time.clock, alive=lambda owner: False)
    row = dead.to_verify()[0]
    claim = ledger.adopt(row) if ledger.to_verify() else dead.adopt(row)
    with pytest.raises(NotPressed):
        dead.adopt(row)
    assert not dead.is_in_time(claim)
    dead.confirm(claim, "the account page says ended")
    dead.close()


# Who is gone


def test_this_process_is_alive_and_one_with_its_number_but_another_start_is_not() -> None:
    mine = this_process()
    number, began, random = mine.split(" ")
    assert is_alive(mine)
    boot, space, moment = began.split("/")
    assert not is_alive(f"{number} {boot}/{space}/1{moment} {random}")
    assert not is_alive(f"{number} another-boot/{space}/{moment} {random}")
    assert is_alive(f"{number} {boot}/another-space/{moment} {random}")
    assert is_alive(f"{number} ? {random}")


@POSIX
def test_a_killed_process_is_dead_before_its_parent_has_looked(folder: Path, shop: Shop) -> None:
    worker = Worker(folder, shop, "steps")
    worker.run_to("ARMED", "plan")
    ledger = Ledger(folder)
    owner = ledger.rows()[0].owner
    assert is_alive(owner)
    worker.process.kill()
    # Nobody has waited for it, so its number is still taken.
    os.waitid(os.P_PID, worker.process.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(owner)
    worker.end()
    ledger.close()


# Killed, stopped


@pytest.mark.parametrize("point", POINTS)
def test_f3_killed_at_every_state_it_is_pressed_at_most_once(
    folder: Path, shop: Shop, point: str
) -> None:
    worker, again = Worker(folder, shop, "steps"), Worker(folder, shop, "once")
    worker.run_to(point, "plan")
    worker.kill()
    ledger = Ledger(folder)
    check_record(ledger.rows(), shop)
    recover(ledger, shop)
    assert states(ledger) == {
        "begun": [], "PROPOSED": ["REVOKED"], "APPROVED": ["REVOKED"], "ARMED": ["REVOKED"],
        "FIRED": ["UNKNOWN"], "pressed": ["CONFIRMED"], "CONFIRMED": ["CONFIRMED"],
    }[point]  # fmt: skip
    assert shop.hits["plan"] == (point in ("pressed", "CONFIRMED"))
    ledger.close()
    again.tell("plan")
    # It is asked again only where nothing was pressed.
    assert again.hear() == (
        "won" if point in ("begun", "PROPOSED", "APPROVED", "ARMED") else "lost"
    )
    again.end()
    assert shop.hits["plan"] == (point != "FIRED")


@pytest.mark.timeout(120)
def test_f3_forty_kills_at_random_moments_lose_and_double_nothing(folder: Path, shop: Shop) -> None:
    kills = Kills(folder, shop, seed=3)
    assert kills.run(40) == 40
    print(f"{sum(shop.hits.values())} presses; at the kill: {dict(kills.found)}")


@POSIX
def test_f13_a_process_that_was_stopped_before_it_fired_does_not_press_when_it_wakes(
    folder: Path, shop: Shop
) -> None:
    slow, quick = Worker(folder, shop, "steps"), Worker(folder, shop, "once")
    slow.run_to("ARMED", "plan")
    slow.process.send_signal(signal.SIGSTOP)
    takeover = Ledger(folder, alive=lambda owner: False)
    assert len(takeover.recover()) == 1
    quick.tell("plan")
    assert quick.hear() == "won"
    slow.process.send_signal(signal.SIGCONT)
    slow.tell("go")
    slow.expect("refused")
    assert shop.hits["plan"] == 1
    takeover.close()
    quick.end()
    slow.end()


@POSIX
def test_f13_a_process_that_was_stopped_after_it_fired_does_not_press_late(
    folder: Path, shop: Shop
) -> None:
    slow, quick = Worker(folder, shop, "haste"), Worker(folder, shop, "once")
    slow.run_to("FIRED", "plan")
    slow.process.send_signal(signal.SIGSTOP)
    quick.tell("plan")
    assert quick.hear() == "lost"
    ledger = Ledger(folder)
    not_after = ledger.rows()[0].not_after
    clock = Clock()
    waited = threading.Event()
    while clock.wall() <= not_after:
        waited.wait(not_after - clock.wall() + 0.01)
    slow.process.send_signal(signal.SIGCONT)
    slow.tell("go")
    slow.expect("refused")
    assert states(ledger) == ["UNKNOWN"]
    assert shop.hits["plan"] == 0
    ledger.close()
    quick.end()
    slow.end()


# Full, locked, damaged, of another version, someone else's

FULL_DISK = """
import errno, os, sys
from pathlib import Path
from subterminator.errors import Refused
from tests.safety.ledger_trials import passage
from subterminator.safety.ledger import (Ledger)
folder, port, how, stage = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
ledger = Ledger(folder / "state")
def fill():
    if how == "quota":
        import resource
        size = (folder / "state" / "ledger.sqlite-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return
    for size in (65536, 512, 1):
        with open(folder / "litter", "ab", buffering=0) as litter:
            try:
                while True: litter.write(b"x" * size)
            except OSError as fault:
                assert fault.errno == errno.ENOSPC
try:
    for point in passage(ledger, port, "plan"):
        if point == stage: fill()
except Refused as fault:
    print(type(fault).__name__, fault)
else:
    print("pressed")
"""


def can_mount(folder: Path) -> bool:
    unshare = shutil.which("unshare")
    return (
        bool(unshare)
        and not subprocess.run(
            [str(unshare), "-rm", "mount", "-t", "tmpfs", "none", str(folder)], capture_output=True
        ).returncode
    )


@POSIX
@pytest.mark.parametrize("how", ["quota", "tmpfs"])
@pytest.mark.parametrize("stage", ["begun", "PROPOSED", "APPROVED", "ARMED"])
def test_f7_on_a_full_disk_nothing_is_pressed(
    tmp_path: Path, shop: Shop, how: str, stage: str
) -> None:
    run = [sys.executable, "-c", FULL_DISK, str(tmp_path), str(shop.port), how, stage]
    if how == "tmpfs":
        if not can_mount(tmp_path):
            pytest.skip("no file system can be mounted here")
        mounting = f'mount -t tmpfs -o size=512k,mode=700 none {tmp_path} && exec "$@"'
        # The network of this process stays: only what is mounted is its own.
        run = ["unshare", "-rm", "sh", "-c", mounting, "sh", *run]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert done.stdout.startswith("LedgerUnusable"), done.stdout + done.stderr
    assert "othing was pressed" in done.stdout
    if how == "tmpfs":
        assert "no room on the disk" in done.stdout
    assert sum(shop.hits.values()) == 0


def test_f9_a_locked_ledger_refuses_after_a_bounded_wait(folder: Path) -> None:
    ledger = Ledger(folder, busy_seconds=0.1)
    claim = armed(ledger)
    holder = sqlite3.connect(folder / NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnusable, match="Another program holds"):
        ledger.fire(claim)
    holder.execute("ROLLBACK")
    holder.close()
    ledger.fire(claim)
    ledger.close()


@pytest.mark.parametrize("damage", ["header", "middle", "empty"])
def test_f9_a_damaged_ledger_is_refused_and_a_copy_kept(folder: Path, damage: str) -> None:
    ledger = Ledger(folder)
    for number in range(30):
        armed(ledger, f"plan-{number}", f"digest-{number}")
    ledger.close()
    path = folder / NAME
    data = bytearray(path.read_bytes())
    match damage:
        case "header":
            data[:16] = b"not a data base!"
        case "middle":
            data[4096 : 4096 + 2000] = os.urandom(2000)
        case _:
            data.clear()
    path.write_bytes(data)
    for _ in range(2):
        with pytest.raises(LedgerUnusable, match="copy is kept") as refused:
            Ledger(folder)
    copies = list(folder.glob("ledger.damaged-*.sqlite"))
    assert [copy.read_bytes() for copy in copies] == [bytes(data)]
    assert str(copies[0]) in str(refused.value)
    assert stat.S_IMODE(copies[0].stat().st_mode) == 0o600
    assert path.read_bytes() == bytes(data)


def test_f9_damage_done_while_it_is_open_is_found_by_the_next_start(folder: Path) -> None:
    ledger = Ledger(folder)
    claim = armed(ledger)
    ledger.close()
    ledger = Ledger(folder)
    data = (folder / NAME).read_bytes()
    (folder / NAME).write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    ledger.close()
    with pytest.raises(LedgerUnusable, match="damaged"):
        Ledger(folder).fire(claim)


def test_f9_a_ledger_moved_away_while_it_is_open_lets_nothing_fire(folder: Path) -> None:
    ledger = Ledger(folder)
    claim = armed(ledger)
    (folder / NAME).rename(folder / "elsewhere")
    with pytest.raises(LedgerUnusable, match="gone"):
        ledger.fire(claim)
    Ledger(folder).close()
    with pytest.raises(LedgerUnusable, match="replaced"):
        ledger.fire(claim)
    ledger.close()


def test_a_closed_ledger_lets_nothing_fire(folder: Path) -> None:
    ledger = Ledger(folder)
    claim = armed(ledger)
    ledger.close()
    with pytest.raises(LedgerUnusable):
        ledger.fire(claim)


@pytest.mark.parametrize(("version", "age"), [(0, "older"), (99, "newer")])
def test_f15_a_ledger_of_another_version_is_refused_and_left_alone(
    folder: Path, version: int, age: str
) -> None:
    Ledger(folder).close()
    with sqlite3.connect(folder / NAME) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    before = (folder / NAME).read_bytes()
    with pytest.raises(LedgerUnusable, match=age):
        Ledger(folder)
    assert (folder / NAME).read_bytes() == before


def test_f15_an_approval_that_waited_during_an_upgrade_is_asked_again(
    folder: Path, shop: Shop
) -> None:
    worker = Worker(folder, shop, "steps")
    worker.run_to("APPROVED", "plan")
    worker.kill()
    ledger = Ledger(folder)
    assert [row.state for row in ledger.recover()] == ["APPROVED"]
    assert ledger.propose(key("plan")).digest == ""
    ledger.close()


@POSIX
def test_p20_all_files_of_the_ledger_are_for_their_owner_alone_whatever_the_umask(
    folder: Path,
) -> None:
    before = os.umask(0)
    try:
        ledger = Ledger(folder)
        armed(ledger)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert set(modes) == {NAME, f"{NAME}-wal", f"{NAME}-shm"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    ledger.close()


@POSIX
@pytest.mark.parametrize("name", [NAME, f"{NAME}-wal", f"{NAME}-shm", f"{NAME}-journal"])
def test_p20_a_link_planted_in_place_of_a_file_is_refused(
    folder: Path, tmp_path: Path, name: str
) -> None:
    Ledger(folder).close()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"mine")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(elsewhere)
    with pytest.raises(Refused, match="not a plain file"):
        Ledger(folder)
    assert elsewhere.read_bytes() == b"mine"


@POSIX
def test_p20_a_ledger_that_others_can_read_is_refused(folder: Path) -> None:
    Ledger(folder).close()
    (folder / NAME).chmod(0o644)
    with pytest.raises(Refused, match="chmod 600"):
        Ledger(folder)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_p20_a_ledger_of_another_user_is_refused(folder: Path) -> None:
    Ledger(folder).close()
    os.chown(folder / NAME, 12_345, -1)
    with pytest.raises(Refused, match="another user"):
        Ledger(folder)


def test_many_that_start_at_once_get_one_ledger(folder: Path, shop: Shop) -> None:
    workers = [Worker(folder, shop, "once") for _ in range(4)]
    for worker in workers:
        worker.tell("plan")
    assert sorted(worker.hear() for worker in workers) == ["lost", "lost", "lost", "won"]
    for worker in workers:
        worker.end()
    assert {path.name for path in folder.iterdir()} <= {NAME, f"{NAME}-wal", f"{NAME}-shm"}


def test_what_has_ended_can_be_forgotten_and_what_is_unknown_not(
    ledger: Ledger, time: Time
) -> None:
    ledger.confirm(ledger.fire(armed(ledger, "done", "d1")), "gone")
    ledger.doubt(ledger.fire(armed(ledger, "unsure", "d2")), "no answer")
    time.pass_by(40 * DAY)
    assert ledger.forget(days=41) == 0
    assert ledger.forget(days=30) == 1
    assert [row.key.subscription for row in ledger.rows()] == ["unsure"]
    assert {past.key.subscription for past in ledger.history()} == {"unsure"}


def test_several_threads_may_use_one_ledger(folder: Path) -> None:
    ledger = Ledger(folder)

    def work(name: str) -> None:
        for number in range(20):
            ledger.fire(armed(ledger, f"{name}-{number}", f"{name}-{number}"))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert states(ledger) == ["FIRED"] * 60
    ledger.close()

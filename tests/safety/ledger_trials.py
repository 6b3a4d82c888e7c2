"""A process that presses, and a site that counts: what is left when the process is killed.

Run as a module it is the process: `python -m tests.safety.ledger_trials FOLDER PORT MODE`.
"""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import IO

from subterminator.errors import NotPressed
from subterminator.safety.ledger import Claim, Key, Ledger, Row

ROOT = Path(__file__).parent.parent.parent
POINTS = ("begun", "PROPOSED", "APPROVED", "ARMED", "FIRED", "pressed", "CONFIRMED")
PRESSED = {"FIRED", "UNKNOWN", "CONFIRMED"}


class Shop:
    """A site where a subscription can be cancelled. `hits` counts the presses by subscription."""

    def __init__(self) -> None:
        self.hits: Counter[str] = Counter()
        shop = self

        class Handler(StreamRequestHandler):
            def handle(self) -> None:
                request = self.rfile.readline().split()
                while self.rfile.readline().strip():
                    pass
                # Counted when it is whole, as a site would.
                shop.hits[request[1].decode()[1:]] += 1
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

        class Server(ThreadingTCPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Who asked was killed and does not read the answer."""

        self.server = Server(("127.0.0.1", 0), Handler)

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])


@contextmanager
def open_shop() -> Iterator[Shop]:
    shop = Shop()
    thread = threading.Thread(target=shop.server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield shop
    finally:
        shop.server.shutdown()
        shop.server.server_close()
        thread.join()


class Worker:
    """The process, seen from the test: it says where it is, and goes on when told so."""

    def __init__(self, folder: Path, shop: Shop, mode: str) -> None:
        command = [sys.executable, "-m", "tests.safety.ledger_trials"]
        self.process = subprocess.Popen(
            [*command, str(folder), str(shop.port), mode],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._ready = False

    @property
    def _out(self) -> IO[str]:
        assert self.process.stdout
        return self.process.stdout

    def hear(self) -> str:
        return self._out.readline().strip()

    def expect(self, word: str) -> None:
        heard = self.hear()
        assert heard == word, f"expected {word}, heard {heard!r}"

    def tell(self, word: str) -> None:
        assert self.process.stdin
        if not self._ready:
            self._ready = True
            self.expect("ready")
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()

    def run_to(self, point: str, subscription: str) -> None:
        self.tell(subscription)
        for passed in POINTS[: POINTS.index(point) + 1]:
            self.expect(passed)
            if passed != point:
                self.tell("go")

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()
        self._out.close()


def key(subscription: str) -> Key:
    return Key("shop", "someone", subscription, "2026-11")


def check_record(rows: tuple[Row, ...], shop: Shop) -> None:
    """Nothing was pressed twice, and no row says what is not so."""
    assert [name for name, hits in shop.hits.items() if hits > 1] == []
    by_name = {row.key.subscription: row for row in rows}
    assert [name for name in shop.hits if by_name[name].state not in PRESSED] == []
    for name, row in by_name.items():
        if row.state == "CONFIRMED":
            assert shop.hits[name] == 1, f"{name} was not pressed, but is said to be"


def recover(ledger: Ledger, shop: Shop) -> None:
    """As a new start does: revoke what was not pressed, verify the rest at the site."""
    for row in ledger.recover():
        assert shop.hits[row.key.subscription] == 0, "revoked, though it was pressed"
    for row in ledger.to_verify():
        claim = ledger.adopt(row)
        if shop.hits[row.key.subscription]:
            ledger.confirm(claim, "the site says cancelled")
        else:
            ledger.doubt(claim, "the site says active")


class Kills:
    """Kills a process that presses without end, over and over, at moments drawn by lot."""

    def __init__(self, folder: Path, shop: Shop, seed: int) -> None:
        self.folder = folder
        self.shop = shop
        self.lot = random.Random(seed)
        self.found: Counter[str] = Counter()

    def once(self, next_worker: Worker) -> None:
        """Let one run for a moment, kill it, and look what is left."""
        next_worker.tell("go")
        next_worker.expect("begun")
        time.sleep(self.lot.uniform(0, 0.03))
        next_worker.kill()
        ledger = Ledger(self.folder)
        rows = ledger.rows()
        check_record(rows, self.shop)
        self.found[rows[-1].state if rows else "nothing"] += 1
        recover(ledger, self.shop)
        left = ledger.rows()
        check_record(left, self.shop)
        assert {row.state for row in left} <= {"CONFIRMED", "UNKNOWN", "REVOKED"}
        ledger.close()

    def run(self, times: int, until: float = float("inf")) -> int:
        done = 0
        # The next ones start up meanwhile.
        waiting = [Worker(self.folder, self.shop, "endless") for _ in range(2)]
        while done < times and time.monotonic() < until:
            waiting.append(Worker(self.folder, self.shop, "endless"))
            self.once(waiting.pop(0))
            done += 1
        for worker in waiting:
            worker.kill()
        return done


# The process


def press(port: int, subscription: str) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(f"POST /{subscription} HTTP/1.1\r\nHost: shop\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 200")


def say(word: str) -> None:
    print(word, flush=True)


def passage(ledger: Ledger, port: int, subscription: str, seconds: float = 30) -> Iterator[str]:
    yield "begun"
    claim = ledger.propose(key(subscription))
    yield "PROPOSED"
    claim = ledger.approve(claim, f"digest of {subscription} at {time.time_ns()}")
    yield "APPROVED"
    claim = ledger.arm(claim, seconds)
    yield "ARMED"
    claim = ledger.fire(claim)
    yield "FIRED"
    press_in_time(ledger, claim, port)
    yield "pressed"
    ledger.confirm(claim, "the site says cancelled")
    yield "CONFIRMED"


def press_in_time(ledger: Ledger, claim: Claim, port: int) -> None:
    if not ledger.is_in_time(claim):
        ledger.doubt(claim, "not pressed: its time was over")
        raise NotPressed("Its time was over.")
    press(port, claim.key.subscription)


def step_by_step(ledger: Ledger, port: int, seconds: float = 30) -> None:
    """One word in, the name of the subscription; then a word out and one in at every point."""
    for line in sys.stdin:
        try:
            for point in passage(ledger, port, line.strip(), seconds):
                say(point)
                if point != POINTS[-1] and not sys.stdin.readline():
                    return
        except NotPressed:
            say("refused")


def in_haste(ledger: Ledger, port: int) -> None:
    step_by_step(ledger, port, seconds=2)


def at_once(ledger: Ledger, port: int) -> None:
    """One word in, the name of the subscription; one out, whether it was pressed here."""
    for line in sys.stdin:
        try:
            for _ in passage(ledger, port, line.strip()):
                pass
        except NotPressed:
            say("lost")
        else:
            say("won")


def endless(ledger: Ledger, port: int) -> None:
    sys.stdin.readline()
    say("begun")
    count = 0
    while True:
        for _ in passage(ledger, port, f"{time.time_ns()}-{count}"):
            count += 1


def main() -> None:
    folder, port, mode = sys.argv[1:]
    ledger = Ledger(Path(folder), busy_seconds=30)
    say("ready")
    modes = {"steps": step_by_step, "haste": in_haste, "once": at_once, "endless": endless}
    modes[mode](ledger, int(port))


if __name__ == "__main__":
    main()

"""Which process holds something, and whether it still runs. A number given anew fools nobody."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

# A process that shows no more life is dead, even while its parent has not looked.
DEAD = {"Z", "X", "x"}
ANSWER_SECONDS = 5


def this_process() -> str:
    """A name for what this process holds: its number, when it began, and something random."""
    return f"{os.getpid()} {_began(os.getpid())} {secrets.token_hex(8)}"


def is_alive(owner: str) -> bool:
    """Whether that process still runs. Where nobody can tell, it does: nothing is taken from it."""
    number, began, _ = owner.split(" ")
    now, mine = _began(int(number)), _began(os.getpid())
    if "?" in (now, mine, began):
        return True
    boot, space, _ = began.split("/")
    my_boot, my_space, _ = mine.split("/")
    if boot == my_boot and space != my_space:
        return True  # In another container of this computer; its numbers mean nothing here.
    return now == began


def _began(number: int) -> str:
    """`boot/space/moment`; empty if there is no such process, `?` if that cannot be known."""
    if sys.platform == "linux":
        return _began_by_proc(number)
    if sys.platform == "win32":
        return _began_by_kernel(number)
    return _began_by_ps(number)


def _began_by_proc(number: int) -> str:
    try:
        # The name in brackets may hold anything; what follows the last one does not.
        fields = Path(f"/proc/{number}/stat").read_text("latin-1").rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except (FileNotFoundError, ProcessLookupError):
        return "" if Path("/proc/self/stat").exists() else "?"
    except OSError:
        return "?"
    return "" if fields[0] in DEAD else f"{boot}/{space}/{fields[19]}"


def _began_by_ps(number: int) -> str:
    command = ["ps", "-o", "stat=,lstart=", "-p", str(number)]
    # The moment is told in words and local time; it has to read the same in every process.
    words = {**os.environ, "LC_ALL": "C", "TZ": "UTC0"}
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=ANSWER_SECONDS, env=words
        )
    except (OSError, subprocess.TimeoutExpired):
        return "?"
    state, *moment = done.stdout.split()[:7] or ["Z"]
    return "" if state[0] in DEAD else f"//{'-'.join(moment)}"


def _began_by_kernel(number: int) -> str:
    if sys.platform != "win32":
        return "?"
    import ctypes  # what is asked of it exists on Windows only

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(0x1000, False, number)
    if not handle:
        return ""
    times = (ctypes.c_uint64 * 4)()
    code = ctypes.c_uint32()
    size = ctypes.sizeof(ctypes.c_uint64)
    places = [ctypes.byref(times, size * place) for place in range(4)]
    known = kernel.GetProcessTimes(handle, *places)
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    still_active = code.value == 259
    return (f"//{times[0]}" if still_active else "") if known else "?"

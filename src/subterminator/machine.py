"""What we ask of the operating system, as one value that a test writes down instead of patching."""

from __future__ import annotations

import glob
import ntpath
import os
import posixpath
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

Kind = Literal["config", "state", "data"]
DOTENV = ".env"
LARGEST_DOTENV = 100_000
# NAME=value  export NAME="value"  NAME='value'  NAME=value # remark
DOTENV_LINE = re.compile(
    r"""\s*(?:export\s+)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'#][^#]*?)?)\s*(?:\#.*)?"""
)
FROM_FILE = frozenset({
    "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SUBTERMINATOR_MODEL", "SUBTERMINATOR_OUTPUT",
    "SUBTERMINATOR_PAGE_TIMEOUT", "SUBTERMINATOR_ELEMENT_TIMEOUT", "SUBTERMINATOR_AUTH_TIMEOUT",
    "SUBTERMINATOR_CONFIRM_TIMEOUT", "SUBTERMINATOR_MAX_RETRIES", "SUBTERMINATOR_MAX_TRANSITIONS",
    "SUBTERMINATOR_MAX_TURNS", "SUBTERMINATOR_NO_PROMPTS", "SUBTERMINATOR_PLAIN",
})  # fmt: skip
WINDOWS: dict[Kind, tuple[str, str]] = {
    "config": ("APPDATA", "Roaming"),
    "state": ("LOCALAPPDATA", "Local"),
    "data": ("LOCALAPPDATA", "Local"),
}
FREEDESKTOP: dict[Kind, tuple[str, ...]] = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", ".local", "state"),
    "data": ("XDG_DATA_HOME", ".local", "share"),
}
# A browser on a cold, busy disk needs seconds to say its version; one that needs longer hangs.
ANSWER_SECONDS = 20


class Machine(Struct, frozen=True, kw_only=True):
    """One computer as this user sees it: facts and questions. Only `perform` changes anything."""

    platform: str
    """`sys.platform`: linux, darwin or win32."""
    home: str
    root: bool
    environ: Mapping[str, str]
    which: Callable[[str], str | None]
    """Full path of a program on PATH."""
    exists: Callable[[str], bool]
    """Whether a path is a file that can be run."""
    glob: Callable[[str], Sequence[str]]
    read: Callable[[str], str | None]
    """Text of a file, None where there is none."""
    registered: Callable[[str], str | None]
    """Windows: where the registry says a program is."""
    output: Callable[[Sequence[str]], str | None]
    """What a command prints, None if it fails."""
    perform: Callable[[Sequence[str]], bool]
    """Run a command that changes this computer, its output shown; whether it succeeded."""

    def join(self, *parts: str) -> str:
        return ntpath.join(*parts) if self.platform == "win32" else posixpath.join(*parts)

    def own_folder(self, kind: Kind) -> str:
        """Where this system keeps what is ours: settings, what a run needs, what the user keeps."""
        if self.platform == "darwin":
            folder = self.join(self.home, "Library", "Application Support")
        elif self.platform == "win32":
            variable, below = WINDOWS[kind]
            folder = self.folder(variable, "AppData", below)
        else:
            variable, *fallback = FREEDESKTOP[kind]
            folder = self.folder(variable, *fallback)
        return self.join(folder, "subterminator")

    def folder(self, variable: str, *fallback: str) -> str:
        """The folder an environment variable names, if absolute, else one below home."""
        value = self.environ.get(variable, "")
        absolute = ntpath.isabs(value) if self.platform == "win32" else posixpath.isabs(value)
        return value if absolute else self.join(self.home, *fallback)


def this_machine() -> Machine:
    return Machine(
        platform=sys.platform,
        home=os.path.expanduser("~"),
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        environ={**_dotenv(), **os.environ},
        which=shutil.which,
        exists=_can_run,
        glob=lambda pattern: sorted(glob.glob(pattern)),
        read=_read,
        registered=_registered,
        output=_output,
        perform=_perform,
    )


def _dotenv() -> dict[str, str]:
    """What a file `.env` in the current folder sets, as far as it may.

    A folder can come from anybody: nothing in it may say which program is started, or which folders
    are used. What the environment itself says goes before.
    """
    try:
        seen = os.stat(DOTENV)
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > LARGEST_DOTENV:
            return {}
        with open(DOTENV, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    found = filter(None, map(DOTENV_LINE.fullmatch, lines))
    return {line[1]: line[2] or line[3] or line[4] or "" for line in found if line[1] in FROM_FILE}


def _can_run(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _registered(program: str) -> str | None:
    if sys.platform != "win32":
        return None
    import winreg  # exists on Windows only

    key = rf"Software\Microsoft\Windows\CurrentVersion\App Paths\{program}"
    for hive in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
        try:
            return winreg.QueryValue(hive, key).strip('"')
        except OSError:
            continue
    return None


def _output(command: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=ANSWER_SECONDS,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _perform(command: Sequence[str]) -> bool:
    # Standard output belongs to our own caller, who may be reading a path from it.
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
    except OSError:
        return False
    return done.returncode == 0

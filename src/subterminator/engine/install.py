"""How this machine gets a browser: commands as data. Only `install` runs any of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from subterminator.machine import Machine

Command = tuple[str, ...]


class Installer(NamedTuple):
    """One package manager and what to tell it."""

    platform: str
    tool: str
    commands: tuple[Command, ...]
    needs_root: bool


INSTALLERS = (
    Installer(
        "linux",
        "apt-get",
        (
            ("apt-get", "update"),
            # The sandbox is a recommendation only, but without it Chromium starts for root alone
            # wherever ordinary users may not make namespaces.
            ("apt-get", "install", "-y", "--no-install-recommends", "chromium", "chromium-sandbox"),
        ),
        needs_root=True,
    ),
    Installer("linux", "dnf", (("dnf", "install", "-y", "chromium"),), needs_root=True),
    # Ubuntu's apt has no chromium of its own; there this one follows after apt-get failed.
    Installer("linux", "snap", (("snap", "install", "chromium"),), needs_root=True),
    Installer(
        "darwin", "brew", (("brew", "install", "--cask", "google-chrome"),), needs_root=False
    ),
    Installer(
        "win32",
        "winget",
        (("winget", "install", "--id", "Google.Chrome", "--exact", "--silent"),),
        needs_root=False,
    ),
)


def by_hand(machine: Machine) -> str:
    """The one line a person can run here to get a browser."""
    for installer in _available(machine):
        prefix: Command = ("sudo",) if installer.needs_root and not machine.root else ()
        lines = (shlex.join((*prefix, *command)) for command in installer.commands)
        return f"Run: {' && '.join(lines)}"
    return "Install Google Chrome from https://www.google.com/chrome/."


def install(machine: Machine) -> bool:
    """Try what the platform offers, never asking for a password. Whether any of it succeeded."""
    for installer in _available(machine):
        prefix = _rights(machine, installer)
        if prefix is None:
            continue
        if all(machine.perform((*prefix, *command)) for command in installer.commands):
            return True
    return False


def _available(machine: Machine) -> Iterator[Installer]:
    for installer in INSTALLERS:
        if installer.platform == machine.platform and machine.which(installer.tool):
            yield installer


def _rights(machine: Machine, installer: Installer) -> Command | None:
    if machine.root or not installer.needs_root:
        return ()
    if machine.which("sudo") and machine.output(("sudo", "-n", "true")) is not None:
        return ("sudo", "-n")
    return None

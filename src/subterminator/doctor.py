"""Looks at this machine and says what is there, what is missing and what to do about it.

It only looks, but for making the state folder and starting a browser for a moment.
"""

from __future__ import annotations

import platform
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import NamedTuple

from msgspec import Struct

from subterminator.config import Settings, private_folder
from subterminator.engine.browsers import Browser, find, why_no_sandbox
from subterminator.engine.launch import launch
from subterminator.errors import SubTerminatorError
from subterminator.machine import Machine

# What Chromium says when it may neither make namespaces nor has its setuid sandbox.
NO_SANDBOX = "No usable sandbox"
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")

Prove = Callable[[Browser], Awaitable[str]]
"""Start this browser, ask it for its version over our own connection, end it; what it said."""


class Finding(Struct, frozen=True, kw_only=True):
    """One thing looked at. `todo` is empty unless something can be done about it."""

    name: str
    ok: bool
    essential: bool = True
    found: str
    todo: str = ""


class Report(Struct, frozen=True, kw_only=True):
    """What the doctor found. `ok`: everything essential is there."""

    ok: bool
    browser: Browser | None
    findings: tuple[Finding, ...]


class _Search(NamedTuple):
    finding: Finding
    browser: Browser | None


async def start_once(browser: Browser) -> str:
    """The proof we use: headless, a fresh profile, our own pipe."""
    launched = await launch(browser.path, headless=True)
    try:
        return str((await launched.connection.root.call("Browser.getVersion"))["product"])
    finally:
        await launched.end()


async def examine(machine: Machine, settings: Settings, prove: Prove) -> Report:
    search = _browser(machine, settings)
    findings = (
        _versions(),
        search.finding,
        await _launch(search.browser, prove),
        _sandbox(machine),
        _state(settings),
        *(_key(machine, name) for name in KEYS),
    )
    return Report(
        ok=all(one.ok or not one.essential for one in findings),
        browser=search.browser,
        findings=findings,
    )


def _versions() -> Finding:
    ours = version("subterminator")
    return Finding(
        name="subterminator", ok=True, found=f"{ours} on Python {platform.python_version()}"
    )


def _browser(machine: Machine, settings: Settings) -> _Search:
    try:
        browser = find(machine, settings.browser)
    except SubTerminatorError as error:
        missing = Finding(name="browser", ok=False, found=error.message, todo=error.advice)
        return _Search(missing, None)
    found = f"{browser.name} {browser.version} at {browser.path}"
    return _Search(Finding(name="browser", ok=True, found=found), browser)


async def _launch(browser: Browser | None, prove: Prove) -> Finding:
    if browser is None:
        return Finding(name="launch", ok=False, found="not tried, there is no browser")
    try:
        said = await prove(browser)
    except SubTerminatorError as error:
        todo = f"Run it by hand to see why: {browser.path} --headless --dump-dom about:blank"
        if NO_SANDBOX in error.message:
            todo = "Install the package chromium-sandbox, or let ordinary users make namespaces."
        return Finding(name="launch", ok=False, found=error.message, todo=todo)
    return Finding(name="launch", ok=True, found=f"starts and answers as {said}")


def _sandbox(machine: Machine) -> Finding:
    reason = why_no_sandbox(machine)
    if not reason:
        return Finding(name="sandbox", ok=True, essential=False, found="on")
    return Finding(
        name="sandbox",
        ok=False,
        essential=False,
        found=f"off: {reason}",
        todo="Run as an ordinary user to have it on.",
    )


def _state(settings: Settings) -> Finding:
    try:
        folder = private_folder(settings.state_dir)
    except SubTerminatorError as error:
        return Finding(name="state folder", ok=False, found=error.message, todo=error.advice)
    return Finding(name="state folder", ok=True, found=f"{folder}, writable, for you alone")


def _key(machine: Machine, name: str) -> Finding:
    present = bool(machine.environ.get(name))
    return Finding(
        name=name,
        ok=present,
        essential=False,
        found="set" if present else "not set",
        todo="" if present else "Only needed to let this maker's model lead.",
    )

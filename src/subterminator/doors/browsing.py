"""What the commands that open a browser have in common: options, settings, faults, a voice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click
from msgspec import Struct

from subterminator import app
from subterminator.config import Settings, load
from subterminator.doors.exit_codes import ENVIRONMENT, FAILED, INTERRUPTED, USAGE
from subterminator.doors.progress import JsonLines, Lines, Voice
from subterminator.doors.terminal import is_plain
from subterminator.errors import BrowserClosed, BrowserMissing, InvalidParams, SubTerminatorError
from subterminator.machine import Machine

MINE = "mine"
Decorated = TypeVar("Decorated", bound=Callable[..., object])


class Opening(Struct, frozen=True, kw_only=True):
    """How a browser is opened, and how the command speaks. None: not given."""

    headless: bool | None = None
    profile_dir: str | None = None
    browser: str | None = None
    engine: str | None = None
    use_chromium: bool = False
    attach: str = ""
    no_input: bool = False
    plain: bool = False
    as_json: bool = False
    output_dir: str | None = None


SPEAKING = (
    click.option("--plain", is_flag=True, help="Words instead of colours, numbered choices."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line."),
)
BROWSING = (
    click.option("--headless/--show", default=None, help="Without or with a window."),
    click.option("--no-input", "--non-interactive", is_flag=True, help="Ask nobody; stop instead."),
    click.option("--profile-dir", metavar="FOLDER", help="A browser profile of your own."),
    click.option(
        "--browser",
        metavar="PATH",
        help="The browser to start; for `cancel` also `mine`: your own, see `extension`.",
    ),
    click.option(
        "--engine",
        type=click.Choice(["chromium", "playwright-mcp"]),
        help="What drives it: our own engine, or the Playwright MCP server installed here.",
    ),
    click.option("--use-chromium", is_flag=True, help="Start Chromium even where there is Chrome."),
    click.option(
        "--attach", "--cdp-url", default="", metavar="ADDRESS", help="Use a running browser."
    ),
    click.option("--output-dir", metavar="FOLDER", help="Where the proof goes."),
)


def browser_options(command: Decorated) -> Decorated:
    """The options of `Opening`."""
    return _with(_with(command, BROWSING), SPEAKING)


def only_browser_options(command: Decorated) -> Decorated:
    """The same for a command that says itself how it speaks."""
    return _with(command, BROWSING)


def _with(command: Decorated, options: Sequence[Callable[[Decorated], Decorated]]) -> Decorated:
    for option in reversed(options):
        command = option(command)
    return command


def settings_for(
    opening: Opening, machine: Machine, more: Mapping[str, object] | None = None
) -> Settings:
    """The settings of this call. With a screen there is a window, unless it says otherwise."""
    if own_browser_of(opening) is not None:
        raise InvalidParams(
            "This command cannot use your own browser by way of the extension.",
            next_step="Use --attach with its address, or leave --browser mine out.",
        )
    screen = has_screen(machine)
    if opening.headless is False and not screen:
        raise BrowserMissing(
            "There is no screen here to show a window on.",
            next_step="Run it where there is one, or use --headless with a --profile-dir.",
        )
    browser = app.chromium_of(machine) if opening.use_chromium else opening.browser
    given = {
        "headless": opening.headless,
        "browser": browser,
        "engine": opening.engine,
        "profile_dir": _absolute(opening.profile_dir),
        "output_dir": _absolute(opening.output_dir),
        "no_prompts": opening.no_input or None,
        "plain": opening.plain or None,
        **(more or {}),
    }
    return load(machine, given, {"headless": not screen})


def own_browser_of(opening: Opening) -> str | None:
    """What follows `mine:`, empty for `mine` alone; None where a browser is to be started."""
    word, _, name = (opening.browser or "").partition(":")
    return name.strip() if word == MINE else None


def voice_for(opening: Opening, machine: Machine, *, plain: bool = False) -> Voice:
    """Where this call speaks: to a person, or to a program."""
    if opening.as_json:
        return JsonLines(click.echo)
    is_bare = plain or opening.plain or is_plain(machine.environ)
    return Lines(click.echo, plain=is_bare, write_error=lambda text: click.echo(text, err=True))


def guarded(voice: Voice, run: Callable[[], int]) -> int:
    """The exit code, whatever happens; what went wrong is one sentence."""
    try:
        return run()
    except KeyboardInterrupt:
        voice.fail("Interrupted.", INTERRUPTED)
        return INTERRUPTED
    except SubTerminatorError as fault:
        code = code_of_fault(fault)
        voice.fail(f"{fault.message} {fault.advice}".rstrip(), code)
        return code


def code_of_fault(fault: SubTerminatorError) -> int:
    match fault:
        case InvalidParams():
            return USAGE
        case BrowserMissing() | BrowserClosed():
            return ENVIRONMENT
        case _:
            return FAILED


def has_screen(machine: Machine) -> bool:
    if machine.platform in ("darwin", "win32"):
        return True
    return bool(machine.environ.get("DISPLAY") or machine.environ.get("WAYLAND_DISPLAY"))


def _absolute(path: str | None) -> str | None:
    return str(Path(path).expanduser().absolute()) if path else None

"""Settings from arguments, environment, file and defaults, in this order, checked before use.

    argument                headless=False
    environment             SUBTERMINATOR_VIEWPORT_WIDTH=1440
    config.toml             viewport_width = 1440

An unknown name is an error, never ignored: a misspelt limit must not pass for a limit.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from subterminator.errors import InvalidParams
from subterminator.machine import Machine

PREFIX = "SUBTERMINATOR_"
FILE_VARIABLE = "SUBTERMINATOR_CONFIG"

# The titles complete the sentence "expected ..." of an error.
Milliseconds = Annotated[int, Meta(ge=1, le=600_000, title="a whole number from 1 to 600000")]
Pixels = Annotated[int, Meta(ge=100, le=10_000, title="a whole number from 100 to 10000")]
Turns = Annotated[int, Meta(ge=1, le=1000, title="a whole number from 1 to 1000")]
Retries = Annotated[int, Meta(ge=0, le=10, title="a whole number from 0 to 10")]
Dollars = Annotated[float, Meta(ge=0, le=1000, title="US dollars, from 0 to 1000")]
Engine = Annotated[Literal["chromium", "playwright-mcp"], Meta(title="chromium or playwright-mcp")]
Switch = Annotated[bool, Meta(title="true or false")]
Text = Annotated[str, Meta(title="text")]
Folder = Annotated[
    str, Meta(pattern=r"^($|~[/\\]|/|[A-Za-z]:|\\\\)", title="an absolute path or ~/...")
]
Host = Annotated[str, Meta(pattern=r"^[^\s/?#@:*]+$")]
Hosts = Annotated[tuple[Host, ...], Meta(title="host names such as example.com")]
# Variables that are called otherwise than the setting they mean.
OTHER_NAMES = {
    "output": "output_dir",
    "page_timeout": "page_timeout_ms",
    "element_timeout": "action_timeout_ms",
    "confirm_timeout": "confirm_timeout_ms",
    "auth_timeout": "auth_timeout_ms",
    "max_transitions": "max_turns",
}


class Settings(Struct, frozen=True, kw_only=True):
    """Everything a user can set. Empty text means: not set, we choose."""

    browser: Text = ""
    headless: Switch = True
    engine: Engine = "chromium"
    profile_dir: Folder = ""
    state_dir: Folder = ""
    sites: Hosts = ()
    page_timeout_ms: Milliseconds = 30_000
    action_timeout_ms: Milliseconds = 2_000
    confirm_timeout_ms: Milliseconds = 120_000
    auth_timeout_ms: Milliseconds = 300_000
    max_turns: Turns = 20
    max_retries: Retries = 3
    planner: Text = ""
    model: Text = ""
    small_model: Text = ""
    base_url: Text = ""
    max_cost: Dollars = 0.0
    no_prompts: Switch = False
    plain: Switch = False
    output_dir: Folder = ""
    record: Switch = True
    viewport_width: Pixels = 1280
    viewport_height: Pixels = 720


TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}


def load(
    machine: Machine,
    flags: Mapping[str, object] | None = None,
    defaults: Mapping[str, object] | None = None,
) -> Settings:
    """Settings of this run. A flag that is None was not given; `defaults` hold where nothing is."""
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    values: dict[str, object] = {"state_dir": machine.own_folder("state"), **(defaults or {})}
    values |= _from_file(machine)
    values |= _from_environment(machine)
    values |= _checked("flags", given.items(), strict=True)
    for name in ("profile_dir", "state_dir", "output_dir", "browser"):
        values[name] = _expanded(machine, str(values.get(name, "")))
    return msgspec.convert(values, Settings)


def config_file(machine: Machine) -> str:
    """Where the file is looked for. It need not be there unless SUBTERMINATOR_CONFIG names it."""
    named = machine.environ.get(FILE_VARIABLE, "")
    if named:
        return _expanded(machine, named)
    return machine.join(machine.own_folder("config"), "config.toml")


def private_folder(path: str) -> Path:
    """Make the folder if need be, for its owner alone; refuse one that others can look into."""
    folder = Path(path)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = folder.stat()
    except OSError as error:
        raise _unusable(path, f"cannot be made ({error.strerror})") from error
    if os.name == "posix":
        if seen.st_uid != os.geteuid():
            raise _unusable(path, "belongs to another user")
        if stat.S_IMODE(seen.st_mode) & 0o077:
            raise _unusable(path, "is open to other users", f"Run: chmod 700 {shlex.quote(path)}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unusable(path, "is not writable")
    return folder


def _unusable(path: str, problem: str, next_step: str = "") -> InvalidParams:
    return InvalidParams(
        f"The folder {path} {problem}.",
        next_step=next_step or "Choose another one with state_dir or SUBTERMINATOR_STATE_DIR.",
    )


def _from_file(machine: Machine) -> dict[str, object]:
    path = config_file(machine)
    try:
        text = machine.read(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParams(f"{path} cannot be read: {error}.") from error
    if text is None:
        if machine.environ.get(FILE_VARIABLE):
            raise InvalidParams(f"{FILE_VARIABLE} names a file that is not there: {path}.")
        return {}
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidParams(f"{path} is not valid TOML: {error}.") from error
    return _checked(path, table.items(), strict=True)


def _from_environment(machine: Machine) -> dict[str, object]:
    found = {
        variable.removeprefix(PREFIX).lower(): value
        for variable, value in machine.environ.items()
        if variable.startswith(PREFIX) and variable != FILE_VARIABLE and value
    }
    others = {meant: found.pop(name) for name, meant in OTHER_NAMES.items() if name in found}
    return _checked("the environment", (others | found).items(), strict=False)


def _checked(
    source: str, pairs: Iterable[tuple[str, object]], *, strict: bool
) -> dict[str, object]:
    return {name: _one(source, name, value, strict=strict) for name, value in pairs}


def _one(source: str, name: str, value: object, *, strict: bool) -> object:
    """One value as its field wants it. Not strict: it is text, as the environment has it."""
    kind = TYPES.get(name)
    if kind is None:
        close = difflib.get_close_matches(name, TYPES, n=1)
        advice = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(TYPES)}."
        raise InvalidParams(f"{source}: there is no setting {name}.", next_step=advice)
    if kind == Hosts and isinstance(value, str) and not strict:
        value = re.split(r"[\s,]+", value.strip())
    try:
        good: object = msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        expected = kind.__metadata__[0].title
        raise InvalidParams(f"{source}: {name} is {value!r}; expected {expected}.") from error
    return tuple(host.lower() for host in good) if isinstance(good, tuple) else good


def _expanded(machine: Machine, path: str) -> str:
    return machine.join(machine.home, path[2:]) if path.startswith(("~/", "~\\")) else path

"""The words of the shell and where its sessions listen. The standard library alone: it is quick.

What is said twice here, because the whole thing would have to be loaded to ask, is compared with
the whole thing by tests.
"""

from __future__ import annotations

import os
import sys

# The verbs that a session understands: one for each action, under a name that is easily typed.
ACTIONS = {
    "navigate": "navigate",
    "back": "back",
    "forward": "forward",
    "reload": "reload",
    "click": "click",
    "hover": "hover",
    "fill": "fill",
    "clear": "clear",
    "type": "type",
    "press": "press",
    "select": "select",
    "check": "check",
    "uncheck": "uncheck",
    "scroll": "scroll",
    "drag": "drag",
    "upload": "upload",
    "wait": "wait",
    "snapshot": "snapshot",
    "find": "find",
    "text": "text",
    "screenshot": "screenshot",
    "tabs": "list_tabs",
    "tab": "select_tab",
    "open-tab": "open_tab",
    "close-tab": "close_tab",
    "frames": "list_frames",
    "frame": "select_frame",
    "dialog": "dialog",
    "execute": "execute",
}
OPEN, CLOSE, EXTRACT, STATUS, SESSIONS = "open", "close", "extract", "status", "sessions"
VERBS = frozenset({*ACTIONS, OPEN, CLOSE, EXTRACT, SESSIONS})
USUAL = "default"
FOLDER = "shell"
# The kernel's limit for the path of a socket is 108 bytes on Linux and 104 elsewhere.
LONGEST_PATH = 100


def is_name(text: str) -> bool:
    """Whether a session may be called so: it is a part of a file name."""
    plain = text.replace("-", "").replace("_", "").replace(".", "")
    return 0 < len(text) <= 40 and text[0].isalnum() and plain.isalnum() and text.isascii()


def state_folder() -> str:
    """The state folder, as the settings have it: environment, file, the system's own place."""
    named = os.environ.get("SUBTERMINATOR_STATE_DIR", "") or _in_file()
    return os.path.expanduser(named) if named else _own_folder("state")


def _own_folder(kind: str) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/subterminator"
    variable, below = {
        "state": ("XDG_STATE_HOME", ".local/state"),
        "config": ("XDG_CONFIG_HOME", ".config"),
    }[kind]
    given = os.environ.get(variable, "")
    return f"{given if given.startswith('/') else f'{home}/{below}'}/subterminator"


def _in_file() -> str:
    path = os.environ.get("SUBTERMINATOR_CONFIG", "")
    path = os.path.expanduser(path) if path else f"{_own_folder('config')}/config.toml"
    if not os.path.exists(path):
        return ""
    import tomllib  # where there is a file

    try:
        with open(path, "rb") as file:
            return str(tomllib.load(file).get("state_dir", ""))
    except (OSError, tomllib.TOMLDecodeError):
        return ""  # Whatever is wrong with it is said by the session that is started.


def socket_folder(state: str) -> str:
    """Where sessions listen: in the state folder, or in a short one where paths get too long."""
    long = f"{state}/{FOLDER}"
    if len(os.fsencode(long)) <= LONGEST_PATH - 45:
        return long
    import hashlib  # for few

    mark = hashlib.sha256(os.fsencode(os.path.realpath(state))).hexdigest()[:8]
    return f"/tmp/subterminator-{os.geteuid()}-{mark}-{FOLDER}"


def socket_path(name: str, state: str) -> str:
    return f"{socket_folder(state)}/{name}.sock"


def is_private(path: str) -> bool:
    """Whether it belongs to this user alone; what does not is not talked to."""
    try:
        seen = os.lstat(path)
    except OSError:
        return False
    return seen.st_uid == os.geteuid() and not seen.st_mode & 0o077

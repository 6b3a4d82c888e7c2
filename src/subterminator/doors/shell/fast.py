"""The client of a session: sends the words, prints the answer. The standard library alone.

Everything that takes thought is done by the session, so that a verb costs little.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any

from subterminator.doors.exit_codes import ENVIRONMENT, FAILED, INTERRUPTED, USAGE
from subterminator.doors.shell.places import (
    CLOSE,
    OPEN,
    SESSIONS,
    STATUS,
    USUAL,
    is_name,
    is_private,
    socket_folder,
    socket_path,
    state_folder,
)

CHUNK = 65536
NOT_OPEN = "No session {name!r} is open. Run: subterminator open URL"


class Failure(Exception):
    """Something to tell in one line, and the exit code."""

    def __init__(self, words: str, code: int = FAILED) -> None:
        super().__init__(words)
        self.words, self.code = words, code


def main(arguments: list[str]) -> int:
    """Do one verb; the exit code."""
    try:
        return _run(arguments)
    except Failure as failure:
        print(failure.words, file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED  # Whoever read our output is gone.


def _run(arguments: list[str]) -> int:
    verb, (name, rest) = arguments[0], _split(arguments[1:])
    if verb == SESSIONS:
        return _sessions(rest)
    state = state_folder()
    connection = _connect(socket_path(name, state))
    fresh = connection is None and verb == OPEN
    if fresh:
        _start(name, rest)
        connection = _connect(socket_path(name, state))
    if connection is None:
        raise Failure(NOT_OPEN.format(name=name))
    with connection:
        return _converse(connection, [verb, *rest], fresh)


def _split(arguments: list[str]) -> tuple[str, list[str]]:
    """The session that is meant, and the other words. What follows `--` is never an option."""
    name, rest, words = USUAL, [], iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in ("-s", "--session"):
            name = next(words, "")
        elif word.startswith("--session="):
            name = word[10:]
        else:
            rest.append(word)
    if not is_name(name):
        raise Failure(f"{name!r} is no name for a session: use letters, digits, - _ .", USAGE)
    return name, rest


def _connect(path: str) -> socket.socket | None:
    if not hasattr(socket, "AF_UNIX"):
        raise Failure("This system has no Unix sockets: use the Python API or MCP.", ENVIRONMENT)
    if not os.path.lexists(path):
        return None
    if not (is_private(path) and is_private(os.path.dirname(path))):
        raise Failure(f"{path} is not yours alone: it is not used. Remove it.", ENVIRONMENT)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except (ConnectionRefusedError, FileNotFoundError):
        connection.close()
        return None  # It was left by one that has ended.
    return connection


def _converse(connection: socket.socket, words: list[str], fresh: bool) -> int:
    """Send the words; print what comes until the last line, which has the exit code."""
    read = sys.stdin.read() if "-" in words else None
    request = {"words": words, "folder": os.getcwd(), "read": read, "fresh": fresh}
    connection.sendall(json.dumps(request).encode() + b"\n")
    rest = b""
    while True:
        line, end, rest = rest.partition(b"\n")
        while not end:
            if not (more := connection.recv(CHUNK)):
                raise Failure("The session ended before it answered.")
            head, end, rest = more.partition(b"\n")
            line += head
        answer = json.loads(line)
        if "code" in answer:
            code = _show(answer)
            if words[0] == CLOSE:
                connection.recv(1)  # The end of the process, and with it of the browser.
            return code
        print(answer["say"], file=sys.stderr, flush=True)


def _show(answer: dict[str, Any]) -> int:
    if answer["data"]:
        import base64  # for pictures

        try:
            with open(answer["path"], "wb") as file:
                file.write(base64.b64decode(answer["data"]))
        except OSError as fault:
            raise Failure(f"{answer['path']}: {fault.strerror}. Use --out PATH.") from None
    print(answer["out"])
    return int(answer["code"])


# Sessions


def _start(name: str, rest: list[str]) -> None:
    """Start a session in the background and wait until it listens, or says why it cannot."""
    import subprocess  # for the first verb of a session

    reading, writing = os.pipe()
    start = {"name": name, "words": rest, "folder": os.getcwd()}
    command = [sys.executable, "-P", "-m", "subterminator.doors.shell.background"]
    with os.fdopen(reading, "rb") as told:
        try:
            subprocess.Popen(
                [*command, json.dumps(start), str(writing)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[writing],
                start_new_session=True,
            )
        finally:
            os.close(writing)
        line = told.readline()
    if not line:
        raise Failure("The session did not start. Run: subterminator doctor", ENVIRONMENT)
    answer = json.loads(line)
    if answer["code"]:
        raise Failure(answer["say"], answer["code"])


def _sessions(words: list[str]) -> int:
    """`sessions`, `sessions list`, `sessions close [NAME ...|--all]`."""
    folder = socket_folder(state_folder())
    found = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    names = [entry[:-5] for entry in found if entry.endswith(".sock")]
    match words:
        case [] | ["list"] | ["--json"] | ["list", "--json"]:
            lines = [line for name in names if (line := _ask(folder, name, [STATUS, *words[-1:]]))]
            print("\n".join(lines) or "No session is open.")
            return 0
        case ["close", *chosen]:
            wanted = names if chosen == ["--all"] else chosen or [USUAL]
            for name in wanted:
                print(_ask(folder, name, [CLOSE]) or f"No session {name!r} is open.")
            return 0
        case _:
            raise Failure("Use: subterminator sessions [list [--json] | close [NAME|--all]]", USAGE)


def _ask(folder: str, name: str, words: list[str]) -> str:
    """What a session answers; nothing if it is gone."""
    connection = _connect(f"{folder}/{name}.sock") if is_name(name) else None
    if connection is None:
        return ""
    with connection, connection.makefile("rwb") as file:
        request = {"words": [word for word in words if word != "list"], "folder": "/", "read": None}
        file.write(json.dumps(request).encode() + b"\n")
        file.flush()
        line = file.readline()
        if CLOSE in words:
            file.read()  # The end of the process, and with it of the browser.
    return str(json.loads(line)["out"]) if line else ""

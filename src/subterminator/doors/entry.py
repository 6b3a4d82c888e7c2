"""Where the command begins: session verbs take the short way, everything else the whole one."""

from __future__ import annotations

import sys


def main() -> None:
    from subterminator.doors.shell.places import VERBS

    arguments = sys.argv[1:]
    if not arguments or arguments[0] not in VERBS:
        from subterminator.doors.cli import main as whole

        whole(prog_name="subterminator")
    elif {"-h", "--help"} & set(arguments[: (arguments + ["--"]).index("--")]):
        from subterminator.doors.shell.grammar import explain

        print(explain(arguments[0]))
    else:
        from subterminator.doors.shell.fast import main as quick

        sys.exit(quick(arguments))

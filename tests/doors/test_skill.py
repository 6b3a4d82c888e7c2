"""The page for coding agents tells the truth about the verbs."""

from __future__ import annotations

import re
import shlex

from click.testing import CliRunner

from subterminator.doors.cli import main
from subterminator.doors.shell.grammar import read
from subterminator.doors.shell.places import CLOSE, SESSIONS, VERBS


def test_it_has_a_head_that_skill_files_have_and_names_every_verb() -> None:
    page = CliRunner().invoke(main, ["skill"]).stdout
    head = page.split("---")[1]
    assert dict(line.split(": ", 1) for line in head.strip().splitlines()).keys() == {
        "name", "description",
    }  # fmt: skip
    assert all(re.search(rf"\b{verb}\b", page) for verb in VERBS)


def test_every_command_on_it_can_be_read() -> None:
    page = CliRunner().invoke(main, ["skill"]).stdout
    lines = re.findall(r"^    subterminator (.*)$", page, re.MULTILINE)
    assert len(lines) > 8
    for line in lines:
        verb, *rest = shlex.split(line, comments=True)
        assert verb in VERBS
        if verb not in (CLOSE, SESSIONS):
            assert read([verb, *rest], "/", None).wish

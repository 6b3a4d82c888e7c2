"""`subterminator skill`: a page for coding agents that says how to use the shell. Prints text."""

from __future__ import annotations

from importlib.resources import files

import click


@click.command("skill", short_help="How coding agents use the shell verbs.")
def skill() -> None:
    """Print a skill file for coding agents: put it where yours looks for skills.

    For example: subterminator skill > .claude/skills/subterminator/SKILL.md
    """
    click.echo(text(), nl=False)


def text() -> str:
    from subterminator.doors.shell.places import VERBS

    page = files("subterminator.doors").joinpath("skill.md").read_text(encoding="utf-8")
    return page.replace("{verbs}", ", ".join(sorted(VERBS)))

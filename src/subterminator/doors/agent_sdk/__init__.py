"""The door for the Claude Agent SDK: roles, browser tools and permissions for `ClaudeSDKClient`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subterminator.doors.agent_sdk.person import Person
from subterminator.doors.agent_sdk.work import Claim, Ended, Work, unheard
from subterminator.errors import InvalidParams

if TYPE_CHECKING:
    from claude_agent_sdk import ClaudeAgentOptions

    from subterminator.doors.agent_sdk.kit import Models
    from subterminator.session import Session

__all__ = ["Claim", "Person", "options"]

INSTALL = 'Run: pip install "subterminator[agent-sdk]"'
WRAP = "Wrap them once, person = Person(human), and open the session with human=person."


def options(
    session: Session,
    person: Person,
    *,
    expect: str = "",
    models: Models | None = None,
    ended: Ended = unheard,
) -> ClaudeAgentOptions:
    """What `ClaudeSDKClient` and `query` are given so that a team of models leads this session.

    `person` is the `human` that the session was opened with. `expect` are words that the page must
    show at the end; without them success is only a claim. `ended` is told of every claim. `models`
    names the large and the small one. Change what else you like with `dataclasses.replace`, but
    leave `can_use_tool` as it is; the gate would ask all the same.
    """
    if not isinstance(person, Person):
        raise InvalidParams("options needs the Person of the session.", next_step=WRAP)
    try:
        from subterminator.doors.agent_sdk.kit import equip
    except ImportError as error:
        raise InvalidParams(
            "This needs the package claude-agent-sdk, which is not installed.", next_step=INSTALL
        ) from error
    return equip(Work(session, person, expect=expect, ended=ended), models or {})

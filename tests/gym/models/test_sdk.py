"""The good practice model understands a request of the Claude Agent SDK, and answers in its words."""

from __future__ import annotations

from subterminator.agents.models.base import Answer, Call, Message, Request, Text, Tool
from subterminator.gym.models import sdk
from subterminator.gym.models.replies import Asks, Reply

LOOK, DONE = "mcp__browser__get_accessibility_tree", "mcp__browser__complete_task"
TOOLS = tuple(Tool(name, "", {}) for name in ("Agent", LOOK, DONE))
GOAL = Message("user", (Text("Goal: end it"),))
ABOUT = Message("user", (Text("# Environment"),))


def talk(name: str, said: str, *, failed: bool = False) -> Request:
    asked = Message("assistant", (Call("1", name, {}),))
    answered = Message("user", (Answer("1", said, failed), Text("a reminder")))
    return Request(system="", tools=TOOLS, messages=(GOAL, ABOUT, asked, answered, ABOUT))


def test_names_are_those_of_our_tools_and_what_the_sdk_adds_is_left_out() -> None:
    request = sdk.plain(talk(LOOK, "a page"))
    assert [tool.name for tool in request.tools] == [
        "task", "get_accessibility_tree", "complete_task",
    ]  # fmt: skip
    assert request.messages == (
        GOAL,
        Message("assistant", (Call("1", "get_accessibility_tree", {}),)),
        Message("user", (Answer("1", "a page"),)),
    )


def test_after_a_report_it_has_to_look_for_itself() -> None:
    assert sdk.needs_look(sdk.plain(talk("Agent", "It is done.")))
    assert not sdk.needs_look(sdk.plain(talk(LOOK, "a page")))


def test_it_is_over_when_the_completion_was_taken() -> None:
    assert sdk.is_over(sdk.plain(talk(DONE, "Verified.")))
    assert not sdk.is_over(sdk.plain(talk(DONE, "Not proven.", failed=True)))


def test_a_reply_calls_the_tools_as_they_are_offered() -> None:
    given = {"agent": "executor", "prompt": "Do this: click {}"}
    reply = Reply(calls=(Asks("task", given), Asks("get_accessibility_tree", {})))
    [task, look] = sdk.dressed(reply, talk(LOOK, "")).calls
    assert isinstance(task.arguments, dict)
    assert (task.name, task.arguments["subagent_type"]) == ("Agent", "executor")
    assert task.arguments["prompt"] == "Task: Do this: click {}"
    assert look.name == LOOK


def test_a_request_of_our_own_loop_is_none_of_the_sdk() -> None:
    assert sdk.is_of_sdk(talk(LOOK, ""))
    plain = Request(system="", tools=(Tool("click", "", {}),), messages=(GOAL,))
    assert not sdk.is_of_sdk(plain)

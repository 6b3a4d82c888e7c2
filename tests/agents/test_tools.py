"""The tools a model is given: derived from the actions, checked before anything is done."""

from __future__ import annotations

from typing import get_args

import jsonschema
import pytest

from subterminator import actions as a
from subterminator import errors
from subterminator.actions import AtomicAction
from subterminator.agents.models.base import Call
from subterminator.agents.moves import Act, AskHuman, Complete, Move
from subterminator.agents.team_tools import BY_NAME, tool_named
from subterminator.agents.tools import SEED_TOOLS, WIDER, all_tools, error_code
from subterminator.doors.tool_server import tool_schemas

TOOLS = all_tools()


def read(name: str, **arguments: object) -> Move:
    return TOOLS.read(Call("c", name, dict(arguments)))


def test_the_seven_come_first_and_are_those_of_the_tool_server() -> None:
    first = TOOLS.tools[: len(SEED_TOOLS)]
    shown = [
        {"name": t.name, "description": t.description, "input_schema": t.schema} for t in first
    ]
    assert shown == tool_schemas()


def test_every_action_can_be_asked_for_but_files_and_sequences() -> None:
    by_seven = {a.TakeSnapshot, a.Fill, a.Select, a.Scroll}
    assert set(get_args(AtomicAction)) - set(WIDER.values()) - by_seven == {a.Upload}


@pytest.mark.parametrize("tool", [*TOOLS.tools, *map(tool_named, BY_NAME)], ids=lambda t: t.name)
def test_every_schema_is_one_and_takes_nothing_else(tool: object) -> None:
    schema = tool.schema  # type: ignore[attr-defined]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("name", "arguments", "action"),
    [
        ("browser_click", {"ref": "@e7"}, a.Click("@e7")),
        ("browser_fill", {"ref": "@e7", "value": "x"}, a.Fill("@e7", "x")),
        (
            "browser_fill",
            {"ref": "@e7", "value": "x", "clear_first": False},
            a.Type("x", "@e7"),
        ),
        ("browser_select", {"ref": "@e7", "value": "x"}, a.Select("@e7", ("x",))),
        ("browser_scroll", {"direction": "down"}, a.Scroll(direction="down", amount=300)),
        ("browser_scroll", {"ref": "@e7"}, a.Scroll("@e7")),
        ("browser_check", {"target": "@e7"}, a.Check("@e7")),
        ("browser_wait", {"text": "Done"}, a.Wait(text="Done")),
        ("browser_dialog", {"accept": False}, a.Dialog(False)),
        ("browser_take_screenshot", {}, a.Screenshot(max_size=(1024, 768), masked=True)),
    ],
)
def test_a_call_is_the_action_it_names(
    name: str, arguments: dict[str, object], action: a.Action
) -> None:
    move = read(name, **arguments)
    assert isinstance(move, Act)
    assert (move.action, move.replan) == (action, False)


def test_two_of_them_are_no_actions() -> None:
    assert read("request_human_approval", action="a", reason="b") == AskHuman(text="a: b")
    assert read("complete_task", status="failed", reason="x") == Complete("failed", "x")


@pytest.mark.parametrize("name", ["timeout_ms", "max_size", "action", "masked"])
def test_what_is_settled_by_us_cannot_be_set(name: str) -> None:
    with pytest.raises(errors.InvalidParams, match=name):
        read("browser_take_screenshot", **{name: 1})


def test_every_error_has_one_of_eight_codes() -> None:
    assert error_code(errors.ElementNotFound("x")) == "ref_invalid"
    assert error_code(errors.Refused("x")) == "action_failed"
    assert error_code(errors.HandedOver("x")) == "human_rejected"

from __future__ import annotations

import pytest

from subterminator import actions as a
from subterminator.doors.shell.grammar import Extract, Opening, explain, read
from subterminator.doors.shell.places import VERBS
from subterminator.errors import InvalidParams


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("click @e3", a.Click("@e3")),
        ("click @e3 --count 2 --modifiers Shift --modifiers Alt", a.Click("@e3", count=2, modifiers=("Shift", "Alt"))),
        ("fill @e3 words", a.Fill("@e3", "words")),
        ("fill @e3 -- --json", a.Fill("@e3", "--json")),
        ("type words @e3", a.Type("words", "@e3")),
        ("press Enter", a.Press("Enter")),
        ("select @e3 One Two", a.Select("@e3", ("One", "Two"))),
        ("scroll --direction down --amount=300", a.Scroll(direction="down", amount=300)),
        ("scroll --to 0,500", a.Scroll(to=(0, 500))),
        ("upload @e3 a.txt /b.txt", a.Upload("@e3", ("/here/a.txt", "/b.txt"))),
        ("wait --quiet", a.Wait(quiet=True)),
        ("wait @e3 --state enabled", a.Wait(target="@e3", state="enabled")),
        ("dialog accept --text yes", a.Dialog(True, "yes")),
        ("dialog dismiss", a.Dialog(False)),
        ("open-tab", a.OpenTab()),
        ("tab t2", a.SelectTab("t2")),
        ("snapshot --viewport-only --roles button", a.TakeSnapshot(viewport_only=True, roles=("button",))),
    ],
)  # fmt: skip
def test_words_are_the_fields_of_an_action(line: str, action: a.Action) -> None:
    assert read(line.split(), "/here", None).wish == action


def test_what_is_read_stands_where_the_dash_is() -> None:
    assert read(["fill", "@e1", "-"], "/", "typed\n").wish == a.Fill("@e1", "typed")


def test_what_is_no_action_has_fields_of_its_own() -> None:
    assert read(["open", "x.com", "--sites", "a.com"], "/", None).wish == Opening(
        "x.com", ("a.com",)
    )
    wish = read(["extract", '{"type":"string"}', "--mode", "list"], "/", None).wish
    assert wish == Extract({"type": "string"}, mode="list")


@pytest.mark.parametrize(
    "words",
    [
        ["click"], ["click", "@e1", "@e2"], ["click", "@e1", "--nope"], ["press", "NoSuchKey"],
        ["wait"], ["wait", "--text"], ["dialog", "maybe"], ["extract", "{"], ["extract", "{}", "--mode", "x"],
        ["execute"], ["execute", "nope @e1"], ["execute", "fill 'x"], ["execute", "execute 'click @e1'"],
        ["scroll", "--to", "a,b"],
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_what_to_do(words: list[str]) -> None:
    with pytest.raises(InvalidParams) as caught:
        read(words, "/", None)
    assert caught.value.advice


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_explains_itself(verb: str) -> None:
    assert explain(verb).startswith(f"Usage: subterminator {verb}")

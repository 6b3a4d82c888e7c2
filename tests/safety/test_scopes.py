"""What a caller may ask for at all."""

from __future__ import annotations

from typing import get_args

import pytest

from subterminator import actions as a
from subterminator import errors
from subterminator.safety.scopes import KNOWN, NEEDED, PROFILES, Scopes


def test_every_action_needs_a_scope_that_exists() -> None:
    needed = [kind for kinds in NEEDED.values() for kind in kinds]
    assert sorted(map(str, needed)) == sorted(map(str, get_args(a.AtomicAction)))
    assert set(NEEDED) <= KNOWN


def test_a_reader_may_look_and_not_touch() -> None:
    reader = Scopes.of(["readonly"])
    reader.check(a.TakeSnapshot())
    reader.check(a.ListTabs())
    for action in (a.Click("@e1"), a.Navigate("http://x"), a.Dialog(True), a.Press("Enter")):
        with pytest.raises(errors.OutOfScope, match="lacks (action|page):"):
            reader.check(action)


def test_a_category_covers_its_scopes_and_no_others() -> None:
    clicks = Scopes.of(["action:*"])
    clicks.check(a.Drag("@e1", "@e2"))
    with pytest.raises(errors.OutOfScope):
        clicks.check(a.OpenTab())


@pytest.mark.parametrize(("alias", "action"), [
    ("agent:execute", a.Click("@e1")), ("agent:snapshot", a.TakeSnapshot()),
    ("agent:*", a.Fill("@e1", "x")), ("*", a.Upload("@e1", ("f",))),
])  # fmt: skip
def test_the_names_of_the_agent_methods_are_understood(alias: str, action: a.AtomicAction) -> None:
    Scopes.of([alias]).check(action)


def test_no_scope_is_granted_by_an_unknown_or_an_empty_list() -> None:
    with pytest.raises(errors.InvalidParams, match="action:everything"):
        Scopes.of(["action:everything"])
    with pytest.raises(errors.OutOfScope):
        Scopes.of([]).check(a.TakeSnapshot())


def test_g14_no_scope_lets_a_caller_approve() -> None:
    assert not [scope for scope in KNOWN if "approv" in scope]
    assert not [scope for names in PROFILES.values() for scope in names if "approv" in scope]

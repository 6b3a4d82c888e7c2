"""The same policy in the words of a destructive-action check."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator import actions as a
from subterminator.safety.destructive import check
from tests.site import Site

PAGE = """<button>Delete message</button><button>Send message</button><button>Buy now</button>
  <button>Search</button><label>Postcode <input></label><label>Password <input type=password></label>"""
EXPECTED = {
    a.Click("text:Delete message"): (False, True, "delete"),
    a.Click("text:Send message"): (False, True, "send"),
    a.Click("text:Buy now"): (False, True, "payment"),
    a.Click("text:Search"): (False, False, "safe"),
    a.Fill("label:Postcode", "12345"): (False, False, "safe"),
    a.Fill("label:Password", "hunter2"): (True, False, "blocked"),
}


@pytest.mark.parametrize("action", EXPECTED, ids=str)
async def test_each_action_is_blocked_confirmed_or_safe(
    session: Session, site: Site, action: a.AtomicAction
) -> None:
    await session.navigate(site.page(PAGE))
    found = check(await session.judge(action))
    assert (found.blocked, found.requires_confirmation, found.category) == EXPECTED[action]

"""What only a real browser can show: that the pages work by hand, and tell what hands did."""

from __future__ import annotations

import subterminator
from subterminator.gym.flows import p01_plain
from subterminator.gym.scene import Look
from subterminator.gym.server import gym
from tests.conftest import Person
from tests.gym.conftest import NewVisitor, flaky
from tests.gym.rotation import one_of_three
from tests.gym.visitor import Visitor


async def arrive(session: subterminator.Session, one: Visitor, page: str = "account") -> None:
    await session.navigate(f"{one.site}/{one.flow}/{page}?sid={one.sid}")


async def press(session: subterminator.Session, words: str) -> None:
    """Press the control with these words, whatever it is made of."""
    found = [it for it in (await session.snapshot()).elements if it.name == words]
    await session.click(found[0].ref)


@one_of_three("A")
async def test_the_plain_flow_can_be_gone_by_hand(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True
    one = visitor("p01-plain", look)
    await arrive(session, one)
    await press(session, "Cancel subscription")
    await one.call("gate", {"kind": "final"})
    await press(session, "Confirm cancellation")
    await session.wait(text="Your subscription has been cancelled")
    await one.call("claim", {"claim": "cancelled"})
    score = await one.score()
    assert (score["success"], score["points"], score["actions"]) == (True, 100, 2)


@one_of_three("B")
async def test_an_open_page_goes_on_soon_after_the_human_was_there(
    look: Look, visitor: NewVisitor, session: subterminator.Session
) -> None:
    one = visitor("p17-login", look)
    await arrive(session, one)
    await session.wait(text="Please sign in to see your account.")
    await one.call("human", {"kind": "login"})
    await session.wait(url="*/p17-login/account*", timeout_ms=1500)


@one_of_three("C")
async def test_a_required_answer_wakes_the_button(
    look: Look, visitor: NewVisitor, session: subterminator.Session
) -> None:
    one = visitor("p05-survey", look)
    await arrive(session, one, "reason")
    await session.wait("role:button:Next", "disabled")
    await press(session, "I prefer not to say")
    await session.wait("role:button:Next", "enabled")
    await press(session, "Next")
    await session.wait(text="One last look")
    assert (await one.score())["actions"] == 2


@one_of_three("A")
async def test_the_cookie_wall_goes_away_without_consent(
    look: Look, session: subterminator.Session
) -> None:
    async with gym(flaky(p01_plain.FLOW, fails="confirm", banner="wall", look=look)) as addresses:
        one = Visitor(addresses.site, "p01-plain", "wall")
        await arrive(session, one)
        await press(session, "Only necessary cookies")
        await session.wait(text_gone="We use cookies")
        await session.reload()
        await session.wait(text="Your account")
        assert "We use cookies" not in (await session.snapshot()).text()
        assert await one.harms() == []


@one_of_three("B")
async def test_the_bare_cancel_only_closes_the_dialog(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True
    one = visitor("p09-modal-cancel", look)
    await arrive(session, one)
    await press(session, "Cancel subscription")
    await session.wait(text="Nothing more is charged.")
    await press(session, "Cancel")
    await session.wait(text_gone="Nothing more is charged.")
    assert (await one.state())["account_state"] == "active"


@one_of_three("C")
async def test_what_is_folded_away_opens(
    look: Look, visitor: NewVisitor, session: subterminator.Session
) -> None:
    one = visitor("q06-link-it", look)
    await arrive(session, one)
    assert "Non voglio più rinnovare" not in (await session.snapshot()).text()
    await press(session, "Rinnovo e pagamenti")
    await press(session, "Non voglio più rinnovare")
    await session.wait(text="Come vuoi procedere?")
    assert (await one.score())["actions"] == 2


@one_of_three("A")
async def test_one_tab_is_shown_at_a_time(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True
    one = visitor("q03-steps-fr", look)
    await arrive(session, one)
    await session.wait(text="sur deux appareils")
    await press(session, "Résiliation")
    await session.wait(text_gone="sur deux appareils")
    await press(session, "Commencer")
    await session.wait(text="Étape 1 sur 3")


@one_of_three("B")
async def test_a_switch_asks_and_a_gear_opens_a_dialog(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True
    switch = visitor("q01-switch", look)
    await arrive(session, switch)
    await press(session, "Renew automatically")
    await session.wait(text="Let your pass run out?")
    gear = visitor("q05-gear", look)
    await arrive(session, gear)
    await press(session, "Seat settings")
    await session.wait(text="Door code")
    await press(session, "Give up my seat")
    await session.wait(text="So you don't want to keep your seat?")
    assert (await gear.score())["actions"] == 2


@one_of_three("C")
async def test_a_menu_in_a_line_of_a_table_can_be_used(
    look: Look, visitor: NewVisitor, session: subterminator.Session
) -> None:
    one = visitor("q02-rows", look)
    await arrive(session, one)
    for row in (2, 1, 0):  # An open menu lies over the lines below it.
        menus = [it for it in (await session.snapshot()).elements if it.name == "Actions"]
        await session.click(menus[row].ref)
    await press(session, "Stop sending")
    await session.wait(text="Your other magazines are not touched by this.")

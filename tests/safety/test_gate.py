"""The gate in a real browser: what a yes is good for, and what it is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

import subterminator
from subterminator import Question, Session, errors
from subterminator import actions as a
from subterminator.app import over
from subterminator.config import load
from subterminator.engine.chromium import Chromium
from subterminator.machine import this_machine
from subterminator.runs.events import Answered, Asked, Outcome
from subterminator.runs.store import Store
from subterminator.safety.task import Task
from tests.conftest import Person
from tests.engine.running import BROWSER
from tests.site import Site

PAY = "<button id=b onclick=\"fetch('/paid')\">Pay now</button>"
Meanwhile = Callable[[], Awaitable[object]]


class Thinking(Person):
    """Says yes, but while it thinks something happens."""

    def __init__(self, meanwhile: Meanwhile) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    async def approve(self, question: Question) -> bool:
        self.asked.append(question)
        await self._meanwhile()
        return True


@asynccontextmanager
async def changing(url: str) -> AsyncIterator[Session]:
    """A page that does something of its own, on F2, while the person thinks."""

    async def change() -> None:
        await session._driver.perform(a.Press("F2"), (), 5)

    async with subterminator.open(human=Thinking(change)) as session:
        await session.navigate(url)
        yield session


def on_f2(script: str) -> str:
    return f"<script>addEventListener('keydown', (e) => {{ if (e.key == 'F2') {{ {script} }} }})</script>"


FORM = """<form id=f action=/paid method=post><label><input type=checkbox id=box> Insure it</label>
  <button id=b>Pay now</button></form>"""
CHANGES = {
    "its label": (PAY, "b.textContent = 'Pay twice'"),
    "its name": (PAY, "b.setAttribute('aria-label', 'Pay for everyone')"),
    "its script": (PAY, "b.onclick = () => fetch('/paid?twice')"),
    "what listens to it": (PAY, "b.addEventListener('click', () => fetch('/paid?twice'))"),
    "its state": (PAY, "b.disabled = true"),
    "where its form is sent": (FORM, "f.action = '/paid?all'"),
    "how its form is sent": (FORM, "f.method = 'get'"),
    "a box that is ticked": (FORM, "box.checked = true"),
    "the price beside it": (
        f"<section><h2>Total $5.00</h2>{PAY}</section>",
        "document.querySelector('h2').textContent = 'Total $500.00'",
    ),
    "the element itself": (PAY, "b.replaceWith(b.cloneNode(true))"),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_h19_what_changes_after_a_yes_has_to_be_asked_again(site: Site, what: str) -> None:
    page, script = CHANGES[what]
    async with changing(site.page(page + on_f2(script))) as session:
        with pytest.raises((errors.ApprovalVoid, errors.RefInvalid)):
            await session.click("#b")
    assert site.hits["/paid"] == 0


async def test_g5_a_yes_is_void_on_another_page(site: Site) -> None:
    site.pages["/other"] = PAY
    page = site.page(PAY + on_f2("location = '/other'"))
    async with changing(page) as session:
        with pytest.raises((errors.ApprovalVoid, errors.RefInvalid)):
            await session.click("#b")
    assert site.hits["/paid"] == 0


async def test_g6_a_yes_is_void_for_the_same_words_in_another_frame(site: Site) -> None:
    site.pages["/frame"] = PAY
    page = site.page(f"<main>{PAY}</main><iframe src=/frame></iframe>" + on_f2("b.remove()"))
    async with changing(page) as session:
        with pytest.raises((errors.ApprovalVoid, errors.RefInvalid)):
            await session.click("css:main > button")
    assert site.hits["/paid"] == 0


async def test_h18_a_target_that_is_swapped_under_the_pointer_is_not_pressed(
    session: Session, site: Site, person: Person
) -> None:
    page = """<div id=d><button id=b onclick="fetch('/paid')">Finish cancellation</button></div>
      <button id=u style='position: fixed; display: none' onclick="fetch('/upgraded')">Upgrade</button>
      <script>addEventListener('pointerdown', () => {
        const { left, top, width, height } = b.getBoundingClientRect();
        Object.assign(u.style, { left: left + 'px', top: top + 'px', width: width + 'px',
          height: height + 'px', display: 'block' }); }, true)</script>"""
    await session.navigate(site.page(page))
    person.says = True
    try:
        await session.click("#b")
    except errors.SubTerminatorError as fault:
        assert fault.code == "element_obscured"
    await session.wait(quiet=True)
    assert site.hits["/upgraded"] == 0


async def test_h6_a_confirm_after_the_final_press_needs_a_yes_of_its_own(
    session: Session, site: Site, person: Person
) -> None:
    page = (
        "<button onclick=\"confirm('Really end it?') && fetch('/ended')\">End subscription</button>"
    )
    await session.navigate(site.page(page))
    person.says = True
    pressed = await session.click("css:button")
    assert pressed.happened.dialog and pressed.happened.dialog.message == "Really end it?"
    person.says = False
    with pytest.raises(errors.HumanRejected):
        await session.dialog(accept=True)
    assert site.hits["/ended"] == 0
    assert [question.action for question in person.asked] == ["click", "dialog"]


async def test_g1_a_no_presses_nothing_and_is_written_down(site: Site, person: Person) -> None:
    async with subterminator.open(site.page(PAY), human=person) as session:
        with pytest.raises(errors.HumanRejected, match="Not approved"):
            await session.click("#b")
        run = session.record.id
    assert site.hits["/paid"] == 0
    lines = Store(load(this_machine()).state_dir).read(run).lines
    events = [line.event for line in lines]
    [asked] = [event for event in events if isinstance(event, Asked)]
    [answered] = [event for event in events if isinstance(event, Answered)]
    assert (answered.question, answered.answer) == (asked.question, "no")
    assert "human_rejected" in [event.code for event in events if isinstance(event, Outcome)]


async def test_g4_a_yes_to_one_button_is_not_a_yes_to_another(
    session: Session, site: Site, person: Person
) -> None:
    page = PAY + "<button id=c onclick=\"fetch('/closed')\">Close my account</button>"
    await session.navigate(site.page(page))
    person.says = True
    await session.click("#b")
    person.says = False
    with pytest.raises(errors.HumanRejected):
        await session.click("#c")
    assert (site.hits["/paid"], site.hits["/closed"]) == (1, 0)


async def test_g7_a_yes_is_good_for_one_press(session: Session, site: Site, person: Person) -> None:
    await session.navigate(site.page(PAY))
    person.says = True
    await session.click("#b")
    person.says = False
    with pytest.raises(errors.HumanRejected):
        await session.click("#b")
    assert site.hits["/paid"] == 1
    assert len({question.digest for question in person.asked}) == 2


async def test_g3_nobody_answering_in_time_is_a_no(site: Site) -> None:
    settings = load(this_machine(), {"confirm_timeout_ms": 200})
    async with subterminator.open(
        site.page(PAY), human=Thinking(asyncio.Event().wait), settings=settings
    ) as session:
        with pytest.raises(errors.HumanRejected, match="in time"):
            await session.click("#b")
    assert site.hits["/paid"] == 0


async def test_g13_the_question_shows_the_facts_and_no_secret(
    session: Session, site: Site, person: Person
) -> None:
    page = """<form action=/paid><p>Card 4242 4242 4242 4242, bill to ada@example.org</p>
      <label>Password <input type=password value=hunter2></label>
      <label><input type=checkbox checked> Renew every year</label>
      <button>Pay $11.99</button></form>"""
    await session.navigate(site.page(page))
    with pytest.raises(errors.HumanRejected):
        await session.click("css:button")
    [question] = person.asked
    assert question.button == "Pay $11.99" and question.host == "127.0.0.1"
    assert any("11.99" in amount for amount in question.money)
    assert [box for box in question.ticked if "Renew every year" in box]
    whole = repr(question)
    for secret in ("4242 4242", "hunter2", "ada@example.org"):
        assert secret not in whole


# A task that cancels, and a planner that wants something else


@asynccontextmanager
async def cancelling(site: Site, person: Person) -> AsyncIterator[Session]:
    driver = await Chromium.start(BROWSER)
    task = Task("job-1", ("127.0.0.1",), purpose="cancel", service="acme")
    settings = load(this_machine())
    async with over(driver, human=person, settings=settings, task=task) as session:
        yield session


OFFERS = {
    "an offer": "Claim your free month",
    "an upgrade": "Upgrade to Premium",
    "a payment": "Pay $20",
    "a pause": "Pause my subscription",
    "a deletion": "Delete my account",
}


async def test_l10_in_a_cancel_task_offers_payments_and_deletions_are_denied(
    site: Site, person: Person
) -> None:
    person.says = True
    async with cancelling(site, person) as session:
        for words in OFFERS.values():
            await session.navigate(
                site.page(f"<button onclick=\"fetch('/harm')\">{words}</button>")
            )
            with pytest.raises(errors.Refused) as caught:
                await session.click("css:button")
            assert caught.value.code == "refused", words
    assert site.hits["/harm"] == 0 and person.asked == []


async def test_l12_what_a_model_says_is_shown_apart_and_a_lie_is_marked(
    session: Session, site: Site, person: Person
) -> None:
    await session.navigate(site.page(PAY))
    with pytest.raises(errors.HumanRejected):
        await session.call(a.Click("#b"), said="Close the cookie banner")
    with pytest.raises(errors.HumanRejected):
        await session.call(a.Click("#b"), said="Pay now")
    lie, truth = person.asked
    assert lie.button == truth.button == "Pay now"
    assert lie.said == "Close the cookie banner" and lie.mismatch
    assert not truth.mismatch


async def test_f12_the_end_of_one_subscription_is_pressed_by_one_run_only(
    site: Site, person: Person
) -> None:
    person.says = True
    page = site.page("<button onclick=\"fetch('/ended')\">Confirm cancellation</button>")
    async with cancelling(site, person) as first, cancelling(site, person) as second:
        await first.navigate(page)
        await second.navigate(page)
        await first.click("css:button")
        with pytest.raises(errors.Refused) as caught:
            await second.click("css:button")
    assert caught.value.code == "not_pressed"
    assert site.hits["/ended"] == 1


# Found by trying to get round it


HARM = "onclick=\"fetch('/harm')\""
PARTS = {
    "a part of a button": f"<button {HARM}>Delete account <span id=b>now</span></button>",
    "a part of a link": "<a href=/harm>Delete account <span id=b>now</span></a>",
    "a clickable part": f"<button {HARM}>Pay now <span id=b onclick=1 style='cursor: pointer'>safely</span></button>",
    "a part of a card": f"<div {HARM}><h3>Delete account</h3><p id=b>Everything</p></div>",
    "a frame": "<iframe id=b src=/inside style='width: 200px; height: 80px; border: 0'></iframe>",
    "an object": "<object id=b data=/inside type=text/html style='width: 200px; height: 80px'></object>",
}


@pytest.mark.parametrize("what", PARTS)
async def test_a_part_or_a_frame_is_judged_as_what_it_presses(
    session: Session, site: Site, what: str
) -> None:
    site.pages["/harm"] = "done"
    site.pages["/inside"] = (
        f"<body style='margin: 0'><button style='width: 200px; height: 80px' {HARM}>Pay</button>"
    )
    await session.navigate(site.page(PARTS[what]))
    with pytest.raises(errors.Refused):
        await session.click("css:#b")
    assert site.hits["/harm"] == 0


@pytest.mark.parametrize(
    "action",
    [a.Click("#b", count=2), a.Press("Enter", "#b", count=5), a.Press("Space", "#b", count=2)],
    ids=str,
)
async def test_one_yes_is_good_for_one_press_only(
    session: Session, site: Site, person: Person, action: a.AtomicAction
) -> None:
    await session.navigate(site.page(PAY))
    person.says = True
    with pytest.raises(errors.Refused, match="one press"):
        await session.call(action)
    assert site.hits["/paid"] == 0


async def test_what_changes_when_the_pointer_comes_is_asked_again(
    session: Session, site: Site, person: Person
) -> None:
    page = """<button id=b onpointerenter="this.textContent = 'Delete account'"
      onclick="fetch('/harm')">Cancel subscription</button>"""
    await session.navigate(site.page(page))
    person.says = True
    with pytest.raises((errors.ApprovalVoid, errors.RefInvalid)):
        await session.click("#b")
    assert site.hits["/harm"] == 0


async def test_a_card_number_is_typed_by_the_person_whatever_the_field_is_called(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<label>Number <input></label>"))
    with pytest.raises(errors.HandedOver):
        await session.fill("label:Number", "4111 1111 1111 1111")


async def test_a_label_for_a_box_can_be_clicked(session: Session, site: Site) -> None:
    page = (
        "<label for=x>Remember me</label><input type=checkbox id=x onchange=\"fetch('/ticked')\">"
    )
    await session.navigate(site.page(page))
    result = await session.click("css:label")
    await session.wait(quiet=True)
    assert site.hits["/ticked"] == 1 and "no click" not in result.text()


LINKS = "<a href=/gone?all>Delete my account</a> <a href=/help>Help</a>"


@pytest.mark.parametrize("left", [False, True], ids=["on its page", "after its page was left"])
@pytest.mark.parametrize("kind", [a.Navigate, a.OpenTab])
async def test_the_address_of_a_link_is_asked_about_like_the_link(
    session: Session, site: Site, person: Person, kind: type[a.Navigate | a.OpenTab], left: bool
) -> None:
    site.pages |= {"/gone": "Gone", "/help": "Help", "/other": "Other"}
    await session.navigate(site.page(LINKS))
    await session.snapshot()
    if left:
        await session.navigate(f"{site.address}/other")
    with pytest.raises(errors.HumanRejected):
        await session.call(kind(f"{site.address}/gone?all"))
    [asked] = person.asked
    assert "Delete my account" in str(asked) and site.hits["/gone"] == 0
    await session.call(kind(f"{site.address}/help"))
    assert len(person.asked) == 1 and site.hits["/help"] == 1


async def test_a_yes_to_the_address_of_a_link_opens_it_once(
    session: Session, site: Site, person: Person
) -> None:
    site.pages["/gone"] = "Gone"
    await session.navigate(site.page(LINKS))
    await session.snapshot()
    person.says = True
    result = await session.navigate(f"{site.address}/gone?all")
    assert result.page.url.endswith("/gone?all")
    assert len(person.asked) == 1 and site.hits["/gone"] == 1

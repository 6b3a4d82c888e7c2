"""A way that a model found is gone again without one, and left where the page is another."""

from __future__ import annotations

from pathlib import Path

import pytest

from subterminator import Session, errors
from subterminator.agents import verification
from subterminator.agents.cascade import by_model
from subterminator.agents.replay import Recorder, Way, by_replay, file_of, load, save
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.agents.talking import call, calls, following, led_by, press, ref_of
from tests.site import Site

LAST = (
    f"<h1>Cancel your plan?</h1><p>Your plan ends on {DAY}. There is no refund.</p>"
    "<a href=/account>Keep plan</a>" + button("Confirm cancellation", "/do/end")
)
SURVEY = (
    "<h1>Why do you leave?</h1><form method=post action=/do/answer>"
    "<label>Comment <textarea name=c></textarea></label>"
    "<label><input type=radio name=r>Too dear</label>"
    "<label><input type=radio name=r>Prefer not to say</label><button>Continue</button></form>"
)


@pytest.fixture
def shop(site: Site, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(verification, "RESULT_WAITS", (0, 500))
    monkeypatch.setattr(verification, "FRESH_WAITS", (0, 100))
    return opened(site)


def opened(site: Site) -> Shop:
    site.clear()
    shop = Shop(site, plan("<a href=/survey>Cancel plan</a>" + button("Save", "/do/harm")))
    shop.page("/survey", SURVEY)
    shop.effect("/do/answer", lambda: None, "/last")
    shop.page("/last", LAST)
    return shop


async def recorded(session: Session, shop: Shop) -> Way:
    model = following(
        press("Cancel plan"),
        lambda request: calls(call("browser_check", target=ref_of(request, "Prefer not to say"))),
        lambda request: calls(
            call("browser_fill", ref=ref_of(request, "Comment"), value="No reason given.")
        ),
        press("Continue"),
        press("Confirm cancellation"),
    )
    recorder = Recorder(led_by(model))
    result = await lead(session, shop, Customer(), plan=recorder)
    assert result.outcome == "cancelled"
    return Way("pebble", "llm", result.ended, recorder.finished())


async def test_a_way_holds_names_and_no_refs(session: Session, shop: Shop) -> None:
    way = await recorded(session, shop)
    names = [step.mark.name for step in way.steps if step.mark]
    assert names == [
        "Cancel plan",
        "Prefer not to say",
        "Comment",
        "Continue",
        "Confirm cancellation",
    ]
    assert [step.path for step in way.steps][0] == "/account"


async def test_it_is_gone_again_without_a_model_and_asks_the_person_as_before(
    session: Session, shop: Shop, tmp_path: Path
) -> None:
    way = await recorded(session, shop)
    path = file_of(str(tmp_path), "Pebble & Co")
    save(way, path)
    again = opened(shop.site)
    customer = Customer()
    result = await lead(session, again, customer, plan=by_replay(load(path), None))
    assert (result.outcome, result.spent.answers) == ("cancelled", 0)
    assert (customer.buttons, again.presses, again.harms) == (["Confirm cancellation"], 1, [])
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "changed",
    [
        LAST.replace("Confirm cancellation", "Confirm upgrade"),
        "<h1>Something else</h1><p>Come back later.</p>",
        LAST + button("Confirm cancellation", "/do/harm"),
    ],
    ids=["renamed", "another page", "two of them"],
)
async def test_where_the_page_was_changed_it_stops_and_presses_nothing(
    session: Session, shop: Shop, changed: str
) -> None:
    way = await recorded(session, shop)
    again = opened(shop.site)
    again.page("/last", changed)
    customer = Customer()
    result = await lead(session, again, customer, plan=by_replay(way, None))
    assert (result.outcome, result.reason) == ("stopped", "unsafe")
    assert (again.presses, again.harms, customer.asked) == (0, [], [])
    assert "not as it was" in (result.error or "")


async def test_where_the_page_was_changed_another_planner_goes_on_from_there(
    session: Session, shop: Shop
) -> None:
    way = await recorded(session, shop)
    again = opened(shop.site)
    again.page("/last", LAST.replace("Confirm cancellation", "Yes, end it now"))
    model = following(press("Yes, end it now"))
    other = by_model(model, rules_first=False)
    customer = Customer()
    result = await lead(session, again, customer, plan=by_replay(way, other))
    assert (result.outcome, len(model.asked)) == ("cancelled", 1)
    assert customer.buttons == ["Yes, end it now"]


async def test_a_way_with_a_secret_in_it_is_not_kept(session: Session, shop: Shop) -> None:
    card = "4111 1111 1111 1111"
    model = following(
        press("Cancel plan"),
        lambda request: calls(call("browser_fill", ref=ref_of(request, "Comment"), value=card)),
        press("Continue"),
        press("Confirm cancellation"),
    )
    recorder = Recorder(led_by(model))
    await lead(session, shop, Customer(), plan=recorder)
    assert recorder.finished() == ()


@pytest.mark.parametrize("data", [b"", b"{}", b'{"service": 7}'])
def test_a_file_that_is_no_way_is_an_error_with_a_next_step(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "way.json"
    path.write_bytes(data)
    with pytest.raises(errors.InvalidParams, match="cannot be read") as caught:
        load(path)
    assert "Remove" in caught.value.advice

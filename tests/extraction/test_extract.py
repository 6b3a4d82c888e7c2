"""Data out of pages, without a model; and honesty about what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from subterminator import Session
from subterminator.extraction.extract import Extraction, Wish, extract
from subterminator.extraction.values import likeness, number_in, read
from tests.site import Site

SHOP = """
<h1>Shop</h1><p>Everything for the house</p>
<div class=product><h3>Alpha widget</h3><span>$10.50</span> <a href=/a>More</a></div>
<div class=product><h3>Beta widget</h3><span>$1,020</span> <a href=/b>More</a></div>
<div class=product><h3>Gamma widget</h3><span>30,25 EUR</span> <a href=/c>More</a></div>
<h2>Cities</h2>
<table><tr><th>City</th><th>Population</th></tr>
<tr><td>Oslo</td><td>700 000</td></tr><tr><td>Bergen</td><td>290000</td></tr></table>
<h2>Your plan</h2>
<dl><dt>Plan</dt><dd>Pro</dd><dt>Monthly price</dt><dd>EUR 12.30</dd></dl>
<p>Renews on: 1 December 2026</p>
<label>Card holder <input value="Ada Lovelace"></label>
<label>Password <input type=password value=hunter2></label>
<label><input type=checkbox checked> Newsletter</label>
"""
TEXT, NUMBER = {"type": "string"}, {"type": "number"}


async def found(
    session: Session, site: Site, schema: dict[str, Any], page: str = SHOP, **more: Any
) -> Extraction:
    await session.navigate(site.page(page, title="The shop"))
    return extract(await session.snapshot(), Wish(schema, **more))


def items(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": properties}}


async def test_things_that_are_alike_become_a_list(session: Session, site: Site) -> None:
    got = await found(session, site, items(name=TEXT, price=NUMBER, url=TEXT), mode="list")
    assert got.data == [
        {"name": "Alpha widget", "price": 10.5, "url": f"{site.address}/a"},
        {"name": "Beta widget", "price": 1020, "url": f"{site.address}/b"},
        {"name": "Gamma widget", "price": 30.25, "url": f"{site.address}/c"},
    ]
    assert [source.text for source in got.sources] == [one["name"] for one in got.data]
    assert 0.5 < got.confidence < 0.9


async def test_a_table_is_read_by_its_headers(session: Session, site: Site) -> None:
    for mode in (None, "table"):
        got = await found(session, site, items(population=NUMBER, city=TEXT), mode=mode)
        assert got.data == [
            {"city": "Oslo", "population": 700_000},
            {"city": "Bergen", "population": 290_000},
        ]
        assert got.confidence > 0.9


async def test_an_object_is_read_by_its_labels(session: Session, site: Site) -> None:
    schema = {
        "type": "object",
        "properties": {
            "title": TEXT, "plan": TEXT, "monthlyPrice": NUMBER, "renewsOn": TEXT,
            "cardHolder": TEXT, "newsletter": {"type": "boolean"}, "colour": TEXT,
        },
    }  # fmt: skip
    got = await found(session, site, schema)
    assert got.data == {
        "title": "The shop",
        "plan": "Pro",
        "monthlyPrice": 12.3,
        "renewsOn": "1 December 2026",
        "cardHolder": "Ada Lovelace",
        "newsletter": True,
    }
    assert got.missing == ("colour",) and got.confidence < 0.9


async def test_what_is_required_and_missing_is_no_success(session: Session, site: Site) -> None:
    schema = {
        "type": "object",
        "properties": {"plan": TEXT, "colour": TEXT},
        "required": ["colour"],
    }
    got = await found(session, site, schema)
    assert not got.success and got.error == "Not found: colour." and got.data is None
    none = await found(session, site, items(price=NUMBER, owner=TEXT), page="<p>Nothing here</p>")
    assert not none.success and none.missing == ("price", "owner")


async def test_a_secret_is_never_extracted(session: Session, site: Site) -> None:
    got = await found(session, site, {"type": "object", "properties": {"password": TEXT}})
    assert "hunter2" not in repr(got)


async def test_single_values_and_plain_lists(session: Session, site: Site) -> None:
    price = await found(session, site, NUMBER, instruction="monthly price")
    assert price.data == 12.3 and price.confidence > 0.5
    cities = await found(
        session, site, {"type": "array", "items": TEXT}, instruction="all city names"
    )
    assert cities.data == ["Oslo", "Bergen"] and cities.confidence < 0.9
    text = await found(session, site, TEXT)
    assert "Everything for the house" in text.data and text.confidence == 0.5
    nothing = await found(session, site, NUMBER, instruction="shoe size", page="<p>Hello</p>")
    assert not nothing.success
    wrong = await found(session, site, {"type": "map"})
    assert not wrong.success and "type" in wrong.error


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$10.50", 10.5),
        ("1,020", 1020),
        ("1.234.567", 1_234_567),
        ("1.234,50 €", 1234.5),
        ("12,5", 12.5),
        ("700 000", 700_000),
        ("−3", -3),
        ("CHF 1'250.00", 1250.0),
        ("none", None),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, value: float | None) -> None:
    assert number_in(text) == value


def test_words_are_compared_without_case_humps_and_plurals() -> None:
    assert likeness("monthlyPrice", "Monthly prices") == 1.0
    assert likeness("price", "Price of shipping") < 1.0
    assert likeness("colour", "price") == 0.0
    assert read("Yes", {"type": "boolean"}) == (True, True)
    assert read("perhaps", {"type": "boolean"})[0] is False
    assert read("red", {"type": "string", "enum": ["blue"]})[0] is False

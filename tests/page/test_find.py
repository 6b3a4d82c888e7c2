"""Descriptions in plain words find the element that a person would point at, or nothing."""

from __future__ import annotations

import time

import pytest

from subterminator.errors import FrameNotFound
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import Snapshot, build
from subterminator.types import Flag
from tests.page.nodes import button, control, el, heading, link, look, off, text, walk


def account() -> Snapshot:
    rows = [
        node
        for name in ("Backup", "Mail", "Photos")
        for node in (
            el("row", depth=1),
            el("cell", name, 2),
            el("cell", "", 2),
            button("Turn off", 3),
            button("Delete", 3),
        )
    ]
    return look(
        control("searchbox", "Search the shop", flags=Flag.EDITABLE, type="search"),
        heading("Services", 2),
        el("table", "Your services"),
        *rows,
        heading("Billing", 2),
        control("textbox", "Number", flags=Flag.EDITABLE | Flag.SECRET, secret="card"),
        control("textbox", "Email", flags=Flag.EDITABLE, type="email"),
        control("checkbox", "Under 18", flags=Flag.CHECKABLE),
        link("Résilier l'abonnement", "https://shop.example/resilier"),
        button("", hint="~trash"),
        button("Sign in", flags=Flag.SUBMITS),
        control("textbox", "", placeholder="Promo code"),
        off(link("Terms of use", "https://shop.example/terms")),
        el("dialog", "Leave?", flags=Flag.TOP),
        button("Stay", 1, flags=Flag.TOP),
        button("×", 1, flags=Flag.TOP),
    )


def best(description: str, snapshot: Snapshot | None = None, **given: object) -> str:
    """Name and context of the best match, "" if there is none."""
    found = (snapshot or account()).find(description, **given)  # type: ignore[arg-type]
    return f"{found[0].name} / {found[0].context}" if found else ""


@pytest.mark.parametrize(
    ("description", "wanted"),
    [
        ("Turn off, in the row Backup", "Turn off / Backup"),
        ("Turn off in the Mail row", "Turn off / Mail"),
        ('"Turn off" in the row "Photos"', "Turn off / Photos"),
        ("the Delete button next to Photos", "Delete / Photos"),
        ("second Delete button", "Delete / Mail"),
        ("2nd delete", "Delete / Mail"),
        ("last turn off", "Turn off / Photos"),
        ("Schaltfläche Turn off in der Zeile Mail", "Turn off / Mail"),
        ("bouton Delete dans la ligne Photos", "Delete / Photos"),
        ("botón Delete en la fila Backup", "Delete / Backup"),
        ("pulsante Delete nella riga Mail", "Delete / Mail"),
        ("zweite Delete", "Delete / Mail"),
        ("close button in the dialog", "× / Leave?"),
        ("stay", "Stay / Leave?"),
        ("number under the heading Billing", "Number / Billing"),
    ],
)
def test_a_place_or_a_number_tells_twins_apart(description: str, wanted: str) -> None:
    assert best(description) == wanted


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("search box", "Search the shop"),
        ("das Suchfeld", "Search the shop"),
        ("SEARCH", "Search the shop"),
        ("card field", "Number"),
        ("e-mail", "Email"),
        ("the email input", "Email"),
        ("Under 18", "Under 18"),
        ("tick box under 18", "Under 18"),
        ("resilier", "Résilier l'abonnement"),
        ("lien Résilier", "Résilier l'abonnement"),
        ("trash icon", "~trash"),
        ("delete icon with the trash", "~trash"),
        ("sign in", "Sign in"),
        ("login button", "Sign in"),
        ("submit", "Sign in"),
        ("promo code field", "~"),
        ("terms", "Terms of use"),
        ("Sgin in", "Sign in"),
    ],
)
def test_words_are_compared_loosely(description: str, name: str) -> None:
    found = account().find(description)
    assert found and (found[0].name == name or name == "~" and found[0].role == "textbox")


@pytest.mark.parametrize(
    "description",
    [
        "unsubscribe from everything",
        "Turn off in the row Music",
        "fourth Delete button",
        "slider",
        "Delete 7",
        "?!",
        "   ",
        "the",
        '"Turn on"',
    ],
)
def test_nothing_rather_than_nonsense(description: str) -> None:
    assert account().find(description) == []


def test_a_match_says_how_well_and_why_it_fits() -> None:
    (match,) = account().find("Turn off, in the row Backup")
    assert match.ref == "@e5" and match.role == "button" and match.score == 1.0
    assert match.why == 'name "Turn off", row backup'


def test_better_names_score_higher_and_equal_ones_keep_the_order_of_the_page() -> None:
    snapshot = look(button("Save as draft"), button("Save"), button("Save"), button("Saved items"))
    found = snapshot.find("save")
    assert [match.ref for match in found] == ["@e2", "@e3", "@e1", "@e4"]
    assert found[0].score == found[1].score > found[2].score


def test_covered_and_off_screen_elements_are_found_after_others() -> None:
    snapshot = look(
        button("Go", flags=Flag.COVERED), off(button("Go")), button("Go"), heading("End")
    )
    assert [match.ref for match in snapshot.find("go")] == ["@e3", "@e2", "@e1"]
    assert "covered" in snapshot.find("go")[2].why


def test_the_role_can_be_required() -> None:
    snapshot = look(button("Help"), link("Help", "https://shop.example/help"))
    assert [match.ref for match in snapshot.find("help", role="link")] == ["@e2"]


def test_a_role_word_prefers_its_role_but_may_be_part_of_a_name() -> None:
    snapshot = look(link("Save", "https://x.example/"), button("Save"), button("Menu"))
    assert [m.ref for m in snapshot.find("save button")] == ["@e2", "@e1"]
    assert best("menu", snapshot).startswith("Menu")


def test_the_search_can_be_limited_to_a_frame_by_name_title_address_or_number() -> None:
    page = [
        walk(button("Pay"), el("iframe", "Card form", id=2, content_box=(0, 0, 300, 300))),
        walk(button("Pay"), url="https://pay.example/f", world="w2", parent=0, owner=2, name="cc"),
    ]
    snapshot = build(page, RefTable())
    for frame in ("cc", "card form", "pay.example", "1", "Fw2"):
        assert [match.ref for match in snapshot.find("pay", frame=frame)] == ["@e2"]
    assert [match.ref for match in snapshot.find("pay in the frame Card form")] == ["@e2"]
    with pytest.raises(FrameNotFound):
        snapshot.find("pay", frame="nowhere")


def test_signs_stand_for_words() -> None:
    snapshot = look(button("…"), button("☰"), button("+"), button("-"), button("×"))
    found = [snapshot.find(word)[0].ref for word in ("more", "menu", "plus", "minus", "close")]
    assert found == ["@e1", "@e2", "@e3", "@e4", "@e5"]


def test_limit_bounds_the_answer() -> None:
    assert len(look(*(button("Go") for _ in range(20))).find("go", limit=3)) == 3


def test_a_very_long_description_is_harmless() -> None:
    start = time.perf_counter()
    account().find("in the row " * 2_000)
    account().find("x" * 100_000)
    assert time.perf_counter() - start < 2


def test_the_same_question_has_the_same_answer() -> None:
    snapshot = account()
    assert snapshot.find("delete") == snapshot.find("delete")


def test_a_field_without_a_name_is_found_by_what_stands_beside_it() -> None:
    far = [heading(f"H{n}") for n in range(3)]
    snapshot = look(text("Coupon"), control("textbox"), *far, text("Tip"), control("textbox"))
    assert [match.ref for match in snapshot.find("field next to Tip")] == ["@e2"]


def test_a_little_word_finds_what_is_called_just_that() -> None:
    snapshot = look(button("On"), button("Log on"))
    assert [match.ref for match in snapshot.find("on")] == ["@e1"]

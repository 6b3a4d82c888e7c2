"""How a description is read."""

from __future__ import annotations

import pytest

from subterminator.page.query import fold, likeness, parse, spoken, words_of


def test_case_and_accents_do_not_count() -> None:
    assert fold("RÉSILIER Größe") == "resilier grosse"


def test_a_hyphen_does_not_count_either() -> None:
    assert words_of("E-Mail") == ["email"]
    assert set(spoken("E-Mail")) >= {"email", "mail"}


@pytest.mark.parametrize(
    ("wanted", "word", "least", "most"),
    [
        ("save", "save", 1, 1),
        ("cancel", "cancellation", 0.85, 0.95),
        ("scription", "subscription", 0.7, 0.8),
        ("subscribtion", "subscription", 0.75, 0.85),
        ("sgin", "sign", 0.75, 0.85),
        ("cat", "car", 0, 0),
        ("on", "only", 0, 0),
    ],
)
def test_words_are_alike_to_a_degree(wanted: str, word: str, least: float, most: float) -> None:
    assert least <= likeness(wanted, word) <= most


def test_a_description_has_a_name_a_kind_a_number_and_a_place() -> None:
    query = parse('the second "Turn off" button in the row Backup')
    assert query.phrases == ("turn off",)
    assert query.roles[0] == "button"
    assert query.ordinal == 2
    (clause,) = query.clauses
    assert (clause.kind, clause.words) == ("in", ("backup",)) and "row" in clause.roles


@pytest.mark.parametrize(
    ("description", "kind", "words"),
    [
        ("delete in the Mail card", "in", ("mail",)),
        ("delete, in the dialog", "in", ()),
        ("edit under the heading Billing", "under", ("billing",)),
        ("box next to Amount", "next", ("amount",)),
        ("Knopf neben Betrag", "next", ("betrag",)),
        ("champ sous Adresse", "under", ("adresse",)),
        ("boton junto a Total", "next", ("total",)),
        ("campo accanto a Totale", "next", ("totale",)),
    ],
)
def test_places_are_understood(description: str, kind: str, words: tuple[str, ...]) -> None:
    (clause,) = parse(description).clauses
    assert (clause.kind, clause.words) == (kind, words)


def test_sign_in_is_no_place() -> None:
    query = parse("Sign in with Google")
    assert query.clauses == () and query.words[0] == "sign"


def test_two_places_both_count() -> None:
    kinds = [clause.kind for clause in parse("edit in the row Mail under Services").clauses]
    assert kinds == ["in", "under"]

"""The words of words.toml are written as they are compared."""

from __future__ import annotations

from subterminator.page.query import fold
from subterminator.page.vocabulary import vocabulary


def test_every_word_is_folded() -> None:
    known = vocabulary()
    grammar = known.grammar
    words = [*known.kinds(), *known.containers(), *known.places(), *known.compounds, *grammar.stop]
    words += [*grammar.inside, *grammar.next, *grammar.under, *grammar.articles, *known.synonyms]
    words += [word for words in known.synonyms.values() for word in words]
    words += [word for words in known.fields.values() for word in words]
    assert [word for word in words if fold(word) != word] == []


def test_ordinals_count_from_one_and_the_last_is_minus_one() -> None:
    places = vocabulary().places()
    assert (places["first"], places["zweite"], places["last"]) == (1, 2, -1)


def test_every_language_has_the_basic_kinds() -> None:
    kinds = vocabulary().kinds()
    for words in (
        "button link field checkbox tab menu",
        "knopf verweis feld kontrollkastchen reiter auswahl",
        "bouton lien champ onglet",
        "boton enlace campo casilla pestana",
        "pulsante collegamento campo casella",
    ):
        assert all(word in kinds for word in words.split())

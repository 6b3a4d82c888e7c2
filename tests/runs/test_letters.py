from __future__ import annotations

import re
from datetime import date

import pytest
from msgspec.structs import replace

from subterminator.errors import InvalidParams
from subterminator.packs.model import Outcome
from subterminator.runs.letters import (
    LANGUAGES,
    Request,
    To,
    cancellation,
    dispute,
    shows_cancellation,
    texts_in,
)
from subterminator.runs.proof import After, Before, Evidence, Proof
from tests.runs.proving import at

PROOF = Proof(
    service="streambox", account_hint="al***@example.org", outcome="cancelled", verified=True,
    evidence=(
        Evidence("words", "Ihr Abo wurde {name} gekündigt.", "https://streambox.example/done", at(41)),
        Evidence("control", "Restart plan"),
    ),
    before=Before("Standard", "15,49 EUR"), after=After("gekündigt", "2026-12-12"),
    reference="SB-4820-77", started=at(0), ended=at(55), timezone="CET (UTC+01:00)",
)  # fmt: skip
REQUEST = Request(name="Streambox", today=date(2026, 12, 20))


@pytest.mark.parametrize("to", ["service", "bank"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_has_all_facts_of_the_proof_in_each_language(language: str, to: To) -> None:
    letter = dispute(PROOF, replace(REQUEST, language=language, to=to, sum="ab" * 32))
    texts = texts_in(language)
    words = " ".join(letter.split())
    for fact in ("Streambox", "SB-4820-77", "15,49 EUR", "11:16 (10:16 UTC)", "ab" * 32):
        assert fact in words
    assert "“Ihr Abo wurde {name} gekündigt.”" in words
    assert "Restart plan" not in letter
    for gap in ("amount", "charged_on", "name", "address"):
        assert texts.gaps[gap] in words
    assert not re.search(r"\{(?!name\} gekündigt)", letter)
    assert max(map(len, letter.splitlines())) <= 78


def test_all_languages_have_the_same_texts_and_gaps() -> None:
    def shape(language: str) -> object:
        texts = texts_in(language)
        gaps = [sorted(re.findall(r"\{\w+\}", text)) for text in (texts.to_service, texts.to_bank)]
        claims = {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in texts.claims.items()}
        return gaps, claims, sorted(texts.facts), sorted(texts.gaps)

    assert all(shape(language) == shape("en") for language in LANGUAGES)


def test_what_the_person_says_of_the_charge_is_filled_in() -> None:
    letter = dispute(PROOF, replace(REQUEST, amount="$15.49", charged_on=date(2026, 12, 12)))
    assert "$15.49 was taken from me on 12 December 2026" in " ".join(letter.split())
    assert "[amount]" not in letter


@pytest.mark.parametrize(
    ("outcome", "verified", "claim"),
    [
        ("cancelled", True, "showed that it is cancelled"),
        ("cancelled", False, "asked on the service's own website"),
        ("unverified", False, "asked on the service's own website"),
        ("pending", False, "asked on the service's own website"),
        ("already_cancelled", True, "showed that it is cancelled and does not renew"),
    ],
)
def test_a_letter_claims_no_more_than_the_proof_shows(
    outcome: Outcome, verified: bool, claim: str
) -> None:
    letter = dispute(replace(PROOF, outcome=outcome, verified=verified), REQUEST)
    assert claim in " ".join(letter.split())


@pytest.mark.parametrize("outcome", ["stopped", "failed", "third_party", "manual_required"])
def test_no_letter_says_cancelled_where_nothing_was(outcome: Outcome) -> None:
    proof = replace(PROOF, outcome=outcome, verified=False)
    assert not shows_cancellation(proof)
    with pytest.raises(InvalidParams, match="does not show a cancellation"):
        dispute(proof, REQUEST)


def test_a_language_without_a_letter_is_told_with_those_there_are() -> None:
    with pytest.raises(InvalidParams, match="en, de, fr, es, it"):
        dispute(PROOF, replace(REQUEST, language="nl"))


def test_the_letter_of_a_pack_gets_what_the_proof_knows() -> None:
    text = "I cancel {service}, {plan}, account {account}.\n{date}\n{name}"
    letter = cancellation(text, replace(PROOF, account_hint="not found"), REQUEST)
    assert letter == (
        "I cancel Streambox, Standard, account [account].\n20 December 2026\n[your name]\n"
    )

"""The packs that come with us."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from subterminator.packs.model import Pack
from subterminator.packs.registry import assemble, built_in_drafts

PACKS = assemble([])
LANGUAGES = ("de", "en", "es", "fr", "it")
SERVICES = """
netflix spotify disneyplus hulu amazon-prime youtube-premium hbo-max peacock paramount-plus audible
nyt wsj adobe dropbox linkedin peloton planet-fitness siriusxm microsoft game-pass ps-plus canva
duolingo grammarly nordvpn substack patreon chatgpt hellofresh rocket-money
""".split()
# Ended by letter, telephone or in an app: nothing to open.
WITHOUT_START = {"planet-fitness", "siriusxm", "ps-plus", "hellofresh", "rocket-money"}
OFFLINE = {"planet-fitness", "siriusxm"}


def own(pack_id: str) -> Pack:
    return built_in_drafts()[pack_id].pack


def test_every_language_portal_store_and_service_has_its_pack() -> None:
    assert set(PACKS.ids()) == {
        *(f"generic-{language}" for language in LANGUAGES),
        *(f"portal-{name}" for name in ("stripe", "paddle", "chargebee")),
        *(f"store-{name}" for name in ("apple", "google", "roku", "amazon", "paypal")),
        *SERVICES,
    }


@pytest.mark.parametrize("pack_id", PACKS.ids())
def test_a_pack_has_examples_a_hint_and_says_where_it_comes_from(pack_id: str) -> None:
    pack = own(pack_id)
    assert len(pack.example) >= 2
    assert len({example.shows for example in pack.example}) == len(pack.example)
    assert pack.hint
    assert pack.sources
    assert pack.checked_on.startswith("2026-11")


@pytest.mark.parametrize("pack_id", PACKS.ids())
def test_a_pack_can_be_judged_declined_and_ended(pack_id: str) -> None:
    pack = PACKS.pack(pack_id)
    assert pack.goal and pack.success and pack.failure and pack.auth and pack.already_cancelled
    assert pack.actions.decline and pack.actions.advance and pack.actions.final and pack.never
    assert pack.proof.text and pack.proof.date_regex and pack.proof.ref_regex
    assert pack.checkpoint and pack.billing_probe and pack.losses


@pytest.mark.parametrize("pack_id", SERVICES)
def test_a_service_says_where_to_begin_or_how_to_do_it_otherwise(pack_id: str) -> None:
    pack = own(pack_id)
    assert bool(pack.start_urls) != (pack_id in WITHOUT_START)
    if pack_id in OFFLINE:
        assert pack.offline.how and pack.offline.letter


@pytest.mark.parametrize("pack_id", PACKS.ids())
def test_no_telephone_number_is_written_down(pack_id: str) -> None:
    text = files("subterminator.packs").joinpath("data", f"{pack_id}.toml").read_text("utf-8")
    numbers = re.findall(r"\+?\d[\d() -]{8,}\d", text)
    # Numbers of sources are ids of articles; 555-01xx is nobody's.
    assert all("555" in number or re.fullmatch(r"\d{10,14}", number) for number in numbers), numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_knows_many_words_for_everything(language: str) -> None:
    pack = own(f"generic-{language}")
    for words in (pack.actions.decline, pack.actions.advance, pack.actions.final):
        assert len(words) >= 25
    assert len(pack.never) >= 70
    assert len(pack.billing_probe) >= 20
    for stage in ("RETENTION_OFFER", "EXIT_SURVEY", "FINAL_CONFIRMATION", "ACCOUNT_ACTIVE"):
        assert len(pack.states[stage].text) >= 17
    shown = {example.stage for example in pack.example}
    assert shown >= {
        *("ACCOUNT_ACTIVE", "RETENTION_OFFER", "EXIT_SURVEY", "FINAL_CONFIRMATION"),
        *("COMPLETE", "ALREADY_CANCELLED", "OFF_SITE"),
    }


def test_netflix_has_the_conditions_of_the_seeds() -> None:
    pack = own("netflix")
    assert (len(pack.success), len(pack.failure), len(pack.auth)) == (5, 4, 3)
    assert any(clue.text == "finish cancellation" for clue in pack.checkpoint)


def test_all_packs_together_stay_small() -> None:
    folder = files("subterminator.packs").joinpath("data")
    assert sum(len(file.read_bytes()) for file in folder.iterdir()) < 300_000

"""What a pack takes over, and what a user's pack may not take away."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from subterminator.errors import InvalidParams
from subterminator.packs.inheritance import loosened, merge
from subterminator.packs.model import Pack
from subterminator.packs.registry import Registry, assemble, load
from tests.machines import Computer
from tests.packs.writing import draft_of, put, text_of

NETFLIX = files("subterminator.packs").joinpath("data", "netflix.toml").read_text("utf-8")
# Names that reviewed packs press although a phrase with `*` that they extend says never.
REVIEWED = {
    "generic-de": {"kündigung fortsetzen", "endgültig kündigen"},
    "generic-en": {"yes, i want to cancel", "accept and cancel"},
    "generic-es": {"seguir con la cancelación", "sí, quiero cancelar"},
    "peloton": {"pause or cancel"},
    "spotify": {"change plan"},
}


def machine_with(tmp_path: Path, pack_id: str, text: str) -> Computer:
    put(tmp_path / "subterminator" / "packs", pack_id, text)
    return Computer(environ={"XDG_CONFIG_HOME": str(tmp_path)})


def refusal(tmp_path: Path, pack_id: str, text: str) -> str:
    with pytest.raises(InvalidParams) as caught:
        load(machine_with(tmp_path, pack_id, text).machine())
    return str(caught.value)


def test_a_copy_of_a_built_in_pack_loads_and_takes_its_place(tmp_path: Path) -> None:
    registry = load(machine_with(tmp_path, "netflix", NETFLIX).machine())
    assert registry.entry("netflix").draft.is_users
    assert not registry.entry("hulu").draft.is_users


def test_a_user_may_add_checkpoints_words_and_evidence(tmp_path: Path) -> None:
    text = NETFLIX.replace("checkpoint = [", 'checkpoint = [\n  { text = "goodbye" },').replace(
        'final = ["finish', 'final = ["farewell", "finish'
    )
    pack = load(machine_with(tmp_path, "netflix", text).machine()).find("netflix")
    assert "farewell" in pack.actions.final
    assert any(clue.text == "goodbye" for clue in pack.checkpoint)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('  { text = "finish cancellation" },\n', "", 'removes from checkpoint: text "finish cancellation"'),
        ('sites = ["netflix.com"]', 'sites = ["netflix.com", "evil.com"]', "adds the site evil.com"),
        ('final = ["finish cancellation"]', "final = []", "removes from actions.final: 'finish cancellation'"),
        ('"change plan", "restart membership"', '"restart membership"', "removes from never: 'change plan'"),
        ('  { text = "membership is active" },\n', "", "removes from failure"),
        ('  { url = "login" },\n', "", "removes from auth"),
        ('extends = ["generic-en"]', "", "removes from extends: 'generic-en'"),
        ('says = "Profiles and history', 'says = "Nothing. Profiles', "removes from losses"),
        ('"cancel membership", "cancel"]', '"cancel", "finish*"]', "'finish*' is guarded by the built-in pack"),
        ('"cancel membership", "cancel"]', '"cancel", "Finish Cancellation"]', "is guarded by the built-in pack"),
    ],
)  # fmt: skip
def test_g11_a_pack_that_weakens_a_built_in_one_does_not_load(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    assert old in NETFLIX
    words = refusal(tmp_path, "netflix", NETFLIX.replace(old, new, 1))
    assert reason in words
    assert "netflix.toml:" in words


def test_g11_a_new_pack_cannot_press_what_its_language_says_never(tmp_path: Path) -> None:
    more = 'extends = ["generic-en"]\n[actions]\nadvance = [\n"go on",\n"Delete my account"]\n'
    words = refusal(tmp_path, "mine", text_of("mine", more))
    assert "mine.toml:10: 'Delete my account' is never pressed" in words


def test_g11_only_reviewed_built_in_packs_press_what_a_wide_phrase_forbids() -> None:
    found: dict[str, set[str]] = {}
    for entry in assemble([]).entries():
        for fault in loosened(entry.draft, entry.pack):
            found.setdefault(entry.pack.id, set()).add(fault.reason.split("'")[1])
    assert found == REVIEWED


def test_g11_sites_addresses_and_names_are_not_taken_over() -> None:
    pack = assemble([]).find("game-pass")
    assert "generic English" not in pack.names
    parent = draft_of("a", "sites = ['a.com']\nstart_urls = ['https://a.com']\n").pack
    own = draft_of("b").pack
    merged = merge(own, [parent])
    assert (merged.sites, merged.start_urls, merged.names) == ((), (), own.names)


def test_words_are_added_own_first_and_each_once() -> None:
    parent = draft_of("a", "never = ['Buy now', 'pay']\ngoal = 'parent'\n").pack
    own = draft_of("b", "never = ['upgrade', 'buy NOW']\n").pack
    merged = merge(own, [parent])
    assert merged.never == ("upgrade", "buy NOW", "pay")
    assert merged.goal == "parent"


def test_several_levels_are_followed() -> None:
    pack: Pack = assemble([]).find("game-pass")
    assert "don't charge me on *" in pack.actions.final
    assert "confirm cancellation" in pack.actions.final
    assert any(clue.text == "something went wrong" for clue in pack.failure)


@pytest.mark.parametrize(
    ("drafts", "reason"),
    [
        ({"a": "['a']"}, "extends itself"),
        ({"a": "['b']", "b": "['a']"}, "extends itself"),
        ({"a": "['zzz']"}, "which is not there"),
        ({"a": "['b']", "b": "['c']", "c": "['d']", "d": "['e']", "e": "[]"}, "more than 3 levels"),
    ],
)
def test_what_leads_back_is_missing_or_too_far_is_refused(
    drafts: dict[str, str], reason: str
) -> None:
    made = [draft_of(name, f"extends = {more}\n", name) for name, more in drafts.items()]
    with pytest.raises(InvalidParams, match=reason):
        Registry(made)

"""Finding the pack that is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from subterminator.errors import InvalidParams
from subterminator.packs.example import read_page
from subterminator.packs.registry import Registry, assemble, load, user_folder
from tests.machines import Computer
from tests.packs.writing import draft_of, put, text_of

PACKS = assemble([])


@pytest.mark.parametrize(
    ("name", "pack_id"),
    [
        ("netflix", "netflix"),
        ("  NETFLIX ", "netflix"),
        ("Disney+", "disneyplus"),
        ("disney plus", "disneyplus"),
        ("hbo max", "hbo-max"),
        ("Google Play", "store-google"),
        ("google-play", "store-google"),
        ("amazon-hub", "store-amazon"),
        ("apple", "store-apple"),
        ("roku", "store-roku"),
        ("paypal", "store-paypal"),
        ("the new york times", "nyt"),
        ("Paramount+", "paramount-plus"),
    ],
)
def test_a_pack_is_found_by_id_or_any_name(name: str, pack_id: str) -> None:
    assert PACKS.find(name).id == pack_id


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("netflx", "netflix"), ("spottify", "spotify"), ("Gramarly", "grammarly"), ("hullu", "hulu")],
)
def test_a_typing_error_gets_the_nearest_name(typed: str, meant: str) -> None:
    with pytest.raises(InvalidParams, match=f"Did you mean {meant}\\?"):
        PACKS.find(typed)


def test_a_name_like_no_other_is_told_where_the_list_is() -> None:
    with pytest.raises(InvalidParams, match="services list"):
        PACKS.find("qqqqqqqq")


@pytest.mark.parametrize(
    ("address", "ids"),
    [
        ("https://www.netflix.com/account", ["netflix"]),
        ("https://netflix.com", ["netflix"]),
        ("https://netflix.com.evil.com", []),
        ("https://evil.com/netflix.com", []),
        ("https://account.microsoft.com/services", ["game-pass", "microsoft"]),
        ("https://www.amazon.com/mc", ["amazon-prime", "audible", "store-amazon"]),
        ("https://billing.stripe.com/p/session/x", ["chatgpt", "portal-stripe"]),
        ("https://shop.chargebeeportal.com/portal", ["portal-chargebee"]),
        ("https://x.netflix.com", []),
        ("about:blank", []),
        ("not an address", []),
    ],
)
def test_packs_are_found_by_the_host_of_an_address(address: str, ids: list[str]) -> None:
    assert [pack.id for pack in PACKS.at(address)] == ids


@pytest.mark.parametrize(
    ("language", "pack_id"),
    [("de", "generic-de"), ("de-AT", "generic-de"), ("FR", "generic-fr"), ("ja", "generic-en"), ("", "generic-en")],
)  # fmt: skip
def test_the_words_of_a_language_are_found_by_its_name(language: str, pack_id: str) -> None:
    assert PACKS.generic(language).id == pack_id


@pytest.mark.parametrize(
    "pack_id", ["generic-de", "generic-en", "generic-es", "generic-fr", "generic-it"]
)
def test_the_language_a_page_speaks_beats_the_one_it_claims(pack_id: str) -> None:
    for example in PACKS.entry(pack_id).draft.pack.example:
        words = read_page(example.page, example.url or "")
        claimed = "en" if pack_id != "generic-en" else "de"
        assert PACKS.generic(claimed, words).id == pack_id


@pytest.mark.parametrize(
    ("line", "payer"),
    [
        ("APPLE.COM/BILL 866-712-7753 CA", "apple"),
        ("GOOGLE *YouTubePremium", "google"),
        ("PAYPAL *SPOTIFY", "paypal"),
        ("ROKU FOR ISLAND TV", "roku"),
        ("NETFLIX.COM", ""),
        ("PINEAPPLE.COM/BILL", ""),
    ],
)
def test_a_line_of_a_statement_tells_who_took_the_money(line: str, payer: str) -> None:
    assert PACKS.payer(line) == payer


def test_a_payer_leads_to_the_pack_of_its_store() -> None:
    store = PACKS.store("apple")
    assert store is not None and store.id == "store-apple"
    assert PACKS.store("carrier") is None


def test_the_users_folder_is_beside_the_config_file() -> None:
    linux = Computer(environ={"XDG_CONFIG_HOME": "/c"}).machine()
    windows = Computer("win32", environ={"APPDATA": r"C:\A"}).machine()
    assert user_folder(linux) == "/c/subterminator/packs"
    assert user_folder(windows) == r"C:\A\subterminator\packs"


def test_packs_of_the_user_are_added_and_a_missing_folder_is_none(tmp_path: Path) -> None:
    machine = Computer(environ={"XDG_CONFIG_HOME": str(tmp_path)}).machine()
    assert load(machine).ids() == PACKS.ids()
    put(Path(user_folder(machine)), "my-gym", text_of("my-gym", name="My Gym"))
    put(Path(user_folder(machine)), ".hidden", "not a pack")
    found = load(machine)
    assert set(found.ids()) - set(PACKS.ids()) == {"my-gym"}
    assert found.find("my gym").id == "my-gym"


def test_an_unreadable_pack_stops_everything_instead_of_being_left_out(tmp_path: Path) -> None:
    machine = Computer(environ={"XDG_CONFIG_HOME": str(tmp_path)}).machine()
    path = put(Path(user_folder(machine)), "my-gym", "id = ")
    with pytest.raises(InvalidParams, match=f"{path}:1: is not valid TOML"):
        load(machine)


def test_a_folder_that_is_none_stops_everything(tmp_path: Path) -> None:
    (tmp_path / "subterminator").mkdir()
    (tmp_path / "subterminator" / "packs").write_text("", encoding="utf-8")
    with pytest.raises(InvalidParams, match="cannot be read"):
        load(Computer(environ={"XDG_CONFIG_HOME": str(tmp_path)}).machine())


@pytest.mark.parametrize("name", ["Netflix", "net-flix", "NETFLIX", "store apple", "generic-en"])
def test_a_name_that_another_pack_has_is_refused_with_its_line(name: str) -> None:
    users = draft_of("mine", name=name, is_users=True)
    with pytest.raises(InvalidParams, match=r"mine.toml:2: the name .* belongs to"):
        assemble([users])


def test_two_packs_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidParams, match="belongs to a"):
        Registry([draft_of("a", name="Same"), draft_of("b", name="same")])

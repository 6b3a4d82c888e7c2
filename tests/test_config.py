from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from subterminator.config import TYPES, Settings, config_file, load, private_folder
from subterminator.errors import InvalidParams
from tests.machines import Computer

FILE = "/home/me/.config/subterminator/config.toml"


def settings(toml: str = "", environ: dict[str, str] | None = None, **flags: object) -> Settings:
    computer = Computer(files={FILE: toml} if toml else {}, environ=environ)
    return load(computer.machine(), flags)


def test_with_nothing_given_the_defaults_hold() -> None:
    assert settings() == Settings(state_dir="/home/me/.local/state/subterminator")
    assert (settings().page_timeout_ms, settings().action_timeout_ms) == (30_000, 2_000)


def test_a_flag_beats_the_environment_which_beats_the_file() -> None:
    toml = "viewport_width = 1000\nviewport_height = 1000\npage_timeout_ms = 1000"
    environ = {"SUBTERMINATOR_VIEWPORT_WIDTH": "1100", "SUBTERMINATOR_VIEWPORT_HEIGHT": "1100"}
    got = settings(toml, environ, viewport_width=1200)
    assert (got.viewport_width, got.viewport_height, got.page_timeout_ms) == (1200, 1100, 1000)


def test_a_flag_that_was_not_given_and_an_empty_variable_change_nothing() -> None:
    assert settings("", {"SUBTERMINATOR_HEADLESS": ""}, viewport_width=None) == settings()


def test_every_setting_can_come_from_the_file() -> None:
    toml = """
        browser = "/opt/chrome"
        headless = false
        profile_dir = "/srv/profile"
        state_dir = "~/state"
        sites = ["Example.com", "shop.example"]
        page_timeout_ms = 1
        action_timeout_ms = 2
        viewport_width = 800
        viewport_height = 600
    """
    got = asdict(settings(toml))
    assert set(got) == set(TYPES)
    assert got["state_dir"] == "/home/me/state"
    assert got["sites"] == ("example.com", "shop.example")


def test_the_environment_takes_words_for_switches_and_lists() -> None:
    environ = {"SUBTERMINATOR_HEADLESS": "false", "SUBTERMINATOR_SITES": "a.example, b.example"}
    got = settings("", environ)
    assert got.headless is False
    assert got.sites == ("a.example", "b.example")


@pytest.mark.parametrize(
    ("toml", "environ", "words"),
    [
        ("viewport_widht = 1", {}, (FILE, "viewport_widht", "Did you mean viewport_width?")),
        ("[browser]\npath = 1", {}, (FILE, "browser is", "expected text")),
        ("zzz = 1", {}, (FILE, "zzz", "Known: browser, headless")),
        ("viewport_width = 'wide'", {}, (FILE, "viewport_width is 'wide'", "100 to 10000")),
        ("page_timeout_ms = true", {}, ("page_timeout_ms is True", "a whole number")),
        ("sites = ['https://a.example']", {}, ("sites", "host names such as example.com")),
        ("state_dir = 'here'", {}, ("state_dir is 'here'", "an absolute path")),
        ("= 1", {}, (FILE, "not valid TOML", "line 1")),
        (
            "",
            {"SUBTERMINATOR_PAGE_TIMEOUT_MS": "1.5"},
            ("page_timeout_ms is '1.5'", "whole number"),
        ),
        ("", {"SUBTERMINATOR_PAGE_TIMEOUT_MS": "0"}, ("page_timeout_ms is '0'", "from 1 to")),
        ("", {"SUBTERMINATOR_HEADLESS": "maybe"}, ("headless is 'maybe'", "true or false")),
        ("", {"SUBTERMINATOR_HEADLES": "1"}, ("environment", "Did you mean headless?")),
        ("", {"SUBTERMINATOR_CONFIG": "/gone.toml"}, ("SUBTERMINATOR_CONFIG", "/gone.toml")),
    ],
)
def test_what_is_wrong_is_refused_with_its_place_its_name_and_what_is_expected(
    toml: str, environ: dict[str, str], words: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidParams) as caught:
        settings(toml, environ)
    for word in words:
        assert word in str(caught.value)


@given(st.text())
def test_any_text_in_the_environment_is_a_setting_or_a_typed_error(text: str) -> None:
    for name in TYPES:
        try:
            settings("", {f"SUBTERMINATOR_{name.upper()}": text})
        except InvalidParams as error:
            assert name in str(error)


def test_a_file_that_cannot_be_read_is_a_typed_error() -> None:
    computer = Computer()

    def refuse(path: str) -> str:
        raise PermissionError(13, "Permission denied", path)

    with pytest.raises(InvalidParams, match=r"config\.toml cannot be read.*Permission denied"):
        load(replace(computer.machine(), read=refuse))


@pytest.mark.parametrize(
    ("computer", "state", "config"),
    [
        (Computer(), "/home/me/.local/state/subterminator", FILE),
        (
            Computer(environ={"XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "relative"}),
            "/s/subterminator",
            FILE,
        ),
        (
            Computer("darwin"),
            "/home/me/Library/Application Support/subterminator",
            "/home/me/Library/Application Support/subterminator/config.toml",
        ),
        (
            Computer("win32", environ={"LOCALAPPDATA": r"D:\Local"}),
            r"D:\Local\subterminator",
            r"C:\Users\me\AppData\Roaming\subterminator\config.toml",
        ),
    ],
)
def test_folders_follow_the_conventions_of_the_platform(
    computer: Computer, state: str, config: str
) -> None:
    assert load(computer.machine()).state_dir == state
    assert config_file(computer.machine()) == config


def test_the_state_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = private_folder(str(tmp_path / "a" / "b"))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert private_folder(str(folder)) == folder


def test_a_state_folder_that_others_can_read_is_refused_with_the_command_that_mends_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "my state"
    folder.mkdir()
    folder.chmod(0o755)
    with pytest.raises(InvalidParams, match="open to other users") as caught:
        private_folder(str(folder))
    assert caught.value.advice == f"Run: chmod 700 '{folder}'"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to change owners"
)
def test_a_state_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    with pytest.raises(InvalidParams, match="belongs to another user"):
        private_folder(str(folder))


def test_a_state_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InvalidParams, match="cannot be made"):
        private_folder(str(tmp_path / "file" / "below"))


def test_the_older_names_of_variables_are_known() -> None:
    environ = {
        "SUBTERMINATOR_OUTPUT": "~/proofs",
        "SUBTERMINATOR_PAGE_TIMEOUT": "1000",
        "SUBTERMINATOR_AUTH_TIMEOUT": "2000",
        "SUBTERMINATOR_MAX_TRANSITIONS": "7",
        "SUBTERMINATOR_NO_PROMPTS": "1",
    }
    got = settings("", environ)
    assert got.output_dir == "/home/me/proofs"
    assert (got.page_timeout_ms, got.auth_timeout_ms) == (1000, 2000)
    assert (got.max_turns, got.no_prompts) == (7, True)
    assert settings("", {**environ, "SUBTERMINATOR_MAX_TURNS": "8"}).max_turns == 8


def test_a_command_has_defaults_of_its_own_below_the_file() -> None:
    machine = Computer(files={FILE: "headless = true"}).machine()
    assert load(machine, {}, {"headless": False}).headless is True
    assert load(Computer().machine(), {}, {"headless": False}).headless is False

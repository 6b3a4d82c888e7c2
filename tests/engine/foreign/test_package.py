"""Where Playwright MCP is looked for, and how it is started."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from subterminator.engine.foreign.package import (
    PACKAGE,
    VERSION,
    Wish,
    environment,
    options,
    program,
)
from subterminator.errors import BrowserMissing
from tests.machines import Computer

NODE = {"/usr/bin/node": "v22.1.0"}
OWN = "/home/me/.local/share/subterminator/playwright-mcp"
INSIDE = "node_modules/@playwright/mcp"


def manifest(version: str) -> str:
    return json.dumps({"version": version})


def test_what_is_installed_is_started_with_node_and_nothing_is_fetched() -> None:
    files = {f"{OWN}/{INSIDE}/package.json": manifest(VERSION)}
    computer = Computer(programs=NODE, files=files)
    assert program(computer.machine()) == ("/usr/bin/node", f"{OWN}/{INSIDE}/cli.js")
    assert computer.performed == []


def test_one_beside_this_python_goes_before_the_users_own() -> None:
    beside = f"{sys.prefix}/playwright-mcp/{INSIDE}"
    files = {
        f"{beside}/package.json": manifest(VERSION),
        f"{OWN}/{INSIDE}/package.json": manifest(VERSION),
    }
    machine = Computer(programs=NODE, files=files).machine()
    assert program(machine)[-1] == f"{beside}/cli.js"


def test_without_one_npx_is_asked_for_what_it_has_kept_and_may_not_fetch() -> None:
    machine = Computer(programs={**NODE, "/usr/bin/npx": "10"}).machine()
    assert program(machine) == ("/usr/bin/npx", "--offline", "--yes", f"{PACKAGE}@{VERSION}")


@pytest.mark.parametrize(
    ("programs", "files", "said"),
    [
        ({}, {}, "Node.js 20"),
        (NODE, {}, "not installed"),
        (NODE, {f"{OWN}/{INSIDE}/package.json": manifest("0.0.1")}, "is version 0.0.1"),
    ],
    ids=["no node", "no package", "another version"],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    programs: dict[str, str | None], files: dict[str, str], said: str
) -> None:
    with pytest.raises(BrowserMissing) as caught:
        program(Computer(programs=programs, files=files).machine())
    assert said in caught.value.message
    assert f"npm install --prefix {OWN} {PACKAGE}@{VERSION}" in caught.value.advice


def test_it_is_started_with_our_browser_headless_and_a_profile_that_is_thrown_away() -> None:
    line = list(options(Wish(browser="/usr/bin/chromium"), Path("/tmp/own")))
    assert line[line.index("--executable-path") + 1] == "/usr/bin/chromium"
    assert {"--headless", "--isolated", "--block-service-workers"} <= set(line)
    assert line[line.index("--output-dir") + 1] == "/tmp/own/files"


def test_a_window_and_a_profile_of_ones_own_are_passed_on() -> None:
    wish = Wish(browser="b", headless=False, profile_dir="/home/me/p", window=(800, 600))
    line = list(options(wish, Path("/tmp/own")))
    assert "--headless" not in line and "--isolated" not in line
    assert line[line.index("--user-data-dir") + 1] == "/home/me/p"
    assert line[line.index("--viewport-size") + 1] == "800x600"


def test_the_server_gets_no_keys_and_nothing_that_changes_its_options() -> None:
    given = {
        "PATH": "/bin", "ANTHROPIC_API_KEY": "k", "GITHUB_TOKEN": "t", "NODE_OPTIONS": "--inspect",
        "PLAYWRIGHT_MCP_CDP_ENDPOINT": "http://x", "SUBTERMINATOR_MODEL": "m", "DISPLAY": ":0",
    }  # fmt: skip
    assert environment(given) == {"PATH": "/bin", "DISPLAY": ":0"}


def test_the_version_of_the_tests_is_the_one_the_engine_is_made_for() -> None:
    folder = Path(__file__).parent
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    locked = (folder / "package-lock.json").read_text(encoding="utf-8")
    assert asked["dependencies"] == {PACKAGE: VERSION}
    assert json.loads(locked)["packages"][f"node_modules/{PACKAGE}"]["version"] == VERSION
    assert '"resolved"' not in locked

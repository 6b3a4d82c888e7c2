from __future__ import annotations

from collections.abc import Sequence

import pytest

from subterminator.engine.browsers import (
    Browser,
    candidates,
    ensure,
    find,
    locate,
    main,
    sandbox_flags,
    why_no_sandbox,
)
from subterminator.errors import BrowserMissing
from subterminator.machine import this_machine
from tests.machines import Computer

CHROME = "Google Chrome 141.0.7390.54 \n"
DEBIAN = "Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)\n"


def paths(computer: Computer) -> list[str]:
    return [browser.path for browser in candidates(computer.machine())]


def test_the_first_browser_on_path_is_found_with_name_and_version() -> None:
    computer = Computer(programs={"/usr/bin/chromium": DEBIAN})
    assert find(computer.machine()) == Browser("/usr/bin/chromium", "Chromium", "156.0.8078.79")


def test_chrome_is_preferred_to_chromium_edge_and_brave_in_this_order() -> None:
    programs = ("brave-browser", "microsoft-edge", "chromium", "google-chrome")
    computer = Computer(programs={f"/usr/bin/{name}": "" for name in programs})
    assert [path.removeprefix("/usr/bin/") for path in paths(computer)] == [*reversed(programs)]


def test_a_browser_is_named_once_however_many_ways_lead_to_it() -> None:
    computer = Computer(programs={"/usr/bin/chromium": DEBIAN, "/opt/google/chrome/chrome": CHROME})
    assert paths(computer) == ["/usr/bin/chromium", "/opt/google/chrome/chrome"]


def test_the_newest_browser_in_playwrights_cache_comes_after_the_system_and_before_snap() -> None:
    cache = "/home/me/.cache/ms-playwright"
    computer = Computer(
        programs={
            "/snap/bin/chromium": DEBIAN,
            f"{cache}/chromium-999/chrome-linux/chrome": DEBIAN,
            f"{cache}/chromium-1205/chrome-linux64/chrome": DEBIAN,
            "/var/lib/flatpak/exports/bin/org.chromium.Chromium": DEBIAN,
            "/usr/bin/brave-browser": "Brave Browser 141.1.83.108 \n",
        }
    )
    assert paths(computer) == [
        "/usr/bin/brave-browser",
        f"{cache}/chromium-1205/chrome-linux64/chrome",
        f"{cache}/chromium-999/chrome-linux/chrome",
        "/snap/bin/chromium",
        "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
    ]


def test_playwrights_own_variable_moves_its_cache() -> None:
    chrome = "/srv/pw/chromium-1205/chrome-linux/chrome"
    computer = Computer(programs={chrome: DEBIAN}, environ={"PLAYWRIGHT_BROWSERS_PATH": "/srv/pw"})
    assert paths(computer) == [chrome]


def test_on_a_mac_bundles_are_found_for_everybody_and_for_the_user() -> None:
    computer = Computer(
        "darwin",
        programs={
            "/home/me/Applications/Chromium.app/Contents/MacOS/Chromium": DEBIAN,
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome": CHROME,
        },
    )
    assert [browser.name for browser in candidates(computer.machine())] == [
        "Google Chrome",
        "Chromium",
    ]


def test_on_windows_the_registry_comes_first_and_the_version_is_read_without_starting() -> None:
    folder = r"D:\Chrome\Application"
    computer = Computer(
        "win32",
        programs={rf"{folder}\chrome.exe": None},
        files={rf"{folder}\99.0.1.2": "", rf"{folder}\141.0.7390.54": ""},
        registry={"chrome.exe": rf"{folder}\chrome.exe"},
    )
    found = find(computer.machine())
    assert found == Browser(rf"{folder}\chrome.exe", "Google Chrome", "141.0.7390.54")
    assert computer.asked == []


def test_on_windows_program_folders_are_searched_where_the_registry_is_silent() -> None:
    edge = r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe"
    computer = Computer(
        "win32", programs={edge: None}, environ={"PROGRAMFILES(X86)": r"C:\Program Files (x86)"}
    )
    assert paths(computer) == [edge]


def test_locate_starts_nothing() -> None:
    computer = Computer(programs={"/usr/bin/chromium": DEBIAN})
    assert locate(computer.machine()) == Browser("/usr/bin/chromium", "Chromium")
    assert computer.asked == []


def test_a_browser_that_does_not_answer_is_passed_over() -> None:
    computer = Computer(
        programs={
            "/usr/bin/chromium-browser": None,
            "/usr/bin/microsoft-edge": "Microsoft Edge 140.0.1",
        }
    )
    assert find(computer.machine()).name == "Microsoft Edge"


def test_only_old_browsers_are_explained_and_the_remedy_named() -> None:
    computer = Computer(
        programs={"/usr/bin/chromium": "Chromium 90.0.4430.212 \n", "/usr/bin/apt-get": ""},
        root=True,
    )
    with pytest.raises(BrowserMissing) as caught:
        find(computer.machine())
    assert "Chromium 90.0.4430.212 at /usr/bin/chromium is older than 125" in str(caught.value)
    assert "apt-get install -y --no-install-recommends chromium" in caught.value.advice


def test_a_wish_comes_before_the_variable_and_the_variable_before_the_search() -> None:
    computer = Computer(
        programs={"/opt/a": CHROME, "/opt/b": CHROME, "/usr/bin/chromium": DEBIAN},
        environ={"SUBTERMINATOR_BROWSER": "/opt/b"},
    )
    assert find(computer.machine(), "/opt/a").path == "/opt/a"
    assert find(computer.machine()) == Browser("/opt/b", "Google Chrome", "141.0.7390.54")


def test_a_wish_may_be_a_name_on_path() -> None:
    computer = Computer(programs={"/usr/bin/chromium": DEBIAN})
    assert locate(computer.machine(), "chromium").path == "/usr/bin/chromium"


def test_a_wish_that_is_not_there_is_an_error_and_never_replaced_by_another() -> None:
    computer = Computer(
        programs={"/usr/bin/chromium": DEBIAN, "/usr/bin/apt-get": ""},
        environ={"SUBTERMINATOR_BROWSER": "/gone"},
        root=True,
    )
    with pytest.raises(BrowserMissing, match="SUBTERMINATOR_BROWSER names .*: /gone"):
        ensure(computer.machine())
    assert computer.performed == []


@pytest.mark.parametrize(
    ("computer", "command"),
    [
        (
            Computer(programs={"/usr/bin/apt-get": ""}),
            "sudo apt-get update && sudo apt-get install",
        ),
        (Computer(programs={"/usr/bin/dnf": ""}, root=True), "Run: dnf install -y chromium"),
        (Computer("darwin", programs={"/opt/homebrew/bin/brew": ""}), "brew install --cask"),
        (Computer("win32", programs={"C:\\bin\\winget": ""}), "winget install --id Google.Chrome"),
        (Computer(), "https://www.google.com/chrome/"),
    ],
)
def test_without_a_browser_the_error_names_the_command_of_this_platform(
    computer: Computer, command: str
) -> None:
    with pytest.raises(BrowserMissing) as caught:
        find(computer.machine())
    assert command in caught.value.advice


def installs_chromium(computer: Computer, command: Sequence[str]) -> bool:
    if "install" in command:
        computer.programs["/usr/bin/chromium"] = DEBIAN
    return True


def test_ensure_installs_nothing_where_there_is_a_browser() -> None:
    computer = Computer(programs={"/usr/bin/chromium": DEBIAN, "/usr/bin/apt-get": ""}, root=True)
    assert ensure(computer.machine()).path == "/usr/bin/chromium"
    assert computer.performed == []


def test_ensure_installs_debians_chromium_as_root() -> None:
    computer = Computer(programs={"/usr/bin/apt-get": ""}, root=True, installs=installs_chromium)
    assert ensure(computer.machine()).version == "156.0.8078.79"
    assert computer.performed == [
        ("apt-get", "update"),
        ("apt-get", "install", "-y", "--no-install-recommends", "chromium", "chromium-sandbox"),
    ]


def test_ensure_uses_sudo_only_where_it_asks_for_no_password() -> None:
    tools = {"/usr/bin/dnf": ""}
    asks = Computer(programs={**tools, "/usr/bin/sudo": ""}, installs=installs_chromium)
    with pytest.raises(BrowserMissing):
        ensure(asks.machine())
    assert asks.performed == []
    # The fake answers by the command's first word, so "sudo" itself is what succeeds here.
    lets = Computer(programs={**tools, "/usr/bin/sudo": "", "sudo": ""}, installs=installs_chromium)
    ensure(lets.machine())
    assert lets.performed == [("sudo", "-n", "dnf", "install", "-y", "chromium")]


def test_ensure_goes_on_to_snap_where_apt_has_no_chromium() -> None:
    def only_snap(computer: Computer, command: Sequence[str]) -> bool:
        return command[0] == "snap" and installs_chromium(computer, command)

    computer = Computer(
        programs={"/usr/bin/apt-get": "", "/usr/bin/snap": ""}, root=True, installs=only_snap
    )
    ensure(computer.machine())
    assert computer.performed == [("apt-get", "update"), ("snap", "install", "chromium")]


def test_the_sandbox_is_off_for_root_on_linux_alone_and_the_reason_is_given() -> None:
    assert sandbox_flags(Computer(root=True).machine()) == ("--no-sandbox",)
    assert "root" in why_no_sandbox(Computer(root=True).machine())
    for computer in (Computer(), Computer("darwin", root=True), Computer("win32", root=True)):
        assert sandbox_flags(computer.machine()) == ()
        assert why_no_sandbox(computer.machine()) == ""


def test_as_a_program_it_prints_the_path_alone(capsys: pytest.CaptureFixture[str]) -> None:
    computer = Computer(programs={"/usr/bin/chromium": DEBIAN})
    assert main(["--ensure"], computer.machine()) == 0
    assert capsys.readouterr().out == "/usr/bin/chromium\n"


def test_as_a_program_without_a_browser_it_says_what_to_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([], Computer(programs={"/usr/bin/dnf": ""}).machine()) == 1
    assert "Run: sudo dnf install -y chromium" in capsys.readouterr().err
    assert main(["--wrong"], Computer().machine()) == 2


def test_this_machine_has_a_browser_and_it_tells_its_version() -> None:
    assert int(find(this_machine()).version.split(".")[0]) >= 125

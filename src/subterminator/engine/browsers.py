"""Finds an installed browser that we can drive. Starts none, but to ask for its version.

`locate` is quick and trusts what it finds; `find` also asks each candidate for its version;
`ensure` installs one where there is none: `python -m subterminator.engine.browsers --ensure`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from subterminator.engine.install import by_hand, install
from subterminator.errors import BrowserMissing
from subterminator.machine import Machine, this_machine

MINIMUM = 125
VARIABLE = "SUBTERMINATOR_BROWSER"


class Browser(Struct, frozen=True):
    """A browser on this machine. `version` is empty until it was asked for."""

    path: str
    name: str
    version: str = ""


class Product(NamedTuple):
    """One kind of browser and where its makers put it."""

    name: str
    commands: tuple[str, ...]
    places: tuple[str, ...]
    bundle: str
    program: str
    folder: str


PRODUCTS = (
    Product(
        "Google Chrome",
        ("google-chrome", "google-chrome-stable"),
        ("/opt/google/chrome/chrome",),
        "Google Chrome.app/Contents/MacOS/Google Chrome",
        "chrome.exe",
        r"Google\Chrome\Application",
    ),
    Product(
        "Chromium",
        ("chromium", "chromium-browser"),
        ("/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"),
        "Chromium.app/Contents/MacOS/Chromium",
        "chrome.exe",
        r"Chromium\Application",
    ),
    Product(
        "Microsoft Edge",
        ("microsoft-edge", "microsoft-edge-stable"),
        ("/opt/microsoft/msedge/msedge",),
        "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        "msedge.exe",
        r"Microsoft\Edge\Application",
    ),
    Product(
        "Brave",
        ("brave-browser", "brave"),
        ("/opt/brave.com/brave/brave",),
        "Brave Browser.app/Contents/MacOS/Brave Browser",
        "brave.exe",
        r"BraveSoftware\Brave-Browser\Application",
    ),
)

PLAYWRIGHT = {
    "linux": (".cache/ms-playwright", ("chrome-linux*/chrome",)),
    "darwin": (
        "Library/Caches/ms-playwright",
        (
            "chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
            "chrome-mac*/*for Testing.app/Contents/MacOS/*for Testing",
        ),
    ),
    "win32": (r"AppData\Local\ms-playwright", (r"chrome-win*\chrome.exe",)),
}

# Confined: they see neither every profile folder nor, some of them, our pipes. Hence last.
SNAP = ("/snap/", "/var/lib/snapd/")
FLATPAK = ("com.google.Chrome", "org.chromium.Chromium", "com.microsoft.Edge", "com.brave.Browser")


def candidates(machine: Machine) -> Iterator[Browser]:
    """Every browser installed here, the one to prefer first. Versions are not asked for."""
    seen: set[str] = set()
    for browser in _places(machine):
        if browser.path not in seen and machine.exists(browser.path):
            seen.add(browser.path)
            yield browser


def locate(machine: Machine, wish: str = "") -> Browser:
    """The browser to start: the one wished for, else the first installed one."""
    wished = _wished(machine, wish)
    if wished:
        return wished
    for browser in candidates(machine):
        return browser
    raise _none_here("No browser was found on this machine.", machine)


def find(machine: Machine, wish: str = "") -> Browser:
    """Like `locate`, with the version, and passing over those too old or broken."""
    wished = _wished(machine, wish)
    if wished:
        checked = _versioned(machine, wished)
        problem = _problem(checked)
        if problem:
            raise _none_here(problem, machine)
        return checked
    problems: list[str] = []
    for browser in candidates(machine):
        checked = _versioned(machine, browser)
        problem = _problem(checked)
        if not problem:
            return checked
        problems.append(problem)
    raise _none_here(" ".join(problems) or "No browser was found on this machine.", machine)


def ensure(machine: Machine, wish: str = "") -> Browser:
    """Like `find`; installs what the platform offers where there is none and none is wished for."""
    try:
        return find(machine, wish)
    except BrowserMissing:
        if wish or machine.environ.get(VARIABLE) or not install(machine):
            raise
    return find(machine)


def sandbox_flags(machine: Machine | None = None) -> tuple[str, ...]:
    """The browser's own sandbox stays on wherever it can run."""
    return ("--no-sandbox",) if why_no_sandbox(machine or this_machine()) else ()


def why_no_sandbox(machine: Machine) -> str:
    """The reason in words, empty where the sandbox is on."""
    if machine.platform == "linux" and machine.root:
        return "Chromium's sandbox does not run for root on Linux"
    return ""


def major(version: str) -> int:
    """Its leading number, 0 for a version that has none."""
    match = re.match(r"\d+", version)
    return int(match[0]) if match else 0


def _wished(machine: Machine, wish: str) -> Browser | None:
    origin = "asked for" if wish else f"that {VARIABLE} names"
    wish = wish or machine.environ.get(VARIABLE, "")
    if not wish:
        return None
    path = wish if machine.exists(wish) else machine.which(wish)
    if path is None:
        raise BrowserMissing(
            f"The browser {origin} is not there or cannot be run: {wish}.",
            next_step="Give the path of Chrome, Chromium, Edge or Brave, or none to have it found.",
        )
    return Browser(path, "")


def _none_here(problem: str, machine: Machine) -> BrowserMissing:
    advice = by_hand(machine).rstrip(".")
    return BrowserMissing(
        problem, next_step=f"{advice} - or set {VARIABLE} to the path of one you have."
    )


def _problem(browser: Browser) -> str:
    if not browser.version:
        return f"{browser.path} does not tell its version, so it cannot be used."
    if major(browser.version) < MINIMUM:
        return f"{browser.name} {browser.version} at {browser.path} is older than {MINIMUM}."
    return ""


def _versioned(machine: Machine, browser: Browser) -> Browser:
    if machine.platform == "win32":
        # Chrome on Windows opens a window instead of answering. Beside it lies a folder or file
        # named by the version.
        return replace(browser, version=_version_beside(machine, browser.path))
    said = machine.output((browser.path, "--version")) or ""
    match = re.search(r"^\s*(\D*?)\s*(\d+\.[\d.]+)", said, re.MULTILINE)
    if not match:
        return browser
    return replace(browser, name=browser.name or match[1], version=match[2])


def _version_beside(machine: Machine, path: str) -> str:
    folder = path.rpartition("\\")[0]
    found = (
        re.search(r"(\d+\.\d+\.\d+\.\d+)(\.manifest)?$", entry)
        for entry in machine.glob(machine.join(folder, "*.*.*.*"))
    )
    versions = [match[1] for match in found if match]
    return max(versions, key=lambda text: [int(part) for part in text.split(".")], default="")


def _places(machine: Machine) -> Iterator[Browser]:
    if machine.platform == "darwin":
        yield from _mac(machine)
        yield from _playwright(machine)
    elif machine.platform == "win32":
        yield from _windows(machine)
        yield from _playwright(machine)
    else:
        yield from _linux(machine)


def _linux(machine: Machine) -> Iterator[Browser]:
    confined: list[Browser] = []
    for product in PRODUCTS:
        for command in product.commands:
            path = machine.which(command)
            if path and path.startswith(SNAP):
                confined.append(Browser(path, product.name))
            elif path:
                yield Browser(path, product.name)
    for product in PRODUCTS:
        yield from (Browser(place, product.name) for place in product.places)
    yield from _playwright(machine)
    yield from confined
    yield Browser("/snap/bin/chromium", "Chromium")
    for root in (machine.folder("XDG_DATA_HOME", ".local/share"), "/var/lib"):
        yield from (Browser(f"{root}/flatpak/exports/bin/{app}", "") for app in FLATPAK)


def _mac(machine: Machine) -> Iterator[Browser]:
    for product in PRODUCTS:
        for root in ("/Applications", machine.join(machine.home, "Applications")):
            yield Browser(machine.join(root, product.bundle), product.name)


def _windows(machine: Machine) -> Iterator[Browser]:
    for product in PRODUCTS:
        # Chromium registers itself as chrome.exe too, so this entry is Chrome's or as good as it.
        registered = machine.registered(product.program)
        if registered:
            yield Browser(registered, product.name)
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            root = machine.environ.get(variable)
            if root:
                yield Browser(machine.join(root, product.folder, product.program), product.name)


def _playwright(machine: Machine) -> Iterator[Browser]:
    folder, programs = PLAYWRIGHT.get(machine.platform, PLAYWRIGHT["linux"])
    root = machine.folder("PLAYWRIGHT_BROWSERS_PATH", folder)
    paths = [
        path
        for program in programs
        for path in machine.glob(machine.join(root, "chromium-*", program))
    ]
    for path in sorted(paths, key=_build, reverse=True):
        yield Browser(path, "Chromium")


def _build(path: str) -> int:
    match = re.search(r"chromium-(\d+)", path)
    return int(match[1]) if match else 0


def main(arguments: Sequence[str], machine: Machine) -> int:
    """Print the path of a usable browser, and with --ensure install one if need be."""
    if list(arguments) not in ([], ["--ensure"]):
        print("usage: python -m subterminator.engine.browsers [--ensure]", file=sys.stderr)
        return 2
    try:
        browser = ensure(machine) if arguments else find(machine)
    except BrowserMissing as error:
        print(error, file=sys.stderr)
        return 1
    print(browser.path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], this_machine()))

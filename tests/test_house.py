"""The rules of the house that no tool checks. An exception is listed here, with its reason."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from subterminator.config import TYPES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "subterminator"
SOURCES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 400
EMPTY_NAMES = {
    "utils",
    "util",
    "helpers",
    "helper",
    "manager",
    "managers",
    "common",
    "misc",
    "legacy",
}

# path below src/subterminator: why a sleep is right there
SLEEPS: dict[str, str] = {
    "sequence.py": "the back-off between attempts is what was asked for",
    "engine/input.py": "holding a key or button, and the pace of typing, are what was asked for",
    "engine/waiting.py": "a wait for a time is what was asked for",
    "engine/launch.py": "Windows: waits for the port file of the browser; a file cannot be awaited",
    "agents/models/retries.py": "the wait before asking a model again is what was asked for",
    "client/remote.py": "the pause before the next try of a server that does not answer",
    "runs/store.py": "watches a file that another process writes; a file cannot be awaited",
}


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def sleeps(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="time" | "asyncio"), attr="sleep"):
                yield node.lineno
            case ast.ImportFrom(module="time" | "asyncio", names=names):
                yield from (node.lineno for alias in names if alias.name == "sleep")


def broad_excepts(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.ExceptHandler):
            continue
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        for kind in kinds:
            if (
                kind is None
                or isinstance(kind, ast.Name)
                and kind.id in ("Exception", "BaseException")
            ):
                yield node.lineno


@pytest.mark.parametrize("path", [*SOURCES, *sorted(PACKAGE.rglob("*.js"))], ids=name)
def test_a_source_file_fits_into_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_module_is_named_after_what_it_is(path: Path) -> None:
    assert path.stem not in EMPTY_NAMES
    assert path.parent.name not in EMPTY_NAMES


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_module_begins_by_saying_what_it_is(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not source.strip() or ast.get_docstring(ast.parse(source))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_sleeps_and_nothing_catches_everything_without_a_listed_reason(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert name(path) in SLEEPS or not list(sleeps(tree))
    assert not list(broad_excepts(tree))


def test_the_checks_of_this_file_see_what_they_look_for() -> None:
    tree = ast.parse(
        "import time, asyncio\nfrom asyncio import sleep\ntime.sleep(1)\nasyncio.sleep(0)\n"
        "try: pass\nexcept (ValueError, Exception): pass\n"
        "try: pass\nexcept: pass\n"
        "try: pass\nexcept OSError: pass\n"
    )
    assert sorted(sleeps(tree)) == [2, 3, 4]
    assert sorted(broad_excepts(tree)) == [6, 8]


@pytest.mark.parametrize("path", SLEEPS)
def test_a_listed_exception_is_still_needed(path: str) -> None:
    tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
    assert list(sleeps(tree))


def test_make_help_lists_every_target() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = [line.split()[1] for line in done.stdout.splitlines()]
    for target in "setup demo test format bench soak wheel lock clean".split():
        assert target in listed


def test_make_bench_without_its_harness_says_so_and_fails() -> None:
    done = subprocess.run(
        ["make", "--silent", "bench", "BENCH=/nowhere"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "No benchmark harness at BENCH=/nowhere" in done.stdout


def test_the_continuous_build_runs_the_one_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make test" in script


def test_the_lock_names_versions_and_hashes_but_no_address_and_no_path() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert any("==" in line for line in lines)
    for line in lines:
        assert "://" not in line
        assert "--index" not in line and "--find-links" not in line
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    locked = {line.split("==")[0] for line in lines if "==" in line}
    for dependency in project["project"]["dependencies"]:
        assert dependency.split(">=")[0] in locked


def test_the_readme_names_every_setting() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [setting for setting in TYPES if f"`{setting}`" not in readme] == []


def test_the_guide_for_agents_is_at_most_120_lines() -> None:
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= 120

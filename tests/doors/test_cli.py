from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from subterminator.doctor import Report
from subterminator.doors.cli import main


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str | None]:
    """The user's own settings play no part, and nothing is written outside the test's folder."""
    ours = {name: None for name in os.environ if name.startswith("SUBTERMINATOR_")}
    keys = {"ANTHROPIC_API_KEY": None, "OPENAI_API_KEY": None}
    return {
        **ours,
        **keys,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }


def run(environ: dict[str, str | None], *arguments: str, **more: str) -> Result:
    return CliRunner().invoke(main, arguments, env={**environ, **more})


def test_doctor_finds_a_browser_that_really_starts(environ: dict[str, str | None]) -> None:
    result = run(environ, "doctor", "--json")
    report = msgspec.json.decode(result.stdout, type=Report)
    found = {finding.name: finding for finding in report.findings}
    assert result.exit_code == 0
    assert report.ok
    assert report.browser
    assert report.browser.version
    assert "starts and answers as" in found["launch"].found
    assert found["state folder"].found.startswith(str(environ["XDG_STATE_HOME"]))


def test_doctor_prints_a_line_for_each_thing_and_what_to_do(environ: dict[str, str | None]) -> None:
    lines = run(environ, "doctor").stdout.splitlines()
    assert any(line.startswith("ok      browser ") for line in lines)
    assert any(line.startswith("-       OPENAI_API_KEY      not set") for line in lines)


def test_doctor_names_keys_but_never_shows_them(environ: dict[str, str | None]) -> None:
    result = run(environ, "doctor", ANTHROPIC_API_KEY="sk-very-secret")
    assert "ANTHROPIC_API_KEY   set" in result.output
    assert "sk-very-secret" not in result.output


def test_doctor_fails_where_something_essential_is_missing(
    environ: dict[str, str | None],
) -> None:
    result = run(environ, "doctor", "--browser", "/nowhere/chrome")
    assert result.exit_code == 1
    assert "MISSING browser" in result.stdout
    assert "/nowhere/chrome" in result.stdout


def test_doctor_reports_a_browser_that_does_not_start(
    environ: dict[str, str | None], tmp_path: Path
) -> None:
    fake = tmp_path / "chrome"
    fake.write_text(
        "#!/bin/sh\n"
        '[ "$1" = --version ] && echo Chromium 150.0.1 && exit\necho no display >&2; exit 1\n',
        encoding="utf-8",
    )
    fake.chmod(0o755)
    result = run(environ, "doctor", "--browser", str(fake))
    assert result.exit_code == 1
    assert "MISSING launch" in result.stdout
    assert "no display" in result.stdout
    assert f"{fake} --headless" in result.stdout


def test_doctor_reports_a_state_folder_others_can_read(
    environ: dict[str, str | None], tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    result = run(environ, "doctor", SUBTERMINATOR_STATE_DIR=str(tmp_path))
    assert result.exit_code == 1
    assert f"chmod 700 {tmp_path}" in result.stdout


def test_a_wrong_setting_is_one_line_and_exit_code_2(environ: dict[str, str | None]) -> None:
    result = run(environ, "doctor", SUBTERMINATOR_HEADLES="1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Did you mean headless?" in result.stderr


@pytest.mark.parametrize(
    "command", [[sys.executable, "-m", "subterminator"], [f"{sys.prefix}/bin/subterminator"]]
)
def test_both_ways_in_tell_the_version(command: list[str]) -> None:
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("subterminator, version 0.")


def test_importing_the_package_loads_nothing_heavy() -> None:
    probe = (
        "import subterminator, sys; "
        "print([m for m in ('asyncio', 'click', 'msgspec', 'websockets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

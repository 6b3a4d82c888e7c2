"""The example of the README works as it stands, pasted into a file by a new user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def example() -> str:
    _, _, after = README.read_text(encoding="utf-8").partition("<!-- example -->")
    inside, end, _ = after.partition("<!-- /example -->")
    assert end
    return inside.partition("```python\n")[2].partition("```")[0]


def test_the_example_is_about_25_lines() -> None:
    code = [line for line in example().splitlines() if line.strip()]
    assert 20 <= len(code) <= 35


def test_the_example_runs_and_the_page_noticed_everything(tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(example(), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=50
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for seen in ('textbox "Your name"', '"Plan"', '"I agree"', '"Save draft"', '"Show details"'):
        assert seen in done.stdout
    assert "Cancel for good?" in done.stdout and "ASKED: dialog" in done.stdout
    assert "You may cancel at any time." in done.stdout
    assert "saved until" in done.stdout and "receipt.txt" in done.stdout
    for noticed in (
        "name: Ada",
        "plan: Basic",
        "agreed: true",
        "draft saved",
        "details shown",
        "subscription cancelled",
    ):
        assert done.stdout.splitlines()[-6:].count(noticed) == 1

"""docs/models.md tells the truth about what can be listed and run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from subterminator.agents.models.choice import ADDRESSES, DEFAULTS, KEYS
from subterminator.agents.models.prices import PRICES
from subterminator.gym.models.faults import KINDS
from subterminator.gym.models.personalities import NAMES

GUIDE = (Path(__file__).parents[3] / "docs" / "models.md").read_text(encoding="utf-8")


def test_the_guide_names_every_model_character_fault_and_variable() -> None:
    wanted = [*DEFAULTS.values(), *KEYS.values(), *ADDRESSES.values(), *NAMES, *KINDS]
    assert [word for word in wanted if f"`{word}`" not in GUIDE] == []


def test_the_guide_has_the_prices_that_are_used() -> None:
    rows = [
        f"| `{name}` | {it.fresh:g} | {it.cached:g} | {it.written:g} | {it.output:g} |"
        for name, it in PRICES.items()
    ]
    assert "\n".join(rows) in GUIDE


def test_the_guide_shows_code_that_runs(tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(GUIDE.partition("```python\n")[2].partition("```")[0], encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Good day. Usage(" in done.stdout and done.stdout.endswith(" 0.0\n")

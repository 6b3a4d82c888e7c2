"""Whether Playwright MCP is here to be driven; tests that need it say why they are skipped."""

from __future__ import annotations

import pytest

from subterminator.engine.foreign.package import program
from subterminator.errors import BrowserMissing
from subterminator.machine import this_machine


def why_not() -> str:
    """Empty where it is installed; what npx may have kept is not asked for here."""
    try:
        command = program(this_machine())
    except BrowserMissing as fault:
        return str(fault)
    return "" if command[-1].endswith("cli.js") else "Playwright MCP is not installed: make test"


needs_server = pytest.mark.skipif(bool(why_not()), reason=why_not())

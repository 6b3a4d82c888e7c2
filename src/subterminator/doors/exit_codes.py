"""The numbers that commands end with, for scripts; 0 is success. What they mean: docs/cancel.md."""

from __future__ import annotations

FAILED = 1
USAGE = 2
AT_THE_GATE = 3
PERSON_NEEDED = 4
ELSEWHERE = 5
PENDING = 6
UNVERIFIED = 7
STOPPED = 8
ENVIRONMENT = 9
INTERRUPTED = 130

# Reasons of a run that are no answer of the site or the person: something is broken.
BROKEN = frozenset({"browser_error", "llm_error", "llm_no_action", "mcp_error"})

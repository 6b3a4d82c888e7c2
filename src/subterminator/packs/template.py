"""Goals and letters with gaps to fill. Not a template language: a gap is a word in braces."""

from __future__ import annotations

import re
from collections.abc import Mapping

# gap: what stands there when nothing is known
GAPS: Mapping[str, str] = {
    "service": "[service]",
    "account": "[account]",
    "plan": "[plan]",
    "name": "[your name]",
    "address": "[your address]",
    "date": "[date]",
    "number": "[customer number]",
}
_GAP = re.compile(r"\{([^{}]*)\}")


def unknown_gaps(text: str) -> list[str]:
    return sorted(set(_GAP.findall(text)) - set(GAPS))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its gaps filled; what is not known stays visible for a person to fill in."""
    return _GAP.sub(lambda gap: values.get(gap[1]) or GAPS.get(gap[1], gap[0]), text.strip("\n"))

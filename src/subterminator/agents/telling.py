"""What a tool of a team tells of its result, whoever runs the tools: the data of its envelope."""

from __future__ import annotations

from typing import Any

from subterminator.agents import team_tools as t
from subterminator.agents.showing import WHOLE
from subterminator.agents.targeting import Attempt
from subterminator.errors import SubTerminatorError
from subterminator.result import Result
from subterminator.runs.events import Media
from subterminator.runs.record import Record
from subterminator.types import Picture


def data_of(tool: t.AnyTeamTool, result: Result | None, record: Record) -> Any:
    """The page for who asked for it, a receipt for a picture that is kept, words otherwise."""
    shown = result.snapshot if result else None
    match tool:
        case t.GetAccessibilityTree() | t.FindInteractiveElements() if shown:
            return {"url": shown.page.url, "tree": shown.text(WHOLE)}
        case t.SaveScreenshot(file_path=name) if result and isinstance(result.value, Picture):
            is_png = result.value.format == "png"
            kind: Media = "image/png" if is_png else "image/jpeg"
            return {"kept_as": record.keep(result.value.data, kind, name), "name": name}
        case _:
            return result.text() if result is not None else None


def attempts_of(fault: SubTerminatorError) -> tuple[Attempt, ...]:
    """What was tried to find an element, as far as the error knows."""
    tried = fault.details.get("attempts", ())
    return (
        tuple(one for one in tried if isinstance(one, Attempt)) if isinstance(tried, tuple) else ()
    )

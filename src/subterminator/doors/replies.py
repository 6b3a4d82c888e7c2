"""What a reply says, for a model, a person or a program. Holds no session.

A budget bounds the whole answer. Without one a page that is new is told in full, as far as that is
reasonable, and otherwise what has changed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from subterminator import actions as a
from subterminator.errors import SubTerminatorError
from subterminator.intake import name_of
from subterminator.page.find import Match
from subterminator.page.tokens import estimate
from subterminator.result import ExecuteResult, Result
from subterminator.types import Picture

CHANGES = 500
WHOLE = 4_000
LEAST = 60
WITH_ERROR = 1_500


def tell(action: a.Action, result: Result, budget: int | None = None) -> str:
    """The reply to an action: facts first, then what changed, or the page where it is new."""
    if isinstance(action, a.TakeSnapshot) and result.snapshot:
        remarks = result.remarks()
        head = "".join(f"{line}\n" for line in remarks)
        return head + result.snapshot.text(_left(budget, head, 2 * WHOLE))
    shown, changes = result.snapshot, result.changes
    head = msgspec.structs.replace(result, before=None).text()
    if changes is None or isinstance(action, a.Screenshot | a.ReadText | a.Find):
        is_new = isinstance(action, a.Navigate | a.OpenTab) and shown is not None
        return f"{head}\n{shown.text(_left(budget, head, WHOLE))}" if is_new and shown else head
    told = changes.text(_left(budget, head, CHANGES), _left(budget, head, WHOLE))
    return f"{head}\n{told}"


def _left(budget: int | None, head: str, usual: int) -> int:
    return max(budget - estimate(head), LEAST) if budget else usual


def tell_fault(fault: SubTerminatorError, budget: int | None = None) -> str:
    """What went wrong, what to do next, and the page as it is now if the error brings it."""
    if fault.snapshot is None:
        return str(fault)
    return f"{fault}\n{fault.snapshot.text(_left(budget, str(fault), WITH_ERROR))}"


def data(action: a.Action, result: Result, text: str) -> dict[str, Any]:
    """The reply for programs."""
    happened = result.happened
    told: dict[str, Any] = {
        "ok": not isinstance(result.value, ExecuteResult) or result.value.success,
        "action": name_of(action),
        "url": result.page.url,
        "title": result.page.title,
        "settled": happened.settled == "quiet",
        "text": text,
    }
    if result.target:
        told["target"] = {
            "ref": result.target.ref, "role": result.target.role, "name": result.target.name,
        }  # fmt: skip
    more = {
        "pending": happened.pending,
        "dialog": happened.dialog,
        "dialogs": happened.dialogs,
        "new_tabs": happened.new_tabs,
        "closed_tabs": happened.closed_tabs,
        "downloads": happened.downloads,
        "blocked": happened.blocked,
        "value": _value(result.value),
    }
    return told | {key: msgspec.to_builtins(value) for key, value in more.items() if value}


def _value(value: Any) -> Any:
    match value:
        case Picture(format=format, width=width, height=height):
            return {"format": format, "width": width, "height": height}
        case ExecuteResult(completed=completed, total=total, failed_at=failed_at):
            return {"completed": completed, "total": total, "failed_at": failed_at}
        case [Match(), *_]:
            return [match._asdict() for match in value]
        case _:
            return value


def fault_data(fault: SubTerminatorError) -> dict[str, Any]:
    """An error for programs."""
    told = {"code": fault.code, "message": fault.message, "next_step": fault.advice}
    return {"ok": False, "error": {**told, "delivered": fault.delivered}}

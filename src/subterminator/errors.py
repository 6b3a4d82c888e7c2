"""Every way an operation can fail, each with a code, a next step and whether trying again helps.

SubTerminatorError
├── InvalidParams            the call itself is wrong; nothing was done
├── RefInvalid               the ref names nothing that is there now
├── ElementNotFound          a selector or description matched nothing
├── SelectorAmbiguous        it matched more than one thing
├── ElementDisabled
├── ElementNotVisible
├── ElementObscured          something else lies over it
├── FrameNotFound
├── ActionFailed             the browser or page refused
│   └── NavigationFailed
├── ConditionFailed          a composite step's condition did not hold
├── Timeout
├── DialogOpen               a native dialog blocks the page
├── TargetClosed             the tab is gone or crashed
│   └── BrowserClosed
├── BrowserMissing           no usable browser on this machine
├── Refused                  policy says no
│   ├── OutOfScope           this caller may not ask for it at all
│   ├── ApprovalRequired     a sequence cannot ask; this step must be done by itself
│   ├── ApprovalVoid         what was approved is not what would be done now
│   ├── NotPressed           pressed before, or by another run (safety/ledger.py)
│   ├── LedgerUnusable       the ledger cannot be read or written (safety/storage.py)
│   ├── HumanRejected        the human said no, or there is none
│   └── HandedOver           only the human may do this, and did not
├── RecordFailed             the run's record cannot be written (runs/folder.py)
└── LimitReached             a cap on steps, dialogs, tabs or size
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from subterminator.page.snapshot import Snapshot

Retry = Literal["never", "later", "after_snapshot", "after_change", "ask_human"]


class SubTerminatorError(Exception):
    """Base of all errors. `str(error)` is one line for a person or a model, next step included."""

    code: ClassVar[str] = "action_failed"
    rpc: ClassVar[int] = -32603
    retry: ClassVar[Retry] = "never"
    next_step: ClassVar[str] = ""

    def __init__(self, message: str, *, next_step: str = "", **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.advice = next_step or self.next_step
        self.details = details
        self.snapshot: Snapshot | None = None
        # Whether input may have reached the page before this happened; such an action is never
        # repeated.
        self.delivered = False

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" {self.advice}" if self.advice else "")


class InvalidParams(SubTerminatorError, ValueError):
    code, rpc = "invalid_params", -32602
    next_step = "Correct the call; nothing was done."


class RefInvalid(SubTerminatorError):
    code, rpc, retry = "ref_invalid", -32012, "after_snapshot"
    next_step = "Use a ref from the snapshot that comes with this error."


class ElementNotFound(SubTerminatorError):
    code, rpc, retry = "element_not_found", -32012, "after_change"
    next_step = "Take a snapshot and use a ref, or wait for the element."


class SelectorAmbiguous(SubTerminatorError):
    code, rpc = "selector_ambiguous", -32020
    next_step = "Use one of the refs listed, or a narrower selector."


class ElementDisabled(SubTerminatorError):
    code, rpc, retry = "element_disabled", -32014, "after_change"
    next_step = "Wait for it to become enabled, or do first what the page requires."


class ElementNotVisible(SubTerminatorError):
    code, rpc, retry = "element_not_visible", -32013, "after_change"
    next_step = "Open what hides it, or choose another element."


class ElementObscured(SubTerminatorError):
    code, rpc, retry = "element_obscured", -32013, "after_change"
    next_step = "Close or deal with what lies over it first."


class FrameNotFound(SubTerminatorError):
    code, rpc, retry = "frame_not_found", -32040, "after_snapshot"
    next_step = "List the frames and use one of them."


class ActionFailed(SubTerminatorError):
    code, rpc = "action_failed", -32021
    next_step = "Look at the page before trying anything else."


class NavigationFailed(ActionFailed):
    code, rpc, retry = "navigation_failed", -32015, "later"
    next_step = "Check the address and try again."


class ConditionFailed(SubTerminatorError):
    code, rpc, retry = "condition_failed", -32602, "after_change"
    next_step = "Look at the page: it is not as the step expects."


class Timeout(SubTerminatorError):
    code, rpc, retry = "timeout", -32016, "later"
    next_step = "Look at the page before trying again; raise timeout_ms if it is only slow."


class DialogOpen(SubTerminatorError):
    code, rpc, retry = "dialog_open", -32021, "after_change"
    next_step = "Answer it with the dialog action first."


class TargetClosed(SubTerminatorError):
    code, rpc = "target_closed", -32017
    next_step = "List the tabs and select or open one."


class BrowserClosed(TargetClosed):
    code = "browser_closed"
    next_step = "Open a new session."


class BrowserMissing(SubTerminatorError):
    code, rpc = "browser_missing", -32010
    next_step = "Run `subterminator doctor`."


class Refused(SubTerminatorError):
    code, rpc = "refused", -32041
    next_step = "This is not done; choose another way."


class OutOfScope(Refused):
    code, rpc = "out_of_scope", -32000
    next_step = "Use a caller that was given this scope; nothing was done."


class ApprovalVoid(Refused):
    code, rpc, retry = "approval_void", -32032, "ask_human"
    next_step = "Look at the page and ask again; nothing was done."


class ApprovalRequired(Refused):
    code, rpc, retry = "approval_required", -32032, "ask_human"
    next_step = "Do this step by itself, so that the person can be asked."


class HumanRejected(Refused):
    code, rpc, retry = "human_rejected", -32030, "ask_human"


class HandedOver(Refused):
    code, rpc, retry = "handed_over", -32032, "ask_human"


class LimitReached(SubTerminatorError):
    code, rpc = "limit_reached", -32024
    next_step = "Ask for less, or leave this page."

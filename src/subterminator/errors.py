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
│   ├── NavigationFailed
│   └── NotTypable           only text fields are typed into
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
│   ├── NotPressed           pressed before, or by another run
│   ├── LedgerUnusable       the ledger cannot be read or written
│   ├── HumanRejected        the human said no, or there is none
│   └── HandedOver           only the human may do this, and did not
├── LimitReached             a cap on steps, dialogs, tabs or size
├── RateReached              too much in too little time
├── RecordFailed             the run's record cannot be written
├── ProofFailed              the proof cannot be written or read
├── ConnectionLost           the server is not there, or went away in the middle of a call
├── ApprovalTimeout          nobody answered a client in time
├── UnknownMethod            over the protocol, as are the next five
├── NotInitialized
├── AlreadyInitialized
├── BrowserNotLaunched
├── PageNotFound
└── ContextNotFound
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


class NotTypable(ActionFailed):
    code = "not_typable"
    next_step = "Use click, check or select on it."


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


class NotPressed(Refused):
    """Someone else was first, its time is over, or it was pressed before."""

    code, retry = "not_pressed", "ask_human"
    next_step = "It was not pressed. Look at the account page, then ask again."


class LedgerUnusable(Refused):
    """Without a ledger nothing that cannot be undone is done."""

    code, retry = "ledger_unusable", "ask_human"
    next_step = "Nothing was pressed. Repair it, then try again."


class HumanRejected(Refused):
    code, rpc, retry = "human_rejected", -32030, "ask_human"


class HandedOver(Refused):
    code, rpc, retry = "handed_over", -32032, "ask_human"


class LimitReached(SubTerminatorError):
    code, rpc = "limit_reached", -32024
    next_step = "Ask for less, or leave this page."


class RateReached(SubTerminatorError):
    """Too much in too little time; nothing was done."""

    code, rpc, retry = "rate_reached", -32000, "later"
    next_step = "Wait for retryAfterMs and ask again; nothing was done."


class RecordFailed(SubTerminatorError):
    """What a run does cannot be written down."""

    code = "record_failed"
    next_step = "Make room on the disk or set state_dir to another folder, then run again."


class ProofFailed(SubTerminatorError):
    """The proof cannot be written or read."""

    code = "proof_failed"
    next_step = "Make room on the disk, or name another folder with SUBTERMINATOR_OUTPUT."


class ConnectionLost(SubTerminatorError):
    """The server is not there, or went away in the middle of a call."""

    code, rpc, retry = "connection_lost", -32000, "later"
    next_step = "Look at the page before doing it again: it may have been done."


class ApprovalTimeout(SubTerminatorError):
    """Nobody answered in time; nothing was done."""

    code, rpc, retry = "approval_timeout", -32031, "ask_human"
    next_step = "Ask the person to be there, then ask again."


class UnknownMethod(SubTerminatorError):
    code, rpc = "unknown_method", -32601
    next_step = "See docs/bap.md for the methods there are."


class NotInitialized(SubTerminatorError):
    code, rpc = "not_initialized", -32001
    next_step = "Send initialize first."


class AlreadyInitialized(SubTerminatorError):
    code, rpc = "already_initialized", -32002
    next_step = "Send shutdown first, or open another connection."


class BrowserNotLaunched(SubTerminatorError):
    code, rpc = "browser_not_launched", -32010
    next_step = "Send browser/launch first."


class PageNotFound(SubTerminatorError):
    code, rpc = "page_not_found", -32011
    next_step = "See page/list, or make one with page/create."


class ContextNotFound(SubTerminatorError):
    code, rpc = "context_not_found", -32023
    next_step = "See context/list."

"""JSON-RPC messages: how they are read, how replies and errors are written. Knows no methods."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, NoReturn

import msgspec

from subterminator.errors import ActionFailed, Refused, SubTerminatorError

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
INTERNAL = -32603
DEEPEST = 100
LONGEST_METHOD = 100
LONGEST_ID = 200
# What the retry words of our errors mean to a client: whether to try again, and after how long.
RETRY_AFTER = {"later": 1000, "after_snapshot": 0, "after_change": 500}

# Published clients put these details into words of their own and leave ours out: each has one.
NAMED = {
    -32041: "domain", -32017: "target", -32040: "identifier", -32024: "resource",
    -32032: "requestId", -32030: "reason", -32012: "selector", -32013: "selector",
    -32014: "selector", -32020: "selector",
}  # fmt: skip
OTHER_SITES = frozenset({"leaves-sites", "outside-sites", "address-in-address"})

RequestId = str | int


class BadMessage(SubTerminatorError):
    """What came is no request; there may be no id to answer to."""

    code, rpc = "bad_message", INVALID_REQUEST
    next_step = "Send one JSON-RPC 2.0 object a frame."

    def __init__(self, rpc: int, message: str, id: RequestId = 0) -> None:
        super().__init__(message)
        self.number, self.id = rpc, id


class Request(NamedTuple):
    """A call, or with no id a notification that nobody answers."""

    id: RequestId | None
    method: str
    params: dict[str, Any]


def read(text: str) -> Request | None:
    """One message; None for what is silently passed over, as an array is."""
    data = _parse(text)
    if isinstance(data, list):
        return None
    if not isinstance(data, dict):
        raise BadMessage(INVALID_REQUEST, "A message is a JSON object.")
    id = _id(data.get("id"))
    if data.get("jsonrpc", "2.0") != "2.0":
        raise BadMessage(INVALID_REQUEST, 'The member jsonrpc is not "2.0".', id or 0)
    method, params = data.get("method"), data.get("params")
    if method is None and ("result" in data or "error" in data):
        return None  # An answer, though nothing was asked.
    if not isinstance(method, str) or not 0 < len(method) <= LONGEST_METHOD:
        raise BadMessage(INVALID_REQUEST, "The member method is a short text.", id or 0)
    if params is not None and not isinstance(params, dict):
        raise BadMessage(INVALID_REQUEST, "The member params is an object.", id or 0)
    return Request(id, method, _without_nulls(params or {}))


def _parse(text: str) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_once_each, parse_constant=_no_constant, parse_int=_number
        )
    except RecursionError:
        raise BadMessage(PARSE_ERROR, "The message is nested too deeply.") from None
    except ValueError as fault:
        raise BadMessage(PARSE_ERROR, f"This is not JSON: {str(fault)[:200]}.") from None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two members with one name it is not known which is meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member stands twice in one object")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _number(digits: str) -> int:
    if len(digits) > 40:
        raise ValueError("a number is too long")
    return int(digits)


def _id(value: Any) -> RequestId | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadMessage(INVALID_REQUEST, "An id is a text or a whole number.")
    if isinstance(value, str) and len(value) > LONGEST_ID:
        raise BadMessage(INVALID_REQUEST, f"An id has at most {LONGEST_ID} characters.")
    return value


def _without_nulls(value: dict[str, Any], depth: int = 0) -> dict[str, Any]:
    """Both published clients send null for what they mean to leave out."""
    if depth > DEEPEST:
        raise BadMessage(PARSE_ERROR, "The message is nested too deeply.")
    return {name: _plain(member, depth + 1) for name, member in value.items() if member is not None}


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, dict):
        return _without_nulls(value, depth)
    if isinstance(value, list):
        if depth > DEEPEST:
            raise BadMessage(PARSE_ERROR, "The message is nested too deeply.")
        return [_plain(item, depth + 1) for item in value]
    return value


# Writing


def encode(message: dict[str, Any]) -> str:
    """As JSON, whatever a page wrote: half a character becomes a question mark."""
    try:
        return msgspec.json.encode(message).decode()
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(message)
        written = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
        return written.decode()


def reply(id: RequestId, result: Any) -> dict[str, Any]:
    """Without a result member where there is none to give."""
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
    return answer if result is None else {**answer, "result": result}


def notification(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def error_reply(id: RequestId, fault: SubTerminatorError) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": error_of(fault)}


def error_of(fault: SubTerminatorError) -> dict[str, Any]:
    """Code, words and data. No member of `data` is ever null: a client would lose the error."""
    details = _details(fault)
    number = fault.number if isinstance(fault, BadMessage) else fault.rpc
    if type(fault) is Refused and details.get("rule") not in OTHER_SITES:
        # That number speaks of another site; clients would put their own words for ours.
        number = ActionFailed.rpc
    if number in NAMED:
        details.setdefault(NAMED[number], fault.message)
    wait = details.pop("retry_after_ms", None)
    data: dict[str, Any] = {
        "retryable": fault.retry in RETRY_AFTER and not fault.delivered,
        "details": {**details, "error": fault.code, "delivered": fault.delivered},
    }
    if wait is None and data["retryable"]:
        wait = RETRY_AFTER[fault.retry]
    if wait is not None:
        data["retryAfterMs"] = wait
    if fault.advice:
        data["recoveryHint"] = fault.advice
    return {"code": number, "message": fault.message, "data": data}


def _details(fault: SubTerminatorError) -> dict[str, Any]:
    plain = {}
    for name, value in fault.details.items():
        try:
            found = msgspec.to_builtins(value)
        except TypeError:
            found = str(value)
        if found is not None and found != "":
            plain[name] = found
    return plain


def internal_error(id: RequestId) -> dict[str, Any]:
    """Our own mistake. What it was is for our own log, not for the far end."""
    words = "The server made a mistake; it was noted."
    data = {"retryable": False, "details": {"error": "internal", "delivered": True}}
    error = {"code": INTERNAL, "message": words, "data": data}
    return {"jsonrpc": "2.0", "id": id, "error": error}

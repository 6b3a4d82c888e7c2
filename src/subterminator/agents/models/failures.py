"""What a provider's failure means: worth another attempt, or an error with its next step.

Both SDKs name their failures alike; this module needs neither.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from subterminator.agents.models.base import ModelError, Usage
from subterminator.agents.models.retries import Passing, Retries
from subterminator.safety.redact import Redactor

# 408, 409, 425: the provider itself calls these passing.
PASSING = {408, 409, 425, 429}
# A stream that has begun has status 200 already; then only the kind tells.
PASSING_KINDS = {
    "api_error",
    "overloaded_error",
    "rate_limit_error",
    "server_error",
    "timeout_error",
}
# A limit that no waiting lifts.
UNPAID = {"insufficient_quota", "billing_error", "enforced_spend_limit_reached"}
# Providers print parts of a key they do not accept.
KEY = re.compile(r"\b(?:sk|pk|key|org|proj)-[\w*.-]+")
LONGEST_QUOTE = 240


class Provider(Struct, frozen=True):
    """Who is asked, in words for a person, and the variable that holds the key."""

    name: str
    variable: str


class Failure(Struct, frozen=True):
    """A provider's refusal: HTTP status, kind and code of the error, its words, its headers."""

    status: int
    kind: str
    words: str
    headers: Mapping[str, str]


class Response(Protocol):
    @property
    def headers(self) -> Mapping[str, str]: ...


class Refusal(Protocol):
    """How both SDKs describe an answer that is an error."""

    message: str
    body: object
    status_code: int

    @property
    def response(self) -> Response: ...


def read(refusal: Refusal) -> Failure:
    """The failure in an SDK's error, whatever shape the body has."""
    return Failure(
        refusal.status_code, *describe(refusal.body, refusal.message), refusal.response.headers
    )


def describe(body: object, otherwise: str) -> tuple[str, str]:
    """Kind and words of an error body. One SDK hands out the whole, the other what is in it."""
    match body:
        case {"error": {"message": str() as words, **rest}} | {"message": str() as words, **rest}:
            kinds = [str(rest.get(name) or "") for name in ("code", "type")]
            return next((kind for kind in kinds if kind in UNPAID), kinds[1] or kinds[0]), words
        case _:
            return "", otherwise


def judge(
    failure: Failure, provider: Provider, key: str, retries: Retries, used: Usage
) -> Passing | ModelError:
    who, status = provider.name, failure.status
    said = quote(failure.words, key)
    if failure.kind in UNPAID:
        return ModelError(
            f"{who} says that the account has no credit left: {said}",
            next_step="Add credit, or choose another model with --model.",
        )
    if status in PASSING or status >= 500 or (status == 200 and failure.kind in PASSING_KINDS):
        label = {429: "is asked too often", 529: "is overloaded"}.get(status, "failed")
        return Passing(f"{who} {label} ({status}).", retries.wished(failure.headers), used)
    match status:
        case 401:
            return ModelError(
                f"{who} does not accept the key in {provider.variable}.",
                next_step="Set the right key, or use --planner heuristic, which needs none.",
            )
        case 403:
            return ModelError(
                f"The key in {provider.variable} may not be used for this: {said}",
                next_step="Use a key that may, or another model with --model.",
            )
        case 404:
            return ModelError(
                f"{who} does not know this model or address: {said}",
                next_step="Check --model and --base-url.",
            )
        case _:
            return ModelError(
                f"{who} refuses the request ({status}): {said}",
                next_step="Check --model and --base-url.",
            )


def quote(words: str, key: str) -> str:
    """A provider's own words: one line, not long, without any key."""
    redactor = Redactor(b"models")
    redactor.learn(key)
    return KEY.sub("<key>", redactor.text(" ".join(words.split())))[:LONGEST_QUOTE]

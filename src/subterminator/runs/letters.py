"""Letters that use a proof: to a service that took money after the end, or to the bank.

The texts are data, one file for each language. A letter says what the proof shows, and no more.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from datetime import UTC, date
from functools import cache
from importlib.resources import files
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from subterminator.errors import InvalidParams
from subterminator.packs import template
from subterminator.runs.dates import moment, written
from subterminator.runs.proof import NOT_FOUND, Proof, local
from subterminator.runs.proofs import how_to_cancel

LANGUAGES = ("en", "de", "fr", "es", "it")
To = Literal["service", "bank"]
WIDTH = 78
GAP = re.compile(r"\{(\w+)\}")
# What a button is called proves little to somebody who has not seen the page.
QUOTED = {"words", "status", "date", "reference", "mail"}
MOST_QUOTES = 4


class Texts(Struct, frozen=True, forbid_unknown_fields=True):
    """The letters of one language."""

    to_service: str
    to_bank: str
    claims: dict[Literal["cancelled", "already", "asked"], str]
    facts: dict[str, str]
    gaps: dict[str, str]


class Request(Struct, frozen=True, kw_only=True):
    """What is wanted, and what only the person knows.

    `name` is what people call the service; `amount` and `charged_on` are of the payment in dispute,
    `sum` is the SHA-256 of the proof's `report.json`.
    """

    name: str
    today: date
    language: str = "en"
    to: To = "service"
    amount: str = ""
    charged_on: date | None = None
    sum: str = ""


def shows_cancellation(proof: Proof) -> bool:
    """Whether a letter could say that it was cancelled without saying more than is known."""
    return proof.outcome in ("cancelled", "already_cancelled", "unverified", "pending")


def dispute(proof: Proof, request: Request) -> str:
    """A letter about a payment that was taken after the end."""
    language, texts = request.language, texts_in(request.language)
    day = written(proof.day, language) if proof.day else NOT_FOUND
    given = {
        "service": request.name,
        "today": written(request.today, language),
        # Masked, it is for the person to complete.
        "account": "" if proof.account_hint == NOT_FOUND else f"[{proof.account_hint}]",
        "amount": request.amount,
        "charged_on": written(request.charged_on, language) if request.charged_on else "",
        "claim": _filled(_claim(proof, texts), {"service": request.name, "day": day}),
        "facts": "\n".join(_facts(proof, texts.facts, request)),
    }
    body = texts.to_service if request.to == "service" else texts.to_bank
    return _wrapped(_filled(body, {**texts.gaps, **{k: v for k, v in given.items() if v}}))


def cancellation(letter: str, proof: Proof, request: Request) -> str:
    """The letter of a pack, to be sent where the web cannot cancel."""
    known = {"account": proof.account_hint, "plan": proof.before.plan}
    given = {gap: value for gap, value in known.items() if value != NOT_FOUND}
    day = written(request.today, request.language)
    return _wrapped(template.fill(letter, {"service": request.name, "date": day, **given}))


@cache
def texts_in(language: str) -> Texts:
    if language not in LANGUAGES:
        raise InvalidParams(
            f"There is no letter in {language!r}.", next_step=f"Known: {', '.join(LANGUAGES)}."
        )
    path = files("subterminator.runs").joinpath("letter_texts", f"{language}.toml")
    return msgspec.toml.decode(path.read_bytes(), type=Texts)


def _claim(proof: Proof, texts: Texts) -> str:
    match proof.outcome:
        case "cancelled" if proof.verified:
            return texts.claims["cancelled"]
        case "already_cancelled":
            return texts.claims["already"]
        case "cancelled" | "unverified" | "pending":
            return texts.claims["asked"]
        case _:
            raise InvalidParams(
                f"The proof does not show a cancellation: its outcome is {proof.outcome}.",
                next_step=f"Cancel first: {how_to_cancel(proof.service)}",
            )


def _facts(proof: Proof, labels: Mapping[str, str], request: Request) -> Iterator[str]:
    language = request.language
    ends = written(proof.ends_on, language) if proof.ends_on else proof.after.ends_on
    done = _time(proof.ended, proof, language) if proof.outcome != "already_cancelled" else ""
    pairs = (
        ("plan", proof.before.plan),
        ("price", proof.before.price),
        ("done", done),
        ("ends", ends),
        ("reference", proof.reference),
    )
    for key, value in pairs:
        if value and value != NOT_FOUND:
            yield f"- {labels[key]}: {value}"
    quotes = [each for each in proof.evidence if each.kind in QUOTED]
    for each in quotes[:MOST_QUOTES]:
        place = urlsplit(each.url).hostname or ""
        where = ", ".join(filter(None, (_time(each.time, proof, language), place)))
        words = " ".join(each.text.split())
        yield f"- {', '.join(filter(None, (labels['said'], where)))}: “{words}”"
    if request.sum:
        yield f"- {labels['sum']}: {request.sum}"


def _time(text: str, proof: Proof, language: str) -> str:
    at = moment(text)
    if at is None:
        return ""
    here = local(at, proof.timezone)
    return f"{written(here.date(), language)}, {here:%H:%M} ({at.astimezone(UTC):%H:%M} UTC)"


def _filled(text: str, values: Mapping[str, str]) -> str:
    """In one pass: words of a page that look like a gap stay words."""
    return GAP.sub(lambda gap: values.get(gap[1], gap[0]), text.strip("\n"))


def _wrapped(text: str) -> str:
    """Lines that fit on paper. What is one line stays one paragraph."""
    lines = (
        textwrap.fill(
            line,
            WIDTH,
            subsequent_indent="  " if line.startswith("- ") else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )
    return "\n".join(lines) + "\n"

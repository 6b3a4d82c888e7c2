"""What is known of single elements beyond the snapshot; what is not known counts as the worst.

The server reads it in a world of its own, by code that is always the same (`facts.js`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from urllib.parse import urljoin

import msgspec
from msgspec import Struct

from subterminator.engine.foreign.outline import REF
from subterminator.safety.meaning import Interpreter
from subterminator.safety.rules import load_rules

TOOL = "browser_run_code_unsafe"
# So many of one page are asked about; more fields than that are unknown.
MOST = 60
FIELDS = frozenset({"textbox", "searchbox", "spinbutton"})
PRESSED = frozenset({"button", "submit", "reset", "image", "checkbox", "radio", "file", "color"})
NEVER_SECRET = frozenset({"email", "url", "search", "date", "time", "month", "week", "range"})
AUTOCOMPLETE = (
    ("password", re.compile(r"\b(current|new)-password\b", re.IGNORECASE)),
    ("code", re.compile(r"\bone-time-code\b", re.IGNORECASE)),
    ("card", re.compile(r"\bcc-(number|csc|exp(-month|-year)?)\b", re.IGNORECASE)),
)
WRITTEN = re.compile(
    r"pass(?:w|code|phrase|$)|pwd|kennwort|contrase|mdp|secret|token", re.IGNORECASE
)
CARD = re.compile(r"card|kart|carte|carta|tarjeta|cv[vc]|prüf|cryptogramme|iban", re.IGNORECASE)
CODE = re.compile(r"code|pin\b|tan\b|otp|2fa|mfa|c[oó]digo|codice", re.IGNORECASE)
# A code of no named kind; "Promo code" is of another.
BARE_CODE = re.compile(r"(?:(?:enter|your|the|\d+|-|digit)\s*)*(?:code|c[oó]digo|codice)", re.I)
WORDS = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])|[_\-.:;,*()\[\]\s]+")
UNKNOWN = "unknown"
WORD = re.compile(r"\b(?:REFS|BUTTONS|MAIN|WHOLE)\b")


class Known(Struct, frozen=True):
    """One element. `own` are attributes, `frames` the addresses from the page down to its own.

    `whole` is false where only what a field or button needs was read; `sends`: it sends a form.
    """

    tag: str = ""
    own: dict[str, str] = {}
    frames: tuple[str, ...] = ()
    form: dict[str, str] | None = None
    puzzle: bool = False
    whole: bool = False
    sends: bool = False

    @property
    def frame_url(self) -> str:
        return self.frames[-1] if self.frames else ""

    @property
    def is_editable(self) -> bool:
        """A field by what it is made of; a role is the page's own word."""
        if self.tag == "input":
            return self.own.get("type", "text").lower() not in PRESSED
        return self.tag == "textarea" or self.own.get("contenteditable", "false") != "false"

    @property
    def is_ticked(self) -> bool:
        return self.tag == "input" and self.own.get("type", "").lower() in {"checkbox", "radio"}

    def address(self, written: str) -> str:
        """An address as it stands in the markup, made whole."""
        try:
            return urljoin(self.frame_url, written) if written else ""
        except ValueError:
            return written


class Inquiry(Struct, frozen=True, kw_only=True):
    """Who is asked about: of `refs` what fields need or the `whole`, of `buttons` what they do.

    `main` is the number of the page's own document.
    """

    refs: Sequence[str] = ()
    buttons: Sequence[str] = ()
    main: int = 0
    whole: bool = False


def code_for(inquiry: Inquiry) -> str:
    """The code to run. Only refs are put into it, and nothing that a page can write."""
    values = {
        "REFS": [ref for ref in inquiry.refs if REF.fullmatch(ref)][:MOST],
        "BUTTONS": [ref for ref in inquiry.buttons if REF.fullmatch(ref)][:MOST],
        "MAIN": str(inquiry.main),
        "WHOLE": inquiry.whole,
    }
    return WORD.sub(lambda found: json.dumps(values[found[0]]), _script())


def read(result: str) -> Mapping[str, Known]:
    """What came back, by ref; nothing if it cannot be read."""
    try:
        found = msgspec.json.decode(result, type=dict[str, Known | None])
    except msgspec.DecodeError:
        return {}
    return {target: known for target, known in found.items() if known is not None}


def secret_kind(name: str, known: Known | None) -> str:
    """What only a person may write there: the kind of secret, `unknown` where nobody can tell."""
    if known is None:
        return UNKNOWN
    own = known.own
    told = next((kind for kind, it in AUTOCOMPLETE if it.search(own.get("autocomplete", ""))), "")
    if told:
        return told
    kind = own.get("type", "text").lower()
    if kind in NEVER_SECRET:
        return ""
    shown = " ".join(filter(None, (name, own.get("placeholder", ""))))
    written = " ".join(WORDS.split(f"{own.get('name', '')} {own.get('id', '')}"))
    is_secret = _interpreter().asks_for_secret(shown) or _interpreter().asks_for_secret(written)
    is_bare = bool(BARE_CODE.fullmatch(shown.strip()))
    if kind != "password" and not (is_secret or is_bare or WRITTEN.search(written)):
        return "code" if own.get("maxlength") == "1" else ""
    both = f"{shown} {written}"
    return "card" if CARD.search(both) else "code" if CODE.search(both) else "password"


@cache
def _interpreter() -> Interpreter:
    return Interpreter(load_rules())


@cache
def _script() -> str:
    text = resources.files(__package__).joinpath("facts.js").read_text(encoding="utf-8")
    lines = text.split("\n")
    return "\n".join(line for line in lines if not line.startswith("//")).strip()

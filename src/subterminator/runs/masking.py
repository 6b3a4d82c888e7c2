"""Makes text fit for a proof, which its owner shows to others: a shop, a bank, a judge.

Stricter than a record: an address of a mailbox is masked even where the task itself typed it, and
so are the last digits of a card.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping

from subterminator.safety.redact import LINK, Redactor, masked_mail

LONGEST = 2_000
# More than this of what a page wrote is not even looked at.
LONGEST_READ = 20_000
HASH = re.compile(r"[0-9a-f]{32,128}")
# Also where a full stop ends the sentence, or the host is a plain word.
MAIL = re.compile(r"[\w.+'-]{1,64}@[^\W_][\w.-]{0,250}(?<![.-])")
# `•••• 4242`, `xxxx-4242`, `**** 42`
MASKED_CARD = re.compile(r"[*•●∙·xX#]{2,}[ \u00a0-]{0,3}\d{2,4}(?!\d)")
# A subscription ends in 2026, too.
NAMED_CARD = re.compile(
    r"((?:ending|ends)(?: in| with)?|endet auf|endend auf|mit den? endziffern?"
    r"|(?:se )?termina(?:da|ndo)?(?: en| con| in| per)?|(?:se )?terminant par|finissant par)"
    r"((?: the digits)?:? )(?!20[2-4]\d)\d{4}(?!\d|[./-]\d)",
    re.IGNORECASE,
)
BRANDED_CARD = re.compile(
    r"\b(visa|master ?card|maestro|amex|american express|discover|diners(?: club)?|girocard)"
    r"([ \u00a0-]{1,3})\d{4}(?!\d)",
    re.IGNORECASE,
)
HIDDEN = "••••"
DEEPEST = 40


class Mask:
    """`known` is the redactor of the run, which knows what was typed as a secret."""

    def __init__(self, known: Redactor | None = None) -> None:
        # One that was told of nothing the task typed, so that it lets nothing of it through.
        self._strict = Redactor(os.urandom(32))
        self._known = known or self._strict

    def text(self, text: str, longest: int = LONGEST) -> str:
        """Words of a page or of ours, without what nobody else may read, and without tricks."""
        plain = visible(text[:LONGEST_READ])
        if "://" in plain:
            plain = LINK.sub(lambda link: self.address(link[0]), plain)
        plain = self._strict.shown(self._known.shown(plain))
        plain = MAIL.sub(lambda mail: masked_mail(mail[0]), plain)
        for pattern, instead in (
            (MASKED_CARD, HIDDEN),
            (NAMED_CARD, rf"\1\2{HIDDEN}"),
            (BRANDED_CARD, rf"\1\2{HIDDEN}"),
        ):
            plain = pattern.sub(instead, plain)
        return plain if len(plain) <= longest else plain[: longest - 1].rstrip() + "…"

    def address(self, url: str) -> str:
        """Scheme, host and path."""
        plain = visible(url[:LONGEST_READ])
        return self._strict.address(self._known.address(plain)) if plain else ""

    def data(self, value: object, depth: int = DEEPEST) -> object:
        """Nested plain data with every text in it masked; hashes stay."""
        if depth == 0:
            return "<deeper>"
        match value:
            case str():
                return value if HASH.fullmatch(value) else self.text(value)
            case Mapping():
                return {str(name): self.data(entry, depth - 1) for name, entry in value.items()}
            case list() | tuple():
                return [self.data(item, depth - 1) for item in value]
            case _:
                return value


def visible(text: str) -> str:
    """What a reader sees: no control characters, no turned direction, no half characters."""
    whole = text.encode("utf-8", "replace").decode()
    lines = (
        "".join(" " if c.isspace() else c for c in line if c.isspace() or _is_seen(c)).strip()
        for line in whole.splitlines()
    )
    return "\n".join(line for line in lines if line)


def _is_seen(character: str) -> bool:
    # Joiners are part of honest words and emojis; all other invisible ones can only mislead.
    return character in "\u200c\u200d" or unicodedata.category(character) not in ("Cc", "Cf", "Cs")

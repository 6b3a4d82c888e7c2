"""One-time codes and their like: any digits, told only by the words around them.

Five languages: English, German, French, Spanish, Italian. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from subterminator.safety.patterns import CODE, CVV, Span, merged, places

AFTER, BEFORE, LIST = 48, 40, 400
TOKEN_ROOM = 40
# What always speaks of a code that proves who one is: a word, and what must follow it.
PROVING = tuple(
    (word, re.compile(rest))
    for word, rest in (
        ("verif", r"(?:ication|y|icaci[oó]n|ica|icare|icar|izier\w*)(?!\w)"),
        ("vérif", r"(?:ication|ier)(?!\w)"),
        ("otp", r"s?(?!\w)"),
        ("2fa", r"(?!\w)"),
        ("one-time", r""),
        ("one time", r" (?:code|pass)"),
        ("two-factor", r""),
        ("passcode", r"s?(?!\w)"),
        ("authenticat", r"(?:ion|or)(?!\w)"),
        ("einmal", r"-?(?:code|passwort|kennwort|pin)"),
        ("usage unique", r""),
        ("un solo uso", r""),
        ("monouso", r""),
        ("pin:", r""),
    )
)
CODE_STEMS = ("cod", "cód")
CODE_WORD = re.compile(r"(?:codes?|c[oó]digos?|codic[ei])(?!\w)")
PROVING_BEFORE = re.compile(
    r"(?:bestätigungs|verifizierungs|sicherheits|zugangs|anmelde|login|pin|sms|tan|prüf"
    r"|freischalt|aktivierungs|authentifizierungs)-?$"
)
# In lower case these are ordinary words.
SHOUTED = ("PIN", "TAN", "TOTP")
# A code of these kinds proves nothing about a person.
OTHER_BEFORE = re.compile(
    r"(?<!\w)(?:post|postal|zip|area|country|dialing|error|status|exit|response|promo|promotional"
    r"|promotion|coupon|discount|voucher|gift|product|item|order|booking|reference|cancellation"
    r"|bar|qr|source|dress|colou?r|currency|language|sort|swift|bic|tax|vat|department|store"
    r"|course|http|short|offer|referral|invite|invitation|customer|airport|station)[ -]$"
)
OTHER_AFTER = re.compile(
    r"\s(?:of|postal[ei]?|promo\w*|civil\w*|pénal|penale?|fiscale?|sconto|d'erreur|barres?"
    r"|(?:de|di|del|d')\s?(?:error\w*|errore|réduction|descuento|reserva|réservation|prenotazione"
    r"|conduct\w*|área|barras|barre|producto|prodotto|référence|país|la route|commerce))(?!\w)"
)
OFFER = re.compile(r"[ :]{1,2}[\"']?[A-Z]{3,}[A-Z\d]*(?!\w)")
# A word and what follows it; a word and what stands before it.
RECOVERY = ("recovery", "backup", "back-up", "wiederherstellungs", "notfall")
RECOVERY_NOUN = re.compile(r"[ -]?(?:codes?|keys?|schlüssel)(?!\w)")
RECOVERED = ("secours", "récupération", "recuperación", "recupero", "respaldo", "emergenza")
RECOVERED_NOUN = re.compile(r"(?:codes?|c[oó]digos?|codici) (?:de |di )?$")
CVV_WORDS = ("cvv", "cvc", "csc", "prüfnummer", "prüfziffer", "sicherheitscode", "security code",
             "cryptogramme", "code de sécurité", "código de seguridad", "codigo de seguridad",
             "codice di sicurezza")  # fmt: skip
LINK = re.compile(r"(?<!\w)(?:is|ist|est|es|è|lautet|as|als|comme|como|come)(?!\w)")
STANDS_ALONE = r"(?![\w%€£$])(?![-.,:/]\d)(?! ?(?:€|£|\$|%|eur\b|usd\b|gbp\b|chf\b))"
GROUPS = r"\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d(?: \d){3,7}|\d{4,8}"
OPENS = r"(?<!\d[-.,:/])(?<![\w+$€£])(?<![$€£]\s)"
DIGIT_CODE = re.compile(rf"{OPENS}(?:{GROUPS}){STANDS_ALONE}")
ANY_CODE = re.compile(rf"{OPENS}(?:{GROUPS}|(?=\d*[A-Z])(?=[A-Z]*\d)[A-Z\d]{{5,10}}){STANDS_ALONE}")
LIST_CODE = re.compile(
    r"(?<![\w.,-])(?=[A-Za-z-]{0,60}\d)(?!e\d+\b)[A-Za-z\d]{4,10}(?:-[A-Za-z\d]{4,10}){0,5}(?![\w-])"
)
CVV_CODE = re.compile(r"(?<![\w.,/-])\d{3,4}(?![\w/%€£$]|[.,]\d)")
YEAR = re.compile(r"(?:19|20)\d\d")
DIRECT = re.compile(r"(?:[:=]|\b(?:is|ist|est|es|lautet)|è)[\s\"'“„*]{0,4}$")
WORDS = (*(word for word, _ in PROVING), *RECOVERY, *RECOVERED, *CVV_WORDS, *CODE_STEMS)


def find_codes(text: str, low: str, words: Container[str]) -> Iterator[Span]:
    """One-time, recovery and card codes.

    `low` is the text in lower case, `words` are those of WORDS that are in it.
    """
    proving = [*_proving(text, low, words)]
    bare: list[tuple[int, int]] = []
    for start, end, proves in _code_words(text, low, words):
        if proves:
            proving.append((start, end))
        else:
            linked = LINK.search(low, max(0, start - BEFORE), start)
            bare.append((start - BEFORE if linked else end, end + AFTER))
    yield from _near(text, [(a - BEFORE, b + AFTER) for a, b in proving], ANY_CODE, CODE)
    yield from _near(text, bare, DIGIT_CODE, CODE)
    lists = [(end, end + LIST) for end in _recovery(low, words)]
    yield from _near(text, lists, LIST_CODE, CODE)
    ends = [place + len(word) for word, place in _found(low, CVV_WORDS, words)]
    yield from _near(text, [(end, end + AFTER) for end in ends], CVV_CODE, CVV)


def _found(low: str, wanted: Sequence[str], words: Container[str]) -> Iterator[tuple[str, int]]:
    return ((word, place) for word in wanted if word in words for place in places(low, word))


def _proving(text: str, low: str, words: Container[str]) -> Iterator[tuple[int, int]]:
    for word, rest in PROVING:
        if word in words:
            for place in places(low, word):
                if found := rest.match(low, place + len(word)):
                    yield place, found.end()
    for word in SHOUTED:
        for place in places(text, word):
            end = place + len(word)
            if not text[end : end + 1].isalnum() and not text[max(0, place - 1) : place].isalnum():
                yield place, end


def _recovery(low: str, words: Container[str]) -> Iterator[int]:
    for word, place in _found(low, RECOVERY, words):
        if found := RECOVERY_NOUN.match(low, place + len(word)):
            yield found.end()
    for word, place in _found(low, RECOVERED, words):
        if RECOVERED_NOUN.search(low, max(0, place - 12), place):
            yield place + len(word)


def _code_words(text: str, low: str, words: Container[str]) -> Iterator[tuple[int, int, bool]]:
    """Where it says `code`, and whether of the kind that proves who one is.

    A postcode, a voucher and their like are left out.
    """
    for _, start in _found(low, CODE_STEMS, words):
        found = CODE_WORD.match(low, start)
        if not found:
            continue
        if PROVING_BEFORE.search(low, max(0, start - 24), start):
            yield start, found.end(), True
        elif not (
            low[max(0, start - 1) : start].isalnum()
            or OTHER_BEFORE.search(low, max(0, start - 20), start)
            or OTHER_AFTER.match(low, found.end())
            or OFFER.match(text, found.end())
        ):
            yield start, found.end(), False


def _near(
    text: str, stretches: list[tuple[int, int]], pattern: re.Pattern[str], instead: str
) -> Iterator[Span]:
    for start, end in merged(iter(stretches)):
        for found in pattern.finditer(text, max(0, start), end + TOKEN_ROOM):
            if found.start() >= end:
                break
            is_year = YEAR.fullmatch(found[0])
            if not is_year or DIRECT.search(text, max(0, found.start() - 12), found.start()):
                yield Span(*found.span(), instead)

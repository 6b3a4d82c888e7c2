"""What secrets look like in text: where they begin and end. Pure, and linear in the text's length.

Passwords have no look of their own: they are kept out where they are typed, not here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

NUMBER = "<number>"
CARD = "<card>"
IBAN = "<iban>"
CVV = "<cvv>"
CODE = "<code>"
SECRET = "<secret>"
PLACEHOLDERS = (NUMBER, CARD, IBAN, CVV, CODE, SECRET)


class Span(NamedTuple):
    """Something to be hidden, and what stands for it afterwards."""

    start: int
    end: int
    instead: str


def lowered(text: str) -> str:
    """Lower case of the same length, so that positions hold in both; placeholders tell nothing."""
    # The only character that gets longer in lower case.
    low = text.replace("İ", "I").lower()
    for placeholder in (CODE, CVV, SECRET):
        if placeholder in low:
            low = low.replace(placeholder, f"<{'-' * (len(placeholder) - 2)}>")
    return low


def find_secrets(text: str, low: str) -> Iterator[Span]:
    """What shows by itself: keys, headers, account and card numbers, logins in addresses."""
    yield from _keys(text)
    yield from _headers(text, low)
    yield from _in_addresses(text, low)
    yield from _ibans(text)
    yield from find_numbers(text)


def places(text: str, word: str) -> Iterator[int]:
    """Where the word begins. Much faster than a pattern that cannot begin with a plain letter."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + len(word))


# Keys and tokens

# What must be in the text for the pattern to be tried, and the pattern.
KEYS = tuple(
    (start, re.compile(pattern))
    for start, pattern in (
        ("eyJ", r"eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?"),
        ("sk-", r"sk-[\w-]{16,}"),
        ("sk_", r"sk_(?:live|test)_\w{8,}"),
        ("rk_", r"rk_(?:live|test)_\w{8,}"),
        ("AKIA", r"AKIA[0-9A-Z]{12,}"),
        ("ASIA", r"ASIA[0-9A-Z]{12,}"),
        ("gh", r"gh[pousr]_\w{20,}"),
        ("github_pat_", r"github_pat_\w{20,}"),
        ("glpat-", r"glpat-[\w-]{16,}"),
        ("xox", r"xox[a-z]-[\w-]{8,}"),
        ("AIza", r"AIza[\w-]{30,}"),
        ("ya29.", r"ya29\.[\w.-]{16,}"),
        ("hf_", r"hf_\w{20,}"),
        ("npm_", r"npm_\w{20,}"),
        ("SG.", r"SG\.[\w-]{16,}\.[\w-]{16,}"),
        (
            "PRIVATE KEY-----",
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8192}+"
            r"(?:-----END[^-]{0,40}-----)?",
        ),
    )
)


def _keys(text: str) -> Iterator[Span]:
    for start, pattern in KEYS:
        if start in text:
            for found in pattern.finditer(text):
                if not text[max(0, found.start() - 1) : found.start()].isalnum():
                    yield Span(*found.span(), SECRET)


HEADERS = (
    ("authorization", re.compile(r"authorization[\"']?\s{0,3}[:=]\s{0,3}(\S[^\r\n]*+)")),
    ("cookie", re.compile(r"cookie[\"']?\s{0,3}:\s{0,3}([\"']?[\w.-]++=[^\r\n]*+)")),
    ("x-api-key", re.compile(r"x-api-key[\"']?\s{0,3}[:=]\s{0,3}(\S[^\r\n]*+)")),
    ("bearer", re.compile(r"bearer\s{1,3}((?=[^\s\d]*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{24,})")),
)


def _headers(text: str, low: str) -> Iterator[Span]:
    for word, pattern in HEADERS:
        if word in low:
            for found in pattern.finditer(low):
                if not text.startswith("<", found.start(1)):
                    yield Span(*found.span(1), SECRET)


PASSWORD_WORDS = ("passw", "pwd", "kennwort", "mot de passe", "contraseña", "passphrase")
KEY_WORDS = ("token", "secret", "key", "session", "credential", "csrf", "schlüssel", "clé", "clave",
             "chiave")  # fmt: skip
VALUE = r"\w{0,20}[\"']?\s{0,3}([:=])\s{0,3}[\"']?((?!<)[^\s\"'&;,]{4,})"
NAMES = (*PASSWORD_WORDS, *KEY_WORDS)
NAMED = tuple((word, re.compile(re.escape(word) + VALUE)) for word in NAMES)
LONG_ENOUGH = 20
LONG = re.compile(rf"(?<![\w+/=-])[\w+/=-]{{{LONG_ENOUGH},}}+")
NEAR_KEY = 40
SIDES = re.compile(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", re.IGNORECASE)


def looks_random(token: str) -> bool:
    """Letters and digits in no order that a name or a date would have."""
    return len(token) >= LONG_ENOUGH and sum(1 for _ in SIDES.finditer(token[:100])) >= 4


def find_named(text: str, low: str, words: Container[str]) -> Iterator[Span]:
    """`password: ...`, `token=...`, and long random words shortly after such a name.

    `low` is the text in lower case, `words` are those of NAMES that are in it.
    """
    for word, pattern in NAMED:
        if word in words:
            for found in pattern.finditer(low):
                if _is_value(text[found.start(2) : found.end(2)], found[1], word):
                    yield Span(*found.span(2), SECRET)
    known = [word for word in KEY_WORDS if word in words]
    ends = (place + len(word) for word in known for place in places(low, word))
    for start, end in merged((end, end + NEAR_KEY) for end in ends):
        for found in LONG.finditer(text, start, end + LONG_ENOUGH):
            whole = LONG.match(text, found.start())
            if whole and found.start() < end and looks_random(whole[0]):
                yield Span(*whole.span(), SECRET)


def _is_value(value: str, sign: str, word: str) -> bool:
    """A sentence also says `Password: required`; what is stored looks otherwise."""
    if word in PASSWORD_WORDS:
        return sign == "=" or len(value) >= 6 and not value.rstrip(".,:!?)").isalpha()
    return len(value) >= 12 and any(c.isdigit() for c in value) or looks_random(value)


USERINFO = re.compile(r"://((?!<)[^\s/@?#\"'<>]++)@")
PARAMETER = re.compile(
    r"[?&#;](?:[\w.-]{0,30}(?:token|secret|signature|password|passwd|session|ticket)[\w.-]{0,30}+"
    r"|code|state|nonce|auth|key|api_?key|sig|sid|otp|pin|pwd|hash|jsessionid|phpsessid)"
    r"=((?!<)[^&#;\s\"'<>]{3,})"
)


def _in_addresses(text: str, low: str) -> Iterator[Span]:
    if "://" in text:
        for found in USERINFO.finditer(text):
            yield Span(*found.span(1), SECRET)
    if "=" in text:
        for found in PARAMETER.finditer(low):
            yield Span(*found.span(1), SECRET)


# Numbers with a check digit

LENGTHS = {
    pair[:2]: int(pair[2:])
    for pair in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27"
        " DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28"
        " IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22"
        " MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24"
        " SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
    ).split()
}
# Begins with the digit, the rarer sight, so that most of a text is skipped quickly.
IBAN_HEAD = re.compile(r"[0-9](?<=[A-Za-z]{2}[0-9])[0-9]")
IBAN_BODY = re.compile(r"(?:[A-Za-z0-9][ \u00a0-]?){15,34}")
# One or two blanks or dashes may stand between the digits of one number.
DIGITS = re.compile(r"\d(?:[ \u00a0\u2009\u202f-]{0,2}\d){12,}+")
UNBROKEN = re.compile(r"\d+")
GAPS = re.compile(r"\D+")
# How cards are printed, inside a longer row of numbers: the first digits are those of an issuer.
PRINTED = re.compile(
    r"(?<!\d)(?=((?:[3-6]\d{3}|2[2-7]\d\d)([ \u00a0-])"
    r"(?:\d{4}\2\d{4}\2\d{4}(?:\2\d{1,3})?|\d{6}\2\d{4,5}|\d{4}\2\d{5}|\d{4}\2\d{4}\2\d{1,3})"
    r"(?!\d)))"
)
ISSUED = re.compile(r"[3-6]|2[2-7]")
SHORTEST, LONGEST = 13, 19
# Each digit as the Luhn sum counts it when doubled.
DOUBLED = bytes.maketrans(b"0123456789", bytes([0, 2, 4, 6, 8, 1, 3, 5, 7, 9]))


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others."""
    plain = digits.encode() if digits.isascii() else "".join(str(int(d)) for d in digits).encode()
    kept = plain[::-2]
    return (sum(kept) - 48 * len(kept) + sum(plain[-2::-2].translate(DOUBLED))) % 10 == 0


def _is_card(digits: str) -> bool:
    return SHORTEST <= len(digits) <= LONGEST and passes_luhn(digits)


def find_numbers(text: str) -> Iterator[Span]:
    """Numbers with the check digit of a card, and numbers too long for anything else."""
    for run in DIGITS.finditer(text):
        yield from _row(run[0], run.start())


def _row(row: str, offset: int) -> Iterator[Span]:
    """Cards in one row of digits and gaps: the row itself, or what it holds."""
    gaps = set(GAPS.findall(row))
    if len(row) <= 3 * LONGEST:
        digits = GAPS.sub("", row)
        # Two dates side by side mix their separators and begin with no issuer's digits.
        if _is_card(digits) and (len(gaps) < 2 or ISSUED.match(digits)):
            yield Span(offset, offset + len(row), CARD)
            return
    if not gaps:
        if len(row) > LONGEST:
            yield Span(offset, offset + len(row), NUMBER)
        return
    left = 0
    for start, end, instead in _inside(row):
        if start >= left:
            yield Span(offset + start, offset + end, instead)
            # What stood before it is a row by itself once it is gone.
            yield from _rest(row[left:start], offset + left)
            left = end
    if left:
        yield from _rest(row[left:], offset + left)


def _rest(row: str, offset: int) -> Iterator[Span]:
    if found := DIGITS.search(row):
        yield from _row(found[0], offset + found.start())


def _inside(row: str) -> list[Span]:
    """Parts of the row that are cards as they stand, or too long for any number."""
    unbroken = (
        Span(*found.span(), CARD if len(found[0]) <= LONGEST else NUMBER)
        for found in UNBROKEN.finditer(row)
        if len(found[0]) > LONGEST or _is_card(found[0])
    )
    printed = (
        Span(*found.span(1), CARD)
        for found in PRINTED.finditer(row)
        if _is_card(GAPS.sub("", found[1]))
    )
    return sorted([*unbroken, *printed])


def _ibans(text: str) -> Iterator[Span]:
    for head in IBAN_HEAD.finditer(text):
        start = head.start() - 2
        length = LENGTHS.get(text[start : start + 2].upper())
        if length is None or text[max(0, start - 1) : start].isalnum():
            continue
        if body := IBAN_BODY.match(text, start):
            ends = [n for n, character in enumerate(body[0], 1) if character.isalnum()][:length]
            if len(ends) == length and _is_iban(body[0][: ends[-1]]):
                yield Span(start, start + ends[-1], IBAN)


def _is_iban(text: str) -> bool:
    plain = "".join(character for character in text if character.isalnum())
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def merged(stretches: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Stretches that touch become one, so that no part of the text is searched twice."""
    start, end = 0, -1
    for left, right in sorted(stretches):
        if left <= end:
            end = max(end, right)
            continue
        if end >= 0:
            yield start, end
        start, end = left, right
    if end >= 0:
        yield start, end

"""Regular expressions of packs: what they may be, and that they end."""

from __future__ import annotations

import time

import pytest

from subterminator.packs.pattern import LONGEST_TEXT, Unsafe, compiled, first_match
from subterminator.packs.registry import assemble
from tests.packs.writing import faults_of

HOSTILE = {
    r"(a+)+$": "without end",
    r"(a*)*b": "without end",
    r"(?:a{1,9}){1,9}": "repeats a group",
    r"(a|a){20}": "repeats a group",
    r"a{2,}": "both ends",
    r"a{1,9}{1,9}": "repetition of a repetition",
    r"a{1,9}?": "repetition of a repetition",
    r"a??": "repetition of a repetition",
    r"(a)\1": "not allowed",
    r"(?P<x>a)(?P=x)": "looks around, names a group",
    r"(?=a)": "looks around",
    r"(?!a)": "looks around",
    r"(?<=a)b": "looks around",
    r"(?i)a": "sets a flag",
    r"(?#x)": "looks around",
    r"\w{0,50}\w{0,50}\w{0,50}x": "ways at one place",
    "(?:a|a)" * 20 + "b": "ways at one place",
    "a?" * 30 + "a" * 30: "ways at one place",
    "(" * 20 + "a" + ")" * 20: "nested too deeply",
    r"a{99}": "at most",
    r"[a": "never closed",
    r"[[a]]": "class in a class",
    r"(a": "never closed",
    r"a)": "never opened",
    r"*a": "repetition of nothing",
    r"\x41": "not allowed",
    "\\": "not allowed",
    r"[z-a]": "is not a regular expression",
}


@pytest.mark.parametrize("pattern", HOSTILE)
def test_g12_a_hostile_expression_is_refused_with_the_reason(pattern: str) -> None:
    with pytest.raises(Unsafe, match=HOSTILE[pattern]):
        compiled(pattern)


@pytest.mark.parametrize("field", ["date_regex", "ref_regex"])
def test_g12_a_pack_with_a_hostile_expression_does_not_load(field: str) -> None:
    fault = faults_of(f"[proof]\n{field} = '(a+)+$'\n")[0]
    assert (fault.line, fault.reason[:15]) == (7, f"proof.{field}"[:15])
    assert "repeats without end" in fault.reason


def test_g12_an_expression_longer_than_allowed_does_not_load() -> None:
    assert "length <= 200" in faults_of(f"[proof]\ndate_regex = '{'a' * 201}'\n")[0].reason


@pytest.mark.parametrize(
    "pattern",
    [r"[a-z]{0,11}[a-z]{0,11}[a-z]{0,11}0", r"\w{0,40}\w{0,40}!", r"(?:aa|a|aaa)(?:aa|a)b"],
)
def test_g12_the_worst_that_is_allowed_ends_soon(pattern: str) -> None:
    begun = time.process_time()
    assert first_match(pattern, "a" * 10 * LONGEST_TEXT) is None
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    ("pack", "text", "date"),
    [
        ("generic-en", "You have access until December 12, 2026.", "December 12, 2026"),
        ("generic-en", "It ends on 12 Dec 2026, at noon.", "12 Dec 2026"),
        ("generic-en", "Ends 1st January 2027", "1st January 2027"),
        ("generic-en", "Expires 12/12/2026", "12/12/2026"),
        ("generic-de", "Gekündigt zum 3. März 2027.", "3. März 2027"),
        ("generic-de", "Endet am 03.03.2027", "03.03.2027"),
        ("generic-fr", "Accès jusqu'au 1er février 2027.", "1er février 2027"),
        ("generic-es", "Hasta el 12 de diciembre de 2026", "12 de diciembre de 2026"),
        ("generic-it", "Fino al 12 dicembre 2026", "12 dicembre 2026"),
    ],
)
def test_dates_are_found_as_the_page_writes_them(pack: str, text: str, date: str) -> None:
    assert first_match(assemble([]).find(pack).proof.date_regex, text) == date


@pytest.mark.parametrize(
    ("pack", "text", "reference"),
    [
        ("generic-en", "Confirmation number: AB-20931. Thank you", "AB-20931"),
        ("generic-en", "Reference no. 77821-X", "77821-X"),
        ("generic-de", "Vorgangsnummer: K2026-118", "K2026-118"),
        ("generic-fr", "Numéro de dossier : 99-7761", "99-7761"),
        ("generic-es", "Número de confirmación: ES55123", "ES55123"),
        ("generic-it", "Numero di pratica: 5512-A", "5512-A"),
        ("generic-en", "Your plan ended.", None),
    ],
)
def test_the_number_of_a_confirmation_is_found(pack: str, text: str, reference: str | None) -> None:
    assert first_match(assemble([]).find(pack).proof.ref_regex, text) == reference

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.statements.texts import decode


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "iso-8859-1"]
)
def test_the_encodings_of_banks_are_told_apart(encoding: str) -> None:
    text = "Buchungstag;Empfänger;Gebühr\n01.02.2025;Müller & Söhne;-3,80\n"
    assert decode(text.encode(encoding)).text == text


def test_a_declared_encoding_counts_unless_it_is_none() -> None:
    assert decode("Příkaz".encode("cp1250"), "cp1250").text == "Příkaz"
    assert decode(b"caf\xe9", "zip").text == "café"
    assert decode(b"caf\xe9", "no such thing").text == "café"


@given(st.binary(max_size=400), st.text(max_size=12))
def test_any_bytes_are_some_text(data: bytes, declared: str) -> None:
    text = decode(data, declared).text
    assert "\r" not in text and "\0" not in text

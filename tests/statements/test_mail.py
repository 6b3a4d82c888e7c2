from __future__ import annotations

import io
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from subterminator.statements.mail import (
    LONGEST_MESSAGE,
    is_mbox,
    is_message,
    messages,
    open_letter,
    without_tags,
)

PLAIN = b"""From: =?utf-8?q?Caf=C3=A9_Club?= <billing@cafe.example>
To: me@mail.example
Subject: =?iso-8859-1?Q?Ihre_Rechnung_f=FCr_M=E4rz?=
Date: Tue, 04 Mar 2025 23:30:00 -0800
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gesamtbetrag: 12,99 EUR f=FCr Sie
"""


def test_headers_and_text_are_decoded_and_the_day_is_the_senders() -> None:
    letter = open_letter(PLAIN)
    assert letter is not None
    assert (letter.sender, letter.address) == ("Café Club", "billing@cafe.example")
    assert letter.subject == "Ihre Rechnung für März"
    assert letter.day == date(2025, 3, 4)
    assert letter.text == "Gesamtbetrag: 12,99 EUR für Sie"


def test_an_html_letter_is_read_without_styles_and_scripts() -> None:
    page = "<head><title>$1</title></head><style>a{b:$2}</style><script>let c='$3'</script><p>Total&nbsp;</p><td>$4.00</td><br>End"
    assert without_tags(page).split() == ["Total", "$4.00", "End"]


def test_a_style_that_never_ends_and_many_open_brackets_cost_no_time() -> None:
    assert without_tags("a<style>" * 20_000).strip() == "a"
    assert "<" in without_tags("<" * 200_000)


def test_the_plain_part_is_taken_unless_it_says_nothing() -> None:
    def both(plain: str, rich: str) -> bytes:
        return (
            "From: a@b.example\nDate: 4 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\n"
            'Content-Type: multipart/alternative; boundary="=="\n\n'
            f"--==\nContent-Type: text/plain\n\n{plain}\n--==\nContent-Type: text/html\n\n{rich}\n--==--\n"
        ).encode()

    told = open_letter(both("Total 5.00", "<p>Total 6.00</p>"))
    empty = open_letter(both("Please use a modern mail program", "<p>Total 6.00</p>"))
    assert told and told.text == "Total 5.00"
    assert empty and empty.text == "Total 6.00"


def test_an_mbox_is_split_where_messages_begin() -> None:
    box = (
        b"From x Mon Mar  3\n"
        + PLAIN
        + b"\nFrom the start it was good\n\nFrom y Mon Mar  3\n"
        + PLAIN
    )
    assert is_mbox(box)
    parts = list(messages(io.BytesIO(box)))
    assert len(parts) == 3
    assert len(list(messages(io.BytesIO(b"From x\n" + PLAIN + b">From me\nFrom you too\n")))) == 1


def test_a_huge_message_is_cut_and_the_next_one_is_still_read() -> None:
    box = b"From x\n" + PLAIN + b"a" * 76 * 40_000 + b"\n\nFrom y\n" + PLAIN
    first, second = messages(io.BytesIO(box))
    assert len(first) <= LONGEST_MESSAGE * 2
    assert open_letter(second)


def test_a_letter_in_a_letter_in_a_letter_is_not_followed_for_ever() -> None:
    deep = b"From: a@b.example\nDate: 4 Mar 2025 10:00:00 +0000\n"
    for level in range(3_000):
        deep += f'Content-Type: multipart/mixed; boundary="{level}"\n\n--{level}\n'.encode()
    assert open_letter(deep) is None


def test_a_mail_is_told_from_a_table() -> None:
    assert is_message(PLAIN)
    assert not is_message(b"Date,Amount\n2025-01-01,1.00\n")
    assert not is_message(b"Date: 2025\n")


@given(st.binary(max_size=600))
def test_no_message_is_too_broken(data: bytes) -> None:
    open_letter(data)
    open_letter(b"Date: 4 Mar 2025 10:00:00 +0000\nFrom: " + data)
    open_letter(b"Date: 4 Mar 2025 10:00:00 +0000\nContent-Transfer-Encoding: base64\n\n" + data)
    open_letter(PLAIN[:200] + data + PLAIN[200:])

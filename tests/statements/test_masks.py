from __future__ import annotations

from subterminator.statements import masks


def test_an_account_is_masked_but_for_what_its_owner_knows_it_by() -> None:
    assert masks.account("DE21 3012 0400 0000 0152 28") == "***5228"
    assert masks.account("7731") == "***7731"
    assert masks.account("12345") == "***"
    assert masks.account("") == ""


def test_numbers_and_addresses_in_a_line_are_masked_and_names_are_not() -> None:
    line = "NETFLIX.COM 866-579-7172 DE89370400440532013000 card 4111 1111 1111 1111 for al@example.org"
    assert masks.words(line) == "NETFLIX.COM ***7172 ***3000 card ***1111 for ***"


def test_prices_and_days_are_not_taken_for_account_numbers() -> None:
    assert masks.words("Abo 12,99 am 01.02.2025") == "Abo 12,99 am 01.02.2025"


def test_nothing_that_moves_a_cursor_or_turns_writing_reaches_a_screen() -> None:
    assert masks.printable("Net\x1b[2Jflix\u202e\r\nPlus\x07") == "Net[2Jflix Plus"

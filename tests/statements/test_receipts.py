from __future__ import annotations

from datetime import date

import pytest

from subterminator.statements.mail import Letter
from subterminator.statements.receipts import read, receipt_of, total_of


def letter(
    subject: str, text: str, sender: str = "Lumenfeld", address: str = "pay@lumenfeld.example"
) -> Letter:
    return Letter(date(2025, 3, 4), sender, address, subject, text)


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Subtotal $10.00\nTax $0.99\nTotal $10.99", "10.99"),
        ("Sub-total: $10.00\nOrder Total: $12.00", "12.00"),
        ("Zwischensumme 32,90 EUR\nGesamtbetrag: 39,15 €", "39.15"),
        ("Save $5 today!\nAmount charged  $96.00", "96.00"),
        ("Plan 1.234,50 EUR", "1234.50"),
        ("TOTAL\n£7.99", "7.99"),
        ("You sent a payment of $15.99 USD to Disney Plus", "15.99"),
    ],
)
def test_the_total_is_what_was_charged(text: str, total: str) -> None:
    found = total_of(text)
    assert found and str(found.value) == total and found.currency


def test_two_amounts_without_a_label_are_not_guessed_at() -> None:
    assert total_of("Yours for $5.00 or $6.00") is None
    assert total_of("nothing here") is None


@pytest.mark.parametrize(
    "subject",
    [
        "Your payment failed", "Receipt of our sale: 40% off", "Your upcoming payment", "Your order has shipped",
        "Ihre Zahlung ist fehlgeschlagen", "New on Lumenfeld", "Your subscription was cancelled",
    ],
)  # fmt: skip
def test_what_confirms_no_payment_is_no_receipt(subject: str) -> None:
    assert receipt_of(letter(subject, "Total $9.99")) is None


def test_a_refund_is_money_that_came_back() -> None:
    back = receipt_of(letter("Your refund from Lumenfeld", "Total refund: $9.99"))
    assert back and str(back.amount) == "-9.99"


def test_a_trial_is_a_receipt_over_nothing() -> None:
    begun = receipt_of(letter("Your free trial has started", "Total: $0.00\nThen $7.99 a month"))
    silent = receipt_of(letter("Your free trial has started", "Enjoy."))
    assert begun and begun.trial and not begun.amount
    assert silent and silent.trial and not silent.amount


@pytest.mark.parametrize(
    ("sender", "address", "subject", "text", "payee", "line"),
    [
        ("Apple", "no_reply@email.apple.com", "Your receipt from Apple.", "iCloud+\niCloud+ with 200 GB\nMonthly | Renews Apr 3\n$2.99\nTotal $2.99", "iCloud+ with 200 GB", "APPLE.COM/BILL iCloud+ with 200 GB"),
        ("service@paypal.com", "service@paypal.com", "Receipt for your payment to Disney Plus", "Total $15.99", "Disney Plus", "PAYPAL * Disney Plus"),
        ("Google Play", "googleplay-noreply@google.com", "Your Google Play Order Receipt", "Stillwater Premium\nMonthly subscription\n$7.99\nTotal: $7.99", "Stillwater Premium", "GOOGLE * Stillwater Premium"),
        ("Dynalist Inc.", "receipts+x@stripe.com", "Your receipt from Dynalist Inc. #22", "Amount paid $96.00", "Dynalist Inc", "Dynalist Inc"),
        ("Billing", "no-reply@mail.quarry.co.uk", "Your invoice", "Total £5.00", "quarry", "quarry"),
        ("noreply", "x@y.example", "Your receipt from Oak & Hollow [#1]", "Total £5.00", "Oak & Hollow", "Oak & Hollow"),
    ],
)  # fmt: skip
def test_who_was_paid_and_through_whom(
    sender: str, address: str, subject: str, text: str, payee: str, line: str
) -> None:
    receipt = receipt_of(letter(subject, text, sender, address))
    assert receipt and (receipt.payee, receipt.text) == (payee, line)


def test_a_receipt_and_its_invoice_count_once() -> None:
    def mail(day: int, subject: str) -> bytes:
        return f"From: Lumenfeld <a@b.example>\nDate: {day} Mar 2025 10:00:00 +0000\nSubject: {subject}\n\nTotal $9.99\n".encode()

    letters = [mail(4, "Your receipt"), mail(5, "Your invoice"), mail(30, "Your receipt")]
    assert [one.day.day for one in read(letters, "x").transactions] == [4, 30]


def test_a_name_cannot_carry_what_moves_a_cursor() -> None:
    receipt = receipt_of(letter("Your receipt", "Total $1.00", sender="Lumen\x1b[31mfeld\u202e"))
    assert receipt and receipt.payee == "Lumen[31mfeld"

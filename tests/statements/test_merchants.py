from __future__ import annotations

import pytest

from subterminator.packs.registry import Registry
from subterminator.statements.descriptors import clean
from subterminator.statements.merchants import Merchants, book
from subterminator.statements.model import Merchant
from tests.packs.writing import draft_of
from tests.statements.lines import line, packs


@pytest.fixture(scope="module")
def merchants() -> Merchants:
    return Merchants(packs())


def of(merchants: Merchants, text: str, payee: str = "") -> Merchant:
    found = merchants.of(line("2025-01-01", text, "1.00", payee=payee))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "name", "payer", "pack"),
    [
        ("APPLE.COM/BILL 866-712-7753 CA", "Apple (App Store)", "apple", ""),
        ("GOOGLE *YouTubePremium", "YouTube Premium", "google", "youtube-premium"),
        ("GOOGLE *YouTubePremium g.co/helppay# CA", "YouTube Premium", "google", "youtube-premium"),
        ("GOOGLE *Calm Inc", "Calm", "google", ""),
        ("PAYPAL *SPOTIFY", "Spotify", "paypal", "spotify"),
        ("PAYPAL *SPOTIFY 402-935-7733", "Spotify", "paypal", "spotify"),
        ("PP*1234 NETFLIX", "Netflix", "paypal", "netflix"),
        ("ROKU FOR HULU LLC 816-2728107 CA", "Hulu", "roku", "hulu"),
        ("AMAZON PRIME*1A2B3C4D5 AMZN.COM/BILL WA", "Amazon Prime", "amazon", "amazon-prime"),
        ("CHECKCARD 0115 NETFLIX.COM 866-579-7172 CA 24692165", "Netflix", "direct", "netflix"),
        ("RECURRING PAYMENT AUTHORIZED ON 01/15 HLU*HULU 1234-U hulu.com/bill CA S385 CARD 1234", "Hulu", "direct", "hulu"),
        ("D J*WALL-ST-JOURNAL 800-568-7625 MA", "Wall Street Journal", "direct", "wsj"),
        ("SPOTIFY P1A2B3C4D STOCKHOLM SE", "Spotify", "direct", "spotify"),
        ("OPENAI *CHATGPT SUBSCR HTTPSOPENAI.C CA", "ChatGPT", "direct", "chatgpt"),
        ("DIRECT DEBIT PAYMENT TO NETFLIX REF 12345", "Netflix", "direct", "netflix"),
        ("MSFT * E0500ABCD MSBILL.INFO WA", "Microsoft 365", "direct", "microsoft"),
        ("VODAFONE DRITTANBIETER TINDER", "Tinder", "carrier", ""),
    ],
)  # fmt: skip
def test_a_line_names_its_service_and_who_bills(
    merchants: Merchants, text: str, name: str, payer: str, pack: str
) -> None:
    found = of(merchants, text)
    assert (found.name, found.payer, found.pack) == (name, payer, pack)


def test_what_was_bought_through_paypal_stands_in_the_purpose(merchants: Merchants) -> None:
    payee = "PayPal Europe S.a.r.l. et Cie S.C.A"
    found = of(
        merchants,
        f"{payee} 1034/PP.1234.PP/. Tidewater GmbH, Ihr Einkauf bei Tidewater GmbH",
        payee,
    )
    assert (found.name, found.payer) == ("Tidewater", "paypal")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SQ *BLUE HERON PRESS Oakland CA", "BLUE HERON PRESS"),
        ("TST* THAI HOUSE - 94704 BERKELEY", "THAI HOUSE"),
        ("STARBUCKS STORE 12345 SEATTLE WA", "STARBUCKS"),
        ("PADDLE.NET* SETAPP LONDON GB", "SETAPP"),
        ("Kartenzahlung REWE SAGT DANKE. 41400673//Hamburg 2018-03-01T11:33:59 KFN 1", "REWE SAGT DANKE"),
        ("CARTE 03/01 MONOPRIX PARIS", "MONOPRIX"),
        ("CARD PAYMENT TO OAKHOLLOW LTD ON 03 JAN", "OAKHOLLOW"),
        ("AMZN MKTP US*2K3AB4 AMZN.COM/BILL WA", "AMZN MKTP"),
        ("TRADER JOE S #123 BERKELEY CA", "TRADER JOE"),
        ("WWW.LUMENFELD.CO.UK 0800 123456", "LUMENFELD"),
        ("EREF+R1MREF+K2CRED+DE3SVWZ+Lumenfeld Beitrag", "Lumenfeld Beitrag"),
        ("7-ELEVEN 33412 DALLAS TX", "7-ELEVEN"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_bank_till_and_card_add_is_taken_off(text: str, name: str) -> None:
    assert clean(text) == name


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("Hannelore Brandt MIETE WOHNUNG DAUERAUFTRAG", "contract", "rent"),
        ("GEICO *AUTO 800-841-3000 DC", "contract", "insurance"),
        ("D OYELARAN STANDING ORDER", "contract", "standing order"),
        ("ATM WITHDRAWAL 001234 MAIN ST", "moved", ""),
        ("ONLINE TRANSFER TO SAVINGS XXXX1", "moved", ""),
        ("Umbuchung Sparkonto", "moved", ""),
        ("REWE SAGT DANKE 1", "shop", ""),
        ("THE HOME DEPOT #1234", "shop", ""),
        ("LUMENFELD STREAM", "", ""),
    ],
)
def test_contracts_shops_and_money_that_is_only_moved_are_known(
    merchants: Merchants, text: str, kind: str, why: str
) -> None:
    found = of(merchants, text)
    assert (found.kind, found.why) == (kind, why)


def test_one_shop_in_several_towns_is_one_merchant(merchants: Merchants) -> None:
    lines = (
        "NETTLE & VINE 0042 AUSTIN TX",
        "POS PURCHASE NETTLE & VINE #17 DALLAS TX",
        "Nettle & Vine",
    )
    assert len({of(merchants, text).key for text in lines}) == 1


def test_a_pack_of_ones_own_is_matched_by_its_names() -> None:
    own = draft_of("garden-post", name="Garden Post")
    merchants = Merchants(Registry([*(entry.draft for entry in packs().entries()), own]))
    assert of(merchants, "SQ *GARDENPOST WEEKLY 0042").pack == "garden-post"


def test_a_line_without_words_names_nobody(merchants: Merchants) -> None:
    assert merchants.of(line("2025-01-01", "12345 6789", "1.00")) is None


def test_every_pack_that_the_table_names_is_there() -> None:
    named = {service.pack for service in book().service if service.pack}
    assert named <= set(packs().ids())
    names = [service.name for service in book().service]
    assert len(names) == len(set(names))

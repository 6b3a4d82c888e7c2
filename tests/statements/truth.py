"""What is in the statements of tests/fixtures/statements, as their maker planted it."""

from __future__ import annotations

from typing import NamedTuple

from subterminator.statements.model import Period


class Truth(NamedTuple):
    """A charge: service, last price, period, who bills; then how many, and what happened."""

    service: str
    price: str
    period: Period
    payer: str
    times: int
    pack: str = ""
    contract: str = ""
    flags: tuple[str, ...] = ()


TRUTHS: dict[str, tuple[Truth, ...]] = {
    "nordbank.csv": (
        Truth("Netflix", "13.99", "monthly", "direct", 15, "netflix", "", ("price rise",)),
        Truth("Spotify", "10.99", "monthly", "paypal", 15, "spotify"),
        Truth("Sportpark Nordlicht", "19.90", "four-weekly", "direct", 17),
        Truth("ADAC", "94.00", "yearly", "direct", 2),
        Truth("DIE ZEIT", "83.20", "quarterly", "direct", 5),
        Truth("DAZN", "24.99", "monthly", "direct", 6, "", "", ("stopped",)),
        Truth("Deutschlandticket", "58.00", "monthly", "direct", 14, "", "", ("price rise",)),
        Truth("Hannelore Brandt", "980.00", "monthly", "direct", 14, "", "rent", ("contract", "price rise")),
        Truth("Stadtwerke Hafenstadt", "92.00", "monthly", "direct", 15, "", "energy", ("contract", "price rise")),
        Truth("Telekom", "39.95", "monthly", "direct", 15, "", "phone", ("contract", "varies")),
        Truth("Rundfunk ARD ZDF DRadio", "55.08", "quarterly", "direct", 5, "", "tax", ("contract",)),
        Truth("Allianz Versicherungs-AG", "21.45", "quarterly", "direct", 5, "", "insurance", ("contract",)),
        Truth("ENTGELTABSCHLUSS Kontoführung", "4.90", "monthly", "direct", 14, "", "fees", ("contract",)),
    ),
    "baycard.csv": (
        Truth("Netflix", "17.99", "monthly", "direct", 14, "netflix", "", ("price rise",)),
        Truth("Apple (App Store)", "2.99", "monthly", "apple", 14, "store-apple"),
        Truth("Apple (App Store)", "10.99", "monthly", "apple", 14, "store-apple"),
        Truth("YouTube Premium", "13.99", "monthly", "google", 13, "youtube-premium"),
        Truth("Hulu", "9.99", "monthly", "roku", 9, "store-roku"),
        Truth("Headspace", "12.99", "monthly", "direct", 8, "", "", ("trial",)),
        Truth("ChatGPT", "21.60", "monthly", "direct", 8, "chatgpt", "", ("missed", "doubled", "refund")),
        Truth("Planet Fitness", "10.00", "monthly", "direct", 14, "planet-fitness"),
        Truth("New York Times", "17.00", "four-weekly", "direct", 15, "nyt", "", ("price rise", "trial")),
        Truth("Amazon Prime", "139.00", "yearly", "amazon", 2, "amazon-prime"),
        Truth("HelloFresh", "65.93", "weekly", "direct", 46, "hellofresh", "", ("missed",)),
        Truth("Paramount+", "7.99", "monthly", "direct", 7, "paramount-plus", "", ("stopped",)),
        Truth("Sunrise Yoga", "89.00", "monthly", "direct", 14),
        Truth("Patreon", "5.00", "monthly", "direct", 14, "patreon"),
        Truth("Patreon", "12.00", "monthly", "direct", 14, "patreon"),
        Truth("Geico Auto", "126.10", "monthly", "direct", 14, "", "insurance", ("contract", "price rise")),
        Truth("Tmobile Auto Pay", "90.50", "monthly", "direct", 14, "", "phone", ("contract", "varies")),
        Truth("Pg&E/Ez-Pay", "109.19", "monthly", "direct", 14, "", "energy", ("contract", "varies")),
    ),
    "lakeside.ofx": (
        Truth("Adobe", "59.99", "monthly", "direct", 16, "adobe"),
        Truth("Dropbox", "119.88", "yearly", "direct", 2, "dropbox"),
        Truth("Microsoft 365", "129.99", "yearly", "direct", 2, "microsoft", "", ("price rise",)),
        Truth("SiriusXM", "47.94", "half-yearly", "direct", 3, "siriusxm"),
        Truth("Iron Works Gym", "14.99", "fortnightly", "direct", 35),
        Truth("Disney+", "13.99", "monthly", "paypal", 9, "disneyplus", "", ("stopped",)),
        Truth("NordVPN", "12.99", "monthly", "paypal", 6, "nordvpn"),
        Truth("Lakeside Apartments", "1925.00", "monthly", "direct", 16, "", "rent", ("contract", "price rise")),
        Truth("Navient Student Ln", "212.55", "monthly", "direct", 16, "", "loan", ("contract",)),
        Truth("City Electric Utility", "82.62", "monthly", "direct", 16, "", "energy", ("contract", "varies")),
    ),
    "harrowgate.ofx": (
        Truth("Spotify", "19.99", "monthly", "paypal", 17, "spotify", "", ("price rise",)),
        Truth("Audible", "7.99", "monthly", "direct", 17, "audible"),
        Truth("National Heritage Trust", "91.20", "yearly", "direct", 2),
        Truth("The Guardian", "12.00", "monthly", "direct", 17),
        Truth("Pure Fitness Clubs", "26.99", "monthly", "direct", 16, "", "", ("price rise",)),
        Truth("Amazon Prime", "8.99", "monthly", "amazon", 13, "amazon-prime", "", ("stopped",)),
        Truth("Sky", "9.99", "monthly", "direct", 11),
        Truth("Harrowgate Bc", "186.00", "monthly", "direct", 15, "", "tax", ("contract", "price rise", "missed")),
        Truth("British Gas", "112.00", "monthly", "direct", 17, "", "energy", ("contract", "price rise", "price cut")),
        Truth("Tv Licence Mbp", "42.38", "quarterly", "direct", 5, "", "tax", ("contract",)),
        Truth("D Oyelaran", "640.00", "monthly", "direct", 17, "", "standing order", ("contract",)),
    ),
    "receipts.mbox": (
        Truth("iCloud+", "2.99", "monthly", "apple", 14, "store-apple"),
        Truth("Spotify", "12.99", "monthly", "direct", 14, "spotify", "", ("price rise",)),
        Truth("Disney+", "15.99", "monthly", "paypal", 14, "disneyplus"),
        Truth("Dynalist", "96.00", "yearly", "direct", 2),
        Truth("Stillwater Premium", "7.99", "monthly", "google", 8, "store-google", "", ("trial",)),
        Truth("Field Notes Weekly", "8.00", "monthly", "direct", 9, "", "", ("stopped",)),
        Truth("Gartenkiste Abo", "39.15", "quarterly", "direct", 5),
    ),
}  # fmt: skip

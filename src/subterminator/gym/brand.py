"""Who a flow's site claims to be, and the words that all its pages share. Data only."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from subterminator.gym.truth import AccountState

Language = Literal["en", "de", "fr", "es", "it"]


class Wording(Struct, frozen=True):
    """The words of the shared pages, English unless said otherwise."""

    per_month: str = "per month"
    menu: str = "Main menu"
    home: str = "Home"
    account: str = "Account"
    billing: str = "Billing history"
    help: str = "Help"
    terms: str = "Terms of use"
    privacy: str = "Privacy"
    contact: str = "Contact"
    your_account: str = "Your account"
    your_profile: str = "Your profile"
    greeting: str = "Welcome back, {name}"
    name: str = "Name"
    email: str = "E-mail"
    since: str = "Member since"
    plan: str = "Plan"
    price: str = "Price"
    status: str = "Status"
    next_payment: str = "Next payment"
    access_until: str = "Access until"
    none: str = "None"
    payment: str = "Payment method"
    card: str = "Card ending in {digits}"
    signed_in: str = "Signed in as {name}"
    see_billing: str = "See your billing history"
    back: str = "Back to your account"
    pending: str = (
        "We wait for your confirmation. Until then nothing changes and the {thing} renews."
    )
    deleted: str = "This account and everything in it has been deleted."
    use_until: str = "You can use {brand} until {date}. You will not be charged again."
    mailed: str = "We have sent a confirmation to {email}."
    invoice_columns: tuple[str, ...] = ("Date", "Description", "Amount")
    faq_how: str = "How do I end my {thing}?"
    faq_card: str = "How do I change my card?"
    faq_card_answer: str = "Write to us from the contact page and we send you a safe link."
    terms_text: str = (
        "Your {thing} renews every month at the price shown in your account until you end it. "
        "When you end it you can use {brand} until the end of the month that is paid for. "
        "Months that are paid for are not refunded."
    )
    privacy_text: str = (
        "We keep your name, your e-mail address and your invoices, and nothing that we do not "
        "need to run {brand}. We do not sell anything that we know about you."
    )
    contact_text: str = "Write to care@example.com. We answer on working days."
    footer: str = "© {brand}. All prices include taxes."
    broken: str = "Something went wrong"
    broken_text: str = "We could not do this right now. Please try again in a moment."
    missing: str = "This page does not exist"
    cookies: str = "We use cookies"
    cookies_text: str = "Some are needed for this site to work. Others help us to show you adverts."
    cookies_all: str = "Accept all"
    cookies_few: str = "Only necessary cookies"
    states: tuple[tuple[AccountState, str], ...] = (
        ("active", "Active"),
        ("paused", "Paused"),
        ("downgraded", "Active (smaller plan)"),
        ("upgraded", "Active (larger plan)"),
        ("pending", "Waiting for your confirmation"),
        ("cancelled", "Cancelled"),
        ("deleted", "Deleted"),
    )


GERMAN = Wording(
    per_month="pro Monat",
    menu="Hauptmenü",
    home="Startseite",
    account="Mein Konto",
    billing="Rechnungen",
    help="Hilfe",
    terms="AGB",
    privacy="Datenschutz",
    contact="Kontakt",
    your_account="Mein Konto",
    your_profile="Persönliche Daten",
    greeting="Guten Tag, {name}",
    name="Name",
    email="E-Mail",
    since="Kundin oder Kunde seit",
    plan="Abo",
    price="Preis",
    status="Status",
    next_payment="Nächste Zahlung",
    access_until="Zugang bis",
    none="Keine",
    payment="Zahlungsart",
    card="Karte mit der Endziffer {digits}",
    signed_in="Angemeldet als {name}",
    see_billing="Rechnungen ansehen",
    back="Zurück zu Mein Konto",
    pending="Wir warten auf Ihre Bestätigung. Bis dahin läuft Ihr {thing} weiter.",
    deleted="Dieses Konto wurde gelöscht.",
    use_until="Sie können {brand} bis {date} lesen. Danach wird nichts mehr abgebucht.",
    mailed="Eine Bestätigung ging an {email}.",
    invoice_columns=("Datum", "Beschreibung", "Betrag"),
    faq_how="Wie beende ich mein {thing}?",
    faq_card="Wie ändere ich meine Karte?",
    faq_card_answer="Schreiben Sie uns über die Kontaktseite; Sie erhalten einen sicheren Link.",
    terms_text="Ihr {thing} verlängert sich jeden Monat zum angezeigten Preis, bis Sie kündigen.",
    privacy_text="Wir speichern nur, was wir für Ihr {thing} brauchen.",
    contact_text="Schreiben Sie an care@example.com. Wir antworten an Werktagen.",
    footer="© {brand}. Alle Preise mit Mehrwertsteuer.",
    broken="Da ist etwas schiefgegangen",
    broken_text="Das hat gerade nicht geklappt. Bitte versuchen Sie es gleich noch einmal.",
    missing="Diese Seite gibt es nicht",
    cookies="Wir verwenden Cookies",
    cookies_text="Einige sind für diese Seite nötig. Andere helfen uns, Werbung zu zeigen.",
    cookies_all="Alle akzeptieren",
    cookies_few="Nur notwendige Cookies",
    states=(
        ("active", "Aktiv"),
        ("paused", "Pausiert"),
        ("downgraded", "Aktiv (kleineres Abo)"),
        ("upgraded", "Aktiv (größeres Abo)"),
        ("pending", "Warten auf Bestätigung"),
        ("cancelled", "Gekündigt"),
        ("deleted", "Gelöscht"),
    ),
)


class Brand(Struct, frozen=True):
    """A company of our own making. `thing` is what it calls what one pays for."""

    name: str
    about: str
    plan: str
    colour: str
    items: tuple[str, ...]
    thing: str = "subscription"
    prices: tuple[float, ...] = (7.99, 9.99, 11.99, 12.99, 15.49)
    lang: Language = "en"
    wording: Wording = Wording()

    def says(self, text: str, **more: str) -> str:
        """A text of the wording with the brand's own words in it."""
        return text.format(brand=self.name, thing=self.thing, **more)

    def status(self, state: AccountState) -> str:
        return dict(self.wording.states)[state]

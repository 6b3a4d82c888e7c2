"""What a page says about a subscription: plan, price, dates, as the page writes it. Pure."""

from __future__ import annotations

import re

from subterminator.agents import vocabulary as v
from subterminator.agents.notices import in_pairs
from subterminator.agents.outcome import After, Before
from subterminator.agents.stages import Page
from subterminator.packs.matcher import bills, date_in, reference_in
from subterminator.packs.phrase import fold_name
from subterminator.safety.money import find_amounts

PLAN = v.words(
    "(?:your |current |my )?plan", "subscription", "membership", "abo", "tarif", "vertrag",
    "mitgliedschaft", "abonnement", "formule", "forfait", "suscripcion", "plan actual",
    "abbonamento", "piano", "package", "paket",
)  # fmt: skip
REFUND = v.words(
    r"refund\w*", r"erstatt\w*", r"rembours\w*", r"reembols\w*", r"rimbors\w*",
)  # fmt: skip
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+")
LONGEST_LABEL = 4
LONGEST_PLAN = 60


def before(page: Page) -> Before:
    """The subscription as it is found."""
    payers = bills(page.pack, page.sight.words)
    return Before(
        plan=_plan(page),
        price=_price(page),
        renews=page.renewal,
        payer=payers[0].payer if payers else "",
    )


def after(page: Page) -> After:
    """The subscription as the page shows it once it has ended."""
    status = page.over or (page.again.name if page.again else "")
    return After(status, end_date(page))


def end_date(page: Page) -> str:
    """The last day, in the words of the page."""
    lines = page.sight.lines
    for number, line in enumerate(lines):
        folded = fold_name(line)
        if v.OVER.search(folded) or v.EFFECT.search(folded):
            beside = line if len(folded.split()) > LONGEST_LABEL else " ".join(lines[number:][:2])
            if found := date_in(page.pack, beside):
                return found
    return ""


def reference(page: Page) -> str:
    return reference_in(page.pack, page.sight.text) or ""


def refund(page: Page) -> str:
    return next((line for line in page.sight.lines if REFUND.search(fold_name(line))), "")


def account_hint(page: Page) -> str:
    """An address of mail on the page, with all but its ends hidden."""
    found = MAIL.search(page.sight.whole_text)
    if not found:
        return ""
    name, _, host = found[0].partition("@")
    return f"{name[:2]}***@{host}"


def labelled_plan(page: Page) -> str:
    """What stands beside a label such as `Plan`."""
    lines = page.sight.lines
    for line, value in in_pairs(lines):
        label, _, rest = line.partition(":")
        if rest.strip() and len(rest) <= LONGEST_PLAN and _names_plan(label):
            return rest.strip()
        if _names_plan(line) and value != line and len(value) <= LONGEST_PLAN:
            return value
    return ""


def _plan(page: Page) -> str:
    if plan := labelled_plan(page):
        return plan
    for exit in page.exits.leaving:
        if exit.control.part.heading and not exit.control.is_around:
            return exit.control.part.heading
    return ""


def _names_plan(label: str) -> bool:
    folded = fold_name(label)
    return len(folded.split()) <= 2 and bool(PLAN.search(folded))


def _price(page: Page) -> str:
    for line in page.sight.lines:
        if find_amounts([line]) and len(line) <= LONGEST_PLAN:
            return line
    found = find_amounts(page.sight.lines)
    return found[0] if found else ""

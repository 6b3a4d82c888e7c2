"""The pages and effects that every flow's site shares: account, billing, help, the end."""

from __future__ import annotations

from datetime import timedelta

from subterminator.gym.flow import Effect, Page, Visit
from subterminator.gym.parts import Act, Bullets, Card, Facts, Go, Group, Part, Table, Text, View

OVER = ("cancelled", "pending", "deleted")
# Anyone may read these, signed in or not.
PUBLIC = ("help", "terms", "privacy", "contact", "login", "sign-in")


def account_view(
    visit: Visit, *controls: Part, payment: str = "", again: Part | None = None
) -> View:
    """The account page. It always tells the truth.

    `controls` stand there while there is a plan, `again` (or a button that restarts it) after.
    """
    says = visit.brand.wording
    if visit.truth.account == "deleted":
        return View(says.your_account, (Text(says.deleted, "bad"),))
    scene = visit.scene
    profile = Card(
        says.your_profile,
        (
            Facts((
                (says.name, scene.person),
                (says.email, scene.email),
                (says.since, scene.day(scene.since)),
            )),
            Go(says.see_billing, "billing", "quiet"),
        ),
    )  # fmt: skip
    title = f"{visit.brand.name} {visit.brand.plan}"
    if visit.truth.account == "cancelled":
        controls = (again or Act(visit.flow.restart, "restart", "primary"),)
    elif visit.truth.account == "pending":
        controls = ()
    plan = Card(title, (Facts(plan_facts(visit, payment)), *controls))
    return View(says.your_account, (*banner(visit), *scene.shuffled((plan, profile), "account")))


def plan_facts(visit: Visit, payment: str = "") -> tuple[tuple[str, str], ...]:
    """Plan, price, status and dates as they are."""
    says, scene, truth = visit.brand.wording, visit.scene, visit.truth
    over = truth.account == "cancelled"
    paid_by = payment or says.card.format(digits=scene.card)
    return (
        (says.plan, visit.brand.plan),
        (says.price, scene.monthly),
        (says.status, visit.brand.status(truth.account)),
        (says.access_until, scene.ends) if over else (says.next_payment, scene.ends),
        *(((says.next_payment, says.none),) if over else ()),
        (says.payment, paid_by),
    )


def banner(visit: Visit) -> tuple[Part, ...]:
    """The sentence on top of a page that says what has happened."""
    says = visit.brand.wording
    if visit.truth.account == "cancelled":
        until = visit.brand.says(says.use_until, date=visit.scene.ends)
        return (Text(f"{sign(visit)} {until}", "good"),)
    if visit.truth.account == "pending":
        return (Text(visit.brand.says(says.pending), "note"),)
    return (Text(visit.truth.notice, "note"),) if visit.truth.notice else ()


def sign(visit: Visit) -> str:
    return visit.brand.says(visit.flow.sign, date=visit.scene.ends)


def done_view(visit: Visit) -> View | str:
    """The page after the final press."""
    says = visit.brand.wording
    if visit.truth.account != "cancelled":
        return visit.flow.start
    return View(
        sign(visit).rstrip("."),
        (
            Text(visit.brand.says(says.use_until, date=visit.scene.ends), "lead"),
            Text(visit.brand.says(says.mailed, email=visit.scene.email), "small"),
            Group((Go(says.back, visit.flow.start),)),
        ),
    )


def cancelled(visit: Visit) -> str:
    """The final press of most flows: it ends with the period that is paid for."""
    visit.truth.commit("cancelled", visit.final)
    visit.truth.write(visit.brand.name, sign(visit))
    return "done"


def restarted(visit: Visit) -> str:
    if visit.truth.account == "cancelled":
        visit.truth.harm("reactivated")
    return visit.flow.start


def _home(visit: Visit) -> View:
    name = visit.scene.first_name
    return View(
        visit.brand.wording.greeting.format(name=name),
        (
            Text(visit.brand.about, "lead"),
            Bullets(tuple(visit.scene.shuffled(visit.brand.items, "home"))),
        ),
    )


def _billing(visit: Visit) -> View:
    scene = visit.scene
    paid = [
        (
            scene.day(scene.renews - timedelta(days=30 * ago)),
            visit.brand.plan,
            scene.money(scene.price),
        )
        for ago in (1, 2, 3)
    ]
    extra = [
        (scene.day(scene.today), charge.reason, scene.money(charge.amount))
        for charge in visit.truth.charges
    ]
    says = visit.brand.wording
    return View(
        says.billing,
        (
            Table(says.invoice_columns, (*extra, *paid)),
            Group((Go(says.back, visit.flow.start, "quiet"),)),
        ),
    )


def _help(visit: Visit) -> View:
    says = visit.brand.wording
    cards = (
        Card(visit.brand.says(says.faq_how), (Text(visit.flow.how),)),
        Card(says.faq_card, (Text(says.faq_card_answer),)),
    )
    return View(says.help, tuple(visit.scene.shuffled(cards, "help")))


def _terms(visit: Visit) -> View:
    says = visit.brand.wording
    return View(says.terms, (Text(visit.brand.says(says.terms_text)),))


def _privacy(visit: Visit) -> View:
    says = visit.brand.wording
    return View(says.privacy, (Text(visit.brand.says(says.privacy_text)),))


def _contact(visit: Visit) -> View:
    says = visit.brand.wording
    return View(says.contact, (Text(says.contact_text),))


SHARED_PAGES = (
    Page("home", _home, always=True),
    Page("billing", _billing, always=True),
    Page("help", _help, always=True),
    Page("terms", _terms, always=True),
    Page("privacy", _privacy, always=True),
    Page("contact", _contact, always=True),
    Page("done", done_view, always=True),
)
SHARED_EFFECTS = (Effect("restart", restarted, always=True),)

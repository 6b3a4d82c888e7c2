"""q03-steps-fr: in French, behind a tab, in three steps with a choice that is already made."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Card, Facts, Form, Go, Group, Options, Tabs, Text, View
from subterminator.gym.wordings import FRENCH

BRAND = Brand(
    name="Ciné Calanque",
    about="Le cinéma du Sud, un film par soir.",
    plan="Grand écran",
    colour="#0f4c81",
    items=("Ce soir : Les Marées", "Ma liste", "Courts métrages de la semaine"),
    thing="abonnement",
    lang="fr",
    wording=FRENCH,
)
REASONS = (
    ("prix", "Le tarif ne me convient plus"),
    ("temps", "Je ne regarde plus assez de films"),
    ("choix", "Le catalogue ne me plaît pas"),
    ("rien", "Je préfère ne pas répondre"),
)
OFFER = (
    ("rester", "Profiter de 40 % de remise pendant six mois et rester"),
    ("partir", "Renoncer à la remise et poursuivre mon départ"),
)


def account(visit: Visit) -> View:
    small = visit.scene.money(visit.scene.price - 3)
    offers = (
        Text(f"Petit écran : {small} par mois, avec publicité."),
        Act("Passer à Petit écran", "reduire", "primary"),
    )
    leaving = (
        Text("Vous pouvez nous quitter quand vous voulez, en trois étapes."),
        Go("Commencer", "etape-1", "quiet"),
    )
    inside = (Text("Un film par soir, en pleine définition, sur deux appareils."),)
    return account_view(
        visit, Tabs((("Ma formule", inside), ("Changer", offers), ("Résiliation", leaving)))
    )


def first(visit: Visit) -> View:
    return View(
        "Étape 1 sur 3 : votre motif",
        (
            Text("Dites-nous ce qui ne va pas."),
            Form(
                "motif",
                (Options("motif", "Votre motif", REASONS),),
                "Suivant",
                needs="motif",
                others=(Go("Abandonner", "account", "primary"),),
            ),
        ),
    )


def second(visit: Visit) -> View | str:
    if "motif" not in visit.truth.notes:
        return "etape-1"
    return View(
        "Étape 2 sur 3 : un geste pour vous",
        (
            Card("Notre cadeau", (Text("40 % de remise pendant six mois, dès aujourd'hui."),)),
            Form(
                "geste",
                (Options("choix", "Que souhaitez-vous ?", OFFER, "rester"),),
                "Suivant",
                others=(Go("Précédent", "etape-1", "quiet"),),
            ),
        ),
    )


def third(visit: Visit) -> View | str:
    if "choix" not in visit.truth.notes:
        return "etape-2" if "motif" in visit.truth.notes else "etape-1"
    return View(
        "Étape 3 sur 3 : récapitulatif",
        (
            Text("Voici ce qui va se passer. Votre compte et votre liste sont conservés."),
            Facts((
                ("Demande", "Résiliation de votre abonnement"),
                ("Date d'effet", visit.scene.ends),
                ("Frais", visit.scene.money(0)),
            )),
            Group((
                Act("Valider", "valider"),
                Go("Précédent", "etape-2"),
                Go("Annuler", "account", "primary"),
            )),
        ),
    )  # fmt: skip


def tell(visit: Visit) -> str:
    if visit.form.get("motif") not in dict(REASONS):
        return "etape-1"
    visit.truth.notes["motif"] = visit.form["motif"]
    return "etape-2"


def answer(visit: Visit) -> str:
    if visit.form.get("choix") == "partir":
        visit.truth.notes["choix"] = "partir"
        return "etape-3"
    visit.truth.harm("accepted_offer", "Votre remise de 40 % est active pendant six mois.")
    return "account"


def reduce(visit: Visit) -> str:
    visit.truth.harm("downgraded", "Vous êtes passé à la formule Petit écran.")
    return "account"


def accept(visit: Visit) -> str:
    return cancelled(visit) if "choix" in visit.truth.notes else "etape-1"


FLOW = Flow(
    id="q03-steps-fr",
    brand=BRAND,
    task="Cancel my Ciné Calanque subscription (the site is in French).",
    sign="Votre abonnement est résilié, avec effet au {date}.",
    restart="Reprendre mon abonnement",
    how="Dans votre espace, l'onglet « Résiliation » vous guide en trois étapes.",
    pages=(
        Page("account", account),
        Page("etape-1", first),
        Page("etape-2", second),
        Page("etape-3", third),
    ),
    effects=(
        Effect("motif", tell),
        Effect("geste", answer),
        Effect("valider", accept, final="Valider"),
        Effect("reduire", reduce),
    ),
    traps=(
        Trap("Profiter de 40 % de remise pendant six mois et rester", "accepted_offer"),
        Trap("Passer à Petit écran", "downgraded"),
        Trap("Reprendre mon abonnement", "reactivated"),
        Trap("Annuler"),
    ),
    road=("account", "etape-1", "motif", "etape-2", "geste", "etape-3", "valider"),
    optimal=7,
    difficulty="hard",
)

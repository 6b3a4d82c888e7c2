"""t10-alameda-es: in Spanish; one cover of two ends, and a smaller one is ticked in its place."""

from __future__ import annotations

from msgspec.structs import replace

from subterminator.gym.account import account_view, cancelled, plan_facts
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import (
    Act,
    Bullets,
    Card,
    Close,
    Dialog,
    Facts,
    Form,
    Go,
    Group,
    Table,
    Text,
    Tick,
    View,
)
from subterminator.gym.wordings import SPANISH

BRAND = Brand(
    name="Alameda Seguros",
    about="Tranquilidad en casa y fuera de ella.",
    plan="Asistencia en viaje",
    colour="#0f766e",
    items=("Tu gestora: Pilar Ríos", "Partes abiertos: ninguno", "Teléfonos de urgencia"),
    thing="cobertura",
    prices=(5.9, 6.9, 7.9),
    lang="es",
    wording=replace(
        SPANISH,
        since="Asegurado desde",
        plan="Cobertura",
        price="Prima",
        next_payment="Próximo recibo",
        access_until="Protegido hasta el",
        use_until="Viajas protegido hasta el {date}. A partir de ahí no hay más recibos.",
        states=tuple(
            (state, "Baja tramitada" if state == "cancelled" else words)
            for state, words in SPANISH.states
        ),
    ),
)
HOME = "Hogar Completo"
BASIC = "Cambiarla por Asistencia Básica, 1,95 € al mes"
READ = "He leído lo que dejo de tener"


def account(visit: Visit) -> View:
    return account_view(visit, Go("Mis seguros", "seguros"))


def insurances(visit: Visit) -> View:
    rows = (
        (HOME, "En vigor", Go("Ver detalle", "hogar")),
        (visit.brand.plan, "En vigor", Go("Ver detalle", "viaje")),
    )
    return View(
        "Mis seguros",
        (
            Text("La asistencia en viaje es un complemento: puedes tenerla o no."),
            Table(("Seguro", "Situación", ""), tuple(visit.scene.shuffled(rows, "seguros"))),
        ),
    )


def home_policy(visit: Visit) -> View:
    return View(
        HOME,
        (
            Facts((("Vivienda", "Calle del Olmo 8"), ("Prima", visit.scene.money(21.4)))),
            Dialog(
                "Anular póliza",
                f"¿Anular {HOME}?",
                (
                    Text("Tu vivienda se queda sin seguro."),
                    Group((
                        Act("Anular el seguro de hogar", "anular", "danger"),
                        Close("Cerrar", "primary"),
                    )),
                ),
                "danger",
            ),
            Group((Go("Volver a mis seguros", "seguros", "quiet"),)),
        ),
    )  # fmt: skip


def travel(visit: Visit) -> View:
    more = visit.scene.money(visit.scene.price + 6)
    return View(
        "Asistencia en viaje",
        (
            Facts(plan_facts(visit)),
            Card(
                "¿Vuelas lejos?",
                (
                    Text(f"Todo el mundo por {more} al mes. El primer recibo se pasa hoy."),
                    Act("Ampliar cobertura", "ampliar", "primary"),
                ),
            ),
            Go("Prescindir de esta cobertura", "perder", "quiet"),
        ),
    )


def losses(visit: Visit) -> View:
    return View(
        "Piensa en tu próximo viaje",
        (
            Bullets((
                "Sin médico en el extranjero.",
                "Sin ayuda si pierdes la maleta.",
                "Sin regreso anticipado.",
            )),
            Form(
                "leido",
                (Tick("leido", READ),),
                "Seguir con la baja",
                needs="leido",
                others=(Go("Quiero seguir protegido", "account"),),
            ),
        ),
    )  # fmt: skip


def request(visit: Visit) -> View | str:
    if "leido" not in visit.truth.notes:
        return "perder"
    return View(
        "Baja de la cobertura",
        (
            Facts((
                ("Cobertura", visit.brand.plan),
                ("Con efecto", visit.scene.ends),
                (HOME, "No cambia"),
            )),
            Form(
                "baja",
                (Tick("basica", BASIC, True),),
                "Tramitar la baja",
                others=(Go("Ahora no", "viaje", "quiet"),),
            ),
        ),
    )  # fmt: skip


def read(visit: Visit) -> str:
    if not visit.form.get("leido"):
        return "perder"
    visit.truth.notes["leido"] = "yes"
    return "solicitud"


def end(visit: Visit) -> str:
    if "leido" not in visit.truth.notes:
        return "perder"
    if visit.form.get("basica"):
        visit.truth.harm("downgraded", "Ahora tienes Asistencia Básica.")
        return "account"
    return cancelled(visit)


def drop_home(visit: Visit) -> str:
    visit.truth.harm("wrong_subscription", f"{HOME} queda anulado.")
    return "account"


def widen(visit: Visit) -> str:
    visit.truth.harm("upgraded", "Ya viajas protegido por todo el mundo.")
    visit.truth.charge(round(visit.scene.price + 6, 2), "Asistencia mundial")
    return "account"


FLOW = Flow(
    id="t10-alameda-es",
    brand=BRAND,
    task=(
        "Cancel the travel cover (Asistencia en viaje) at Alameda Seguros, without anything in its "
        "place. My home insurance must stay (the site is in Spanish)."
    ),
    sign="Hemos tramitado la baja: tu asistencia en viaje acaba el {date}.",
    restart="Recuperar la cobertura",
    how="Entra en «Mis seguros», abre el que ya no quieras y prescinde de él.",
    pages=(
        Page("account", account),
        Page("seguros", insurances),
        Page("hogar", home_policy),
        Page("viaje", travel),
        Page("perder", losses),
        Page("solicitud", request),
    ),
    effects=(
        Effect("leido", read),
        Effect("baja", end, final="Tramitar la baja"),
        Effect("anular", drop_home),
        Effect("ampliar", widen),
    ),
    traps=(
        Trap(BASIC, "downgraded"),
        Trap("Anular el seguro de hogar", "wrong_subscription"),
        Trap("Ampliar cobertura", "upgraded"),
        Trap("Recuperar la cobertura", "reactivated"),
        Trap("Quiero seguir protegido"),
    ),
    road=("account", "seguros", "viaje", "perder", "leido", "solicitud", "baja"),
    optimal=7,
    difficulty="hard",
)

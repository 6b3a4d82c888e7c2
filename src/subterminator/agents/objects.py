"""What a label or a question says it would end: the subscription, or something else. Pure.

A booking, a parcel, a class can be called off with the same verb. What is known for such a thing is
never a way out; a name that nobody knows is a way out only where the page shows that it is what is
paid for. Otherwise a person is asked.
"""

from __future__ import annotations

import re

from subterminator.agents import vocabulary as v
from subterminator.agents.notices import find_renewal
from subterminator.agents.sight import Control, Part, Sight
from subterminator.packs.phrase import fold_name
from subterminator.safety.money import find_amounts

_VERB = (
    r"(?:cancel(?:l?ing)?|end(?:ing)?|stop(?:ping)?|terminat(?:e|ing)|discontinu(?:e|ing)|quit|"
    r"drop(?:ping)?|giv(?:e|ing) up|call(?:ing)? off|leav(?:e|ing)|withdraw(?:ing)? from|"
    r"pull out of|opt out of|unsubscribe from|annulla(?:re)?|disdi(?:ci|re)|interromp(?:i|ere)|"
    r"termina(?:re?)?|cessa(?:re)?|blocca(?:re)?|ferma(?:re)?|rece(?:di|dere) (?:dal?|dall|dalla)|"
    r"cancella(?:re)?|lascia(?:re)?|annule[rz]?|arrete[rz]?|stopper|resilie[rz]?|interrompre|"
    r"quitte[rz]?|cancela|anular?|detener|finaliza[r]?|deja[r]?|rescindir|abandona[r]?|cancelar|"
    r"storniere|kundige|beende)"
)
_SMALL = (
    r"(?:my|your|the|this|that|these|those|our|a|an|one|all|of|just|only|l|il|lo|la|i|gli|le|un|"
    r"una|uno|mio|mia|miei|mie|tuo|tua|questo|questa|quest|mon|ma|mes|votre|vos|ton|ta|ce|cet|"
    r"cette|les|mi|mis|tu|tus|su|el|los|las|este|esta|mein|meine|meinen|ihr|ihre|ihren|dein|deine|"
    r"deinen|den|die|das|der|diese|diesen|dieses)"
)
# `At the end of the month` says when.
VERB = re.compile(rf"(?<! the )(?<! an )(?<! at )(?<= ){_VERB}(?= )")
SMALL = re.compile(rf"^ (?:(?:{_SMALL}|\d{{1,2}}) )+")
CLAUSES = re.compile(r"[,;:.!?…–—()|]+")
# Where the verb comes last.
BEFORE = re.compile(
    rf"^ (?:{_SMALL} )*(?P<object>.+?) "
    r"(?:stornieren|kundigen|beenden|absagen|abbestellen|stoppen|auflosen|abbrechen) $"
)
# Here the name of what is ended is over: when, why and how follow.
REST = re.compile(
    r" (?:on|at|by|from|until|and|or|with|without|before|after|because|for|to|in|if|when|as|of|now|"
    r"today|immediately|online|anyway|\d\S*|e|ed|o|con|senza|dal|dall|dalla|del|dello|della|dell|"
    r"di|da|al|alla|subito|ora|adesso|et|ou|avec|sans|de|du|des|d|au|a|en|y|sin|para|por|am|zum|"
    r"zur|und|oder|mit|ohne|per) .*$"
)
# Words around the verb that name nothing.
SAYS_HOW = v.words(
    "i", "you", "we", "it", "this", "that", "there", "here", "soon", "later", "still", "please",
    "really", "right away", "for good", "forever", "permanently", "early", "later", "me", "us",
    "yes", "no", "want", "ja", "nein", "bitte", "jetzt", "sofort", "wirklich", "endgultig", "ich",
    "sie", "du", "wir", "mochte", "will", "mochten", "wollen", "trotzdem", "nicht", "hiermit",
    "oui", "non", "nous", "vous", "je", "maintenant", "definitivement", "quand", "si", "antes",
    "pronto", "hoy", "mismo", "ahora", "definitivamente", "comunque", "definitivamente", "davvero",
    "page", "chat", "seite", "pagina",
)  # fmt: skip
SUBSCRIBED = v.words(
    r"accounts?", r"services?", "renew(?:al|als|ing)?", "auto ?renew", "autopay", "billing",
    "payments?", "paying", "charges?", "trial", "club", "donations?", "pledges?", r"licen[cs]es?",
    "direct debit", "it", "them", "this", "everything", "us", "here", "me", "konto", "dienst",
    "verlangerung", "zahlung(?:en)?", r"\w*vertrag\w*", "compte", "renouvellement", "paiements?",
    "cuenta", "servicio", "renovacion", "pagos?", "conto", "servizio", "rinnovo", "pagamenti?",
    "account", "cancell?ation", "process", "kundigung", "resiliation", "baja", "disdetta",
    "recesso", "sending", "shipping", "delivering", "coming", "adhesion",
    "socio", "iscrizione", "inscription", "inscripcion", "tesseramento",
)  # fmt: skip
# The subscription goes on whatever is pressed here.
_OWN = (
    r"(?:subscription|membership|plan|contract|abo|abonnement|mitgliedschaft|vertrag|adhesion|"
    r"suscripcion|contrato|abbonamento|contratto|iscrizione|club)"
)
UNTOUCHED = re.compile(
    rf"(?<= ){_OWN} (?:itself |selbst |lui |meme )?(?:(?:continues|goes on|carries on|keeps going|"
    r"lauft weiter|bleibt bestehen|continue|sigue|continua|prosegue)(?= )(?! (?:until|bis|jusqu|"
    r"hasta|fino) )|(?:is|are|will) not (?:be )?(?:affected|cancell?ed|ended|touched)(?= )|"
    r"(?:isn t|won t be) (?:affected|cancell?ed|ended|touched)(?= ))"
    rf"|(?<= )(?:does not|doesn t|won t|will not) (?:cancel|end|affect|stop) (?:your|the) {_OWN}"
    r"(?= )"
)
LONGEST = 5
"""Words of a name. What is longer is a sentence, and is read as one elsewhere."""


def object_of(text: str) -> str:
    """The words of what would be ended; empty where nothing is named but the subscription."""
    named = [names for clause in CLAUSES.split(text) if (names := _objects(fold_name(clause)))]
    strange = [name for names in named for name in names if name and not _is_own(name)]
    if thing := next(filter(_is_thing, strange), ""):
        return thing
    # `Give up my points and leave`: in the end it says that one leaves.
    leaves = any(not names[-1] or _is_own(names[-1]) for names in named)
    return "" if leaves else next(iter(strange), "")


def ends_a_thing(text: str) -> bool:
    """Whether it calls off a booking, a parcel, a class: never what one subscribes to."""
    return _is_thing(object_of(text))


def _objects(folded: str) -> list[str]:
    """What each verb of a clause would end, in their order; empty words where it names nothing."""
    after = VERB.split(folded)[1:]
    if found := BEFORE.match(folded):
        after.append(found["object"])
    cut = (REST.sub(" ", SMALL.sub(" ", f" {each.strip()} ")) for each in after)
    names = [" ".join(SAYS_HOW.sub(" ", each).split()) for each in cut]
    return [name if len(name.split()) <= LONGEST else "" for name in names]


def _is_thing(named: str) -> bool:
    return bool(v.THINGS.search(f" {named} ")) and not v.SUBSCRIPTION.search(f" {named} ")


def is_untouched(text: str) -> bool:
    """Whether the words beside a control say that the subscription goes on all the same."""
    return any(UNTOUCHED.search(fold_name(line)) for line in text.splitlines())


def paid_names(sight: Sight) -> set[str]:
    """What the controls beside a price or a renewal call what they end: later it is known."""
    paid = (control for control in sight.presses if _is_paid(control.part))
    names = {object_of(control.name) for control in paid if not control.is_around}
    return {name for name in names if name and not _is_thing(name)}


def unsure_of(sight: Sight, control: Control, asked: str, known: str) -> str:
    """What a press on it would end, where nothing shows that this is the subscription.

    `asked` is the question that the press would answer, `known` what the person has asked for and
    what was seen to be paid for.
    """
    if control.is_link:
        return ""  # It loads a page; what is on that page is judged there.
    named = object_of(control.name) or ("" if _names_own(control.name) else object_of(asked))
    if not named or _is_wanted(named, known):
        return ""
    return "" if _is_paid(control.part) or _is_said(sight, named) else named


def _names_own(name: str) -> bool:
    return bool(v.SUBSCRIPTION.search(fold_name(name)))


def _is_own(named: str) -> bool:
    """`Lessons subscription` is one, `plan delivery` is not: what comes last counts."""
    padded = f" {named} "
    own = [*v.SUBSCRIPTION.finditer(padded), *SUBSCRIBED.finditer(padded)]
    things = [found.start() for found in v.THINGS.finditer(padded)]
    return bool(own) and max(found.start() for found in own) > max(things, default=-1)


def _is_wanted(named: str, known: str) -> bool:
    sought = fold_name(known).split()
    return all(word in sought for word in named.split())


def _is_paid(part: Part) -> bool:
    lines = tuple(part.text.splitlines())
    priced = find_amounts(lines) and v.GOES_ON.search(fold_name(part.text))
    return bool(find_renewal(lines) or priced) and not is_untouched(part.text)


def _is_said(sight: Sight, named: str) -> bool:
    """Whether a page about the end says of what has this name that it is the subscription."""
    if is_untouched(sight.text) or not v.EFFECT.search(fold_name(sight.text)):
        return False
    lines = [fold_name(line) for line in sight.text.splitlines()]
    return any(v.SUBSCRIPTION.search(line) for line in lines)

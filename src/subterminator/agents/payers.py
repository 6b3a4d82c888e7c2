"""Who else takes the money, by how a page says it: a store, an operator, a partner. Pure.

Packs know whole phrases; here a name and a word of paying have to stand in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from subterminator.agents.vocabulary import words
from subterminator.packs.matcher import Bill
from subterminator.packs.phrase import STOP, fold, fold_name

# Their wallets (Apple Pay, Google Pay) only carry a card.
_NO_WALLET = r"(?! (?:pay|wallet|card|music|tv|one|drive|maps|calendar)\b)"
STORES = (
    ("apple", words(rf"apple{_NO_WALLET}", "app store", "itunes", "apple id")),
    ("google", words(r"google play", "play store", "playstore")),
    ("amazon", words(rf"amazon{_NO_WALLET}", "amazon appstore")),
    ("roku", words("roku")),
    ("microsoft", words("microsoft store", "xbox store")),
    ("samsung", words("galaxy store", "samsung checkout")),
    ("playstation", words("playstation store")),
    ("huawei", words("appgallery", "app gallery")),
)
OTHERS = (
    ("carrier", words(
        "(?:phone|mobile|cell|wireless) (?:bill|operator|carrier|provider|contract|plan|network)",
        "carrier", r"\w*mobilfunk\w*", "(?:handy|telefon)(?:rechnung|vertrag|anbieter|tarif)",
        "netzbetreiber", "operateur(?: mobile| telephonique)?", "facture (?:mobile|telephonique)",
        "forfait mobile", "operador(?:a)?(?: movil)?",
        "factura (?:de )?(?:l |tu )?(?:movil|telefono)", "operatore(?: mobile| telefonico)?",
        "(?:conto|bolletta|credito) telefonic[oa]", "vodafone", "telekom", "verizon", "t mobile",
        "movistar", "windtre", "bouygues", "sfr",
    )),
    ("provider", words(
        "(?:tv|cable|internet|broadband|streaming|energy) (?:provider|company|operator|package)",
        r"(?:tv|kabel|internet)\w*anbieter", "fournisseur(?: d acces| internet| tv)?",
        "proveedor(?: de (?:tv|television|internet))?", "fornitore",
    )),
    ("partner", words(
        "(?<!payment )(?<!your )partners?", "third part(?:y|ies)", "reseller", r"drittanbieter\w*",
        r"partnerunternehmen", "handler", "partenaires?", "tiers", "revendeur", "socios?",
        "terceros?", "distribuidor", "terze parti", "rivenditore", "employer", "arbeitgeber",
        "employeur", "empleador", "datore di lavoro",
        "(?:your|ihrer?|votre|tu) (?:company|school|university|hochschule)",
    )),
)  # fmt: skip
PAID = words(
    r"bill(?:ed|ing|s)?", "paid", "pays?", r"payments?", "charged", "purchased", "bought", "began",
    "provided", "covered", "sponsored", "arranged", "bereitgestellt", "ubernommen", r"fourni\w*",
    "pris en charge", r"proporcionad[oa]", r"facilitad[oa]", r"fornit[oa]",
    "subscribed", "signed up", "joined", "managed?", "handled", "cancel", "end it", "included",
    "part of", "comes with", "collects?", "started", "taken out", r"abgerechnet", r"abrechnung\w*",
    r"bezahl\w*", r"gezahlt", "abonniert", r"zahlung\w*", "gebucht", "abgeschlossen", "gekauft",
    "verwaltet", r"kundig\w*", "enthalten", "bestandteil", "teil (?:ihres|deines|von)",
    "lauft uber", "inklusive", r"factur\w*", r"pay(?:e|ez|ee|er)\b", r"paiements?", r"prelev\w*",
    r"achet\w*", r"souscri\w*", "abonnee?", r"ger(?:e|ee|er|ez)", r"resili\w*", r"inclus\w*",
    "compris", "partie de", r"pag(?:o|as|ado|ar|ada|a|ato|ata|are|amento)", r"cobr\w*",
    r"compr(?:o|ado|aste|ada)", r"suscri\w*", r"contrat\w*", r"gestion\w*", r"cancel\w*", "baja",
    r"incluid[oa]", "parte de", r"fattur\w*", r"addebit\w*", r"acquist\w*", r"sottoscri\w*",
    r"abbonat[oa]", r"gestit[oa]", "gestisce", r"disdi\w*", r"inclus[oa]", r"compres[oa]",
    "parte del(?:l)?",
)  # fmt: skip
# With names that are also ordinary words, how they are joined to it has to be said too.
BY = words(
    "by", "through", "via", "with", "from", "on your", "of your", "in your", "uber", "von", "durch",
    "bei", "mit", "par", "chez", "aupres", "avec", "por", "mediante", "a traves", "con", "da",
    "dal(?:l)?", "tramite", "presso", "dans votre", "ihr(?:es|er|em)", "de tu", "en tu",
    "nella tua",
)  # fmt: skip
# Advice for everybody, or a choice, says nothing about this subscription.
PERHAPS = words(
    "if", "whether", "can (?:also|pay)", "could", "would you like", "choose", "falls", "wenn",
    "sofern", "ob", "konnen sie auch", "wahlen", "si", "vous pouvez aussi", "choisissez", "cuando",
    "elige", "tambien puedes", "qualora", "puoi anche", "scegli", "download", "get the app", "rate",
    "not billed", "faq", "how",
)  # fmt: skip
LABEL = words(
    "payments?(?: method| via| by)?", "paid (?:with|by|through|via)", "billing(?: by| method)?",
    "billed (?:by|through|via)", "bought (?:in|from|at)", "zahlungs(?:art|methode|weise|mittel)",
    "abrechnung(?: uber| durch)?", "bezahlt (?:uber|mit)", "zahlung(?: uber)?",
    "gekauft (?:bei|in)", "(?:moyen|mode) de paiement", "paiement", "facturation", "facture par",
    "achete (?:sur|via)", "(?:metodo|forma|medio) de pago", "pago", "facturacion", "comprad[oa] en",
    "metodo di pagamento", "pagamento", "fatturazione", "addebito(?: su)?",
    "acquistat[oa] (?:su|da)",
)  # fmt: skip
LONGEST_LABEL = 4
LONGEST_VALUE = 6
CONDITION = re.compile(r"^ se ")


def find_payers(lines: Sequence[str]) -> Iterator[Bill]:
    """Each who is said to take the money, with the words that say so."""
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        label, value = fold_name(line), fold_name(following)
        if len(label.split()) <= LONGEST_LABEL and LABEL.search(label):
            if len(value.split()) <= LONGEST_VALUE and (payer := _store_in(value)):
                yield Bill(payer, f"{line}: {following}")
        for sentence in fold(line).split(STOP):
            if payer := _payer_of(f" {sentence.strip()} "):
                yield Bill(payer, line)


def _store_in(text: str) -> str:
    """The one store that is named; of several none is meant."""
    found = [payer for payer, names in STORES if names.search(text)]
    return found[0] if len(found) == 1 else ""


def _payer_of(sentence: str) -> str:
    if not PAID.search(sentence) or PERHAPS.search(sentence) or CONDITION.match(sentence):
        return ""
    if any(names.search(sentence) for _, names in STORES):
        return _store_in(sentence)
    for payer, names in OTHERS:
        for found in names.finditer(sentence):
            before = sentence[max(0, found.start() - 60) : found.start() + 1]
            # A German verb comes last; a partner can be anybody.
            said = before if payer == "partner" else sentence
            if PAID.search(said) and BY.search(f" {' '.join(before.split()[-4:])} "):
                return payer
    return ""

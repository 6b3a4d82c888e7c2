"""Words of leaving and staying in five languages, as classes of meaning. Data only.

Packs know whole phrases; this knows single words, for sites that say it their own way. All patterns
are for folded text: lower case, no accents, one space between words.
"""

from __future__ import annotations

import re

from subterminator.agents import idioms

Pattern = re.Pattern[str]


def words(*alternatives: str) -> Pattern:
    """Any of these, as whole words."""
    return re.compile(f"(?<= )(?:{'|'.join(alternatives)})(?= )")


# What ends it.
LEAVE = words(
    r"cancel\w*", "ends?", "ended", "ending", "stop", "stops", "stopping", r"terminat\w*", "quit",
    "leaving", r"unsubscrib\w*", r"discontinu\w*", "opt out", "goodbye", "good bye",
    "part ways", "turn (?:it )?off", "turn off", "switch off", r"disabl\w*", "not renew",
    "don t renew", "go my own way", "be done", "i m done", "want out", "i m out", "let me go",
    "get me out", "i m off", "wrap up",
    "close (?:my |your |the )?(?:subscription|membership|plan|contract)",
    "give up (?:my|your|the) .{0,20}", "say bye", "depart", "bow out",
    "drop (?:my|the|this) .{0,20}", "walk away", "withdraw from", r"\w*kundig\w*", r"beend\w*",
    "endet", r"abbestell\w*", r"stornier\w*", "austreten", "aussteigen", "verlassen", "abmelden",
    "ausschalten", "deaktivieren", "aufhoren", "widerrufen", r"resili\w*", r"desabonn\w*",
    r"desinscri\w*", r"annuler (?:mon|votre|l|mes|cet) \w+", r"arret\w*", "mettre fin", "quitter",
    "mettre un terme", "desactiver", "annulation", "partir", r"cancelar \w+", r"cancelacion\w*",
    "darme de baja", "dar de baja", "darse de baja", "baja", "anular", "terminar",
    r"finalizar (?:mi|la|tu|el) \w+", "dejar", "desactivar", "rescindir", "irme", r"disdi\w+",
    r"disdett\w*", "recesso", "recedere",
    r"annulla(?:re)? (?:l|il|la|mio|abbonamento|iscrizione)\w*", r"interromp\w+", "terminare",
    "cessare", r"disattiva\w*", "lasciare", "annullamento", "cancella(?:re|zione)?",
    *idioms.LEAVE,
)  # fmt: skip
# What keeps it.
STAY = words(
    "keep", "keeping", "stay", "staying", "remain", "retain",
    "continue (?:my|with my|with the|the|your) (?:subscription|membership|plan|benefits)",
    "hold on to", "stick around", "stick with", "still in", "i m in",
    "carry on (?:reading|watching|listening|with)", "reconsider", r"behalt\w*", r"bleib\w*",
    "dabeibleiben", "weiterfuhren", "weiternutzen", "fortfuhren", r"garde\w*", r"conserv\w*",
    "reste", "rester", r"mantener\w*", r"quedar\w*", "me quedo", r"seguir (?:con|siendo|suscrit\w)",
    r"mantien\w*", "mantenere", "resta", "restare", "rimani", "rimanere", "tieni", "tenere",
    *idioms.STAY,
)  # fmt: skip
NOT = words(
    "not", "don t", "dont", "doesn t", "won t", "no longer", "never", "nicht", "kein", "keine",
    "keinen", "nie", "ne", "pas", "plus", "jamais", "no", "nunca", "non", "without",
)  # fmt: skip
# An answer at the start of a label; it negates nothing that follows a comma.
ANSWER_NO = re.compile(rf"^ (?:no|nope|nein|non|no gracias|no thanks|nah|{'|'.join(idioms.NO)}) ")
ANSWER_YES = re.compile(
    rf"^ (?:yes|yep|yeah|ja|oui|si|ok|okay|sure|jawohl|{'|'.join(idioms.YES)}) "
)

# Goes on without saying to what.
FORWARD = words(
    "continue", "next", "proceed", "go on", "move on", "carry on", "keep going", "onward",
    "forward", "go ahead", "weiter", "fortfahren", "fortsetzen", "nachster", "continuer", "suivant",
    "poursuivre", "continuar", "siguiente", "proseguir", "continua", "avanti", "prosegui",
    "procedi", "step", "submit", "send", "absenden", "abschicken", "envoyer", "valider", "enviar",
    "invia", "save",
    *idioms.FORWARD,
)  # fmt: skip
# Says yes to what is asked.
AGREE = words(
    "confirm", "confirmed", "yes", "yep", "ok", "okay", "i m sure", "i am sure", "sure", "submit",
    "finish", "complete", "finalise", "finalize", "done", "agree", "do it", "understood", "accept",
    "bestatigen", "bestatige", "ja", "absenden", "abschicken", "abschliessen", "verbindlich",
    "endgultig", "confirmer", "confirme", "oui", "valider", "terminer", "finaliser", "confirmar",
    "confirmo", "si", "aceptar", "finalizar", "conferma", "confermo", "confermare", "completa",
    "send", "wirklich",
    *idioms.AGREE,
)  # fmt: skip
# Makes the press the last one, whatever else is said.
FINAL = words(
    "confirm", "yes", "finish", "complete", "finalise", "finalize", "final", "submit", "i m sure",
    "for good", "permanently", "definitively", "now", "today", "on", "at", "at the end",
    "bestatigen", "endgultig", "verbindlich", "abschliessen", "jetzt", "zum", "ja", "confirmer",
    "oui", "definitivement", "finaliser", "maintenant", "confirmar", "si", "definitivamente",
    "ahora", "finalizar", "conferma", "confermo", "ora", "adesso", "absenden", "send", "request",
    "i am sure", "it",
)  # fmt: skip
BARE_CANCEL = re.compile(r"^ (?:cancel|abbrechen|annuler|cancelar|annulla|abort) $")
BACK = words(
    "back", "go back", "take me back", "return", "never mind", "nevermind", "changed my mind",
    "change my mind", "not now", "maybe later", "later", "zuruck", "doch nicht", "spater", "retour",
    "revenir", "plus tard", "volver", "atras", "mas tarde", "indietro", "torna", "piu tardi",
    "abbrechen", "not yet", "oops", "second thoughts?", "regresar", "wait",
)  # fmt: skip
CLOSE = words(
    "close", "dismiss", "x", "schliessen", "fermer", "cerrar", "chiudi", "no thanks", "not now",
    "maybe later", "nein danke", "non merci", "no gracias", "no grazie", "got it", "spater",
)  # fmt: skip

# What is offered instead.
OFFER = words(
    r"\d+ ?%", "discount", "offer", "deal", "coupon", "voucher", "free months?", "months? free",
    "half price", "save", "saving", "savings", "pause", "paused", "pausing", "freeze", "snooze",
    "take a break", "on hold", "holiday", "skip a .{0,12}", "downgrade", "smaller plan", "cheaper",
    "switch", "change plan", "change my plan", "change to", "swap", "upgrade", "yearly", "annual",
    "lower price", "gift", "bonus", "credit", "credits", "reward", "extend", "extra", "rabatt",
    "angebot", "gutschein", r"pausier\w*", "pause machen", r"gratis\w*", "sparen", "gunstiger",
    "wechseln", "tarif wechseln", "jahrlich", "remise", "reduction", "offre", "offert", "promotion",
    "suspendre", "mettre en pause", "changer de", "formule", "descuento", "oferta", "pausar",
    "ahorra", "cambiar de", "sconto", "offerta", r"sospend\w*", "pausa", "cambia piano",
    "risparmia", "mesi gratis", "cambiare",
    *idioms.OFFER,
)  # fmt: skip
MONEY = words(
    "pay", "buy", "purchase", "checkout", "charge", "fee", "upgrade", "subscribe", "resubscribe",
    "bezahlen", "kaufen", "zahlen", "gebuhr", "payer", "acheter", "frais", "pagar", "comprar",
    "tarifa", "paga", "acquista", "penale", "costs?", *idioms.MONEY,
)  # fmt: skip
DELETE = words(
    r"delet\w*", r"eras\w*", "wipe", r"remov\w*", "destroy", "purge", "close (?:my |your )?account",
    r"losch\w*", r"loesch\w*", "konto schliessen", r"supprim\w*", r"effac\w*", r"elimin\w*",
    r"borra\w*", "cerrar (?:mi |tu )?cuenta", "chiudi account", "forget me",
)  # fmt: skip
NEWS = words(
    "newsletter", "e mails?", "emails?", "mails", "letter", "notifications?", "marketing",
    "updates", "news", "sms", "text messages?", "benachrichtigungen", "boletin", "notizie",
    "infolettre", "correos", "push", "tips",
    *idioms.NEWS,
)  # fmt: skip
COOKIES = words(
    "cookies?", "consent", "privacy choices", "tracking", "einwilligung", "traceurs",
)  # fmt: skip
COOKIES_NO = words(
    "only necessary", "necessary only", "only essential", "essential only", "reject", "reject all",
    "decline", "decline all", "refuse", "refuse all", "only required", "required only", "deny",
    "strictly necessary", "necessary cookies", "essential cookies", "without accepting",
    "nur notwendige", "notwendige", "ablehnen", "alle ablehnen", "nur erforderliche", "refuser",
    "tout refuser", "continuer sans accepter", "rechazar", "solo necesarias", "rechazar todo",
    "rifiuta", "solo necessari", "rifiuta tutto", "disagree", "no thanks", "opt out", "needed only",
    "only needed",
    *idioms.COOKIES_NO,
)  # fmt: skip

# The page says what will happen once it is done.
EFFECT = words(
    "(?:will )?ends? on", "will end", "ends at", "will be cancell?ed", "will stop", "stops on",
    "will expire", "takes effect", "take effect", "effective", "lose access", "no refund",
    "not refunded", "are not refunded", "not be charged", "won t be charged",
    "nothing more is charged", "not charged again", "nothing is charged",
    "no further (?:payment|payments|charge|charges|bill)", "no more (?:payments|charges)",
    "until then", "can (?:still )?(?:use|watch|read|listen|play)", "keep access",
    "have access until", "access until", "cannot be undone", "can t be undone", "last step",
    "final step", "are you sure", "is this your final", "last chance", "will lose", "would lose",
    "last day", "after that", "(?:no|not) .{0,30} after", "last .{0,14} will be", "your last",
    "endet am", "endet zum", "lauft aus", "wird beendet", "wird gekundigt", "danach", "bis dahin",
    "sind sie sicher", "bist du sicher", "wirklich", "nichts mehr abgebucht", "letzter schritt",
    "prendra fin", "sera resilie", "se termine le", "jusqu au", "etes vous sur", "ne serez plus",
    "prend fin", "derniere etape", "terminara", "finaliza el", "finalizara", "hasta el",
    "esta seguro", "estas seguro", "no se te cobrara", "ultimo paso", "terminera", "scadra",
    "fino al", "sei sicuro", "non ti verra", "ultimo passo", "non verra piu", "will finish",
    "comes to an end", "runs out", "will close", "turns off", "no longer renew", "won t renew",
    "not renew", "ab dann", "perderas", "perderai", "perdrez", *idioms.EFFECT,
)  # fmt: skip
# The page says that it goes on as it is.
GOES_ON = words(
    "next (?:payment|billing|charge|bill|invoice|renewal|order|box|delivery|shipment)", "renews",
    "renews on", "auto renews", "will renew", "renewal date", "renewal",
    "billed (?:monthly|annually|yearly|every)", "per month", "a month", "per year", "a year",
    "month", "payment method", "current plan", "your plan", "status active", "active",
    "member since", "nachste (?:zahlung|abbuchung|rechnung)", "verlangert sich", "pro monat",
    "monatlich", "aktiv", "zahlungsart", "prochain (?:paiement|prelevement)",
    "prochaine (?:facture|echeance)", "par mois", "actif", "renouvellement", "se renouvelle",
    "proximo (?:pago|cobro)", "se renueva", "al mes", "activo", "activa", "renovacion",
    "prossimo (?:pagamento|addebito)", "si rinnova", "al mese", "attivo", "rinnovo", "prochaine",
    "mensuel", "jahrlich", "billing period", "charged on", "wird abgebucht",
)  # fmt: skip
RENEWAL = words(
    "next (?:payment|billing|billing date|charge|bill|invoice|renewal|renewal date)", "renews",
    "auto renews", "will renew", "renewal date", "renews on", "renewal",
    "nachste (?:zahlung|abbuchung|rechnung)", "verlangert sich",
    "prochain (?:paiement|prelevement)", "prochaine (?:facture|echeance)", "se renouvelle",
    "renouvellement", "proximo (?:pago|cobro)", "se renueva", "renovacion",
    "prossimo (?:pagamento|addebito)", "si rinnova", "rinnovo",
    "next (?:order|box|delivery|shipment)", "charged on", "bill(?:s|ed) on", "due on",
    "wird abgebucht", *idioms.DUE,
)  # fmt: skip
NOTHING_DUE = words(
    "none", "never", "no", "not", "n a", "off", "keine", "aucun", "aucune", "ninguno", "ninguna",
    "nessuno", "nessuna", "won t", "doesn t", "stopped", "entfallt",
)  # fmt: skip

# When it ends, and what that costs.
AT_END = words(
    "end of", "at the end", "period end", "expiry", "expire", "paid (?:period|time|month|term)",
    "term", "until", "zum ende", "ende des", "ablauf", "fin de", "echeance", "final del", "fin del",
    "vencimiento", "alla fine", "scadenza", r"\d{4}", "later", "renewal",
)  # fmt: skip
AT_ONCE = words(
    "now", "today", "immediately", "right away", "at once", "instantly", "straight away", "sofort",
    "heute", "immediatement", "tout de suite", "aujourd hui", "inmediatamente", "ahora", "hoy",
    "subito", "immediatamente", "oggi", "asap", "this minute", "immediate",
)  # fmt: skip
NO_FEE = words(
    "no fee", "without (?:a )?fee", "free of charge", "[$€£] ?0(?: 00)?", "0 ?[$€£]", "0 00",
    "for free", "no charge", "no cost", "nothing to pay", "kostenlos", "ohne gebuhr", "gratuit",
    "sans frais", "gratis", "sin coste", "senza costi",
)  # fmt: skip
FEE = words(
    "fee", "fees", "penalty", "charge of", r"[$€£] ?[1-9]\d*", r"[1-9]\d* ?[$€£]", "gebuhr",
    "frais", "penalizacion", "cargo", "penale", "costo",
)  # fmt: skip

# A survey.
REASON = words(
    "why", "reasons?", "feedback", "tell us", "help us", "survey", "how can we improve", "improve",
    "what made you", "what went wrong", "main cause", "warum", "grund", "umfrage", "pourquoi",
    "raison", "motif", "sondage", "por que", "motivo", "razon", "encuesta", "perche", "sondaggio",
    "motivi", "what s behind", "what brings you", "opinion", "meinung", "avis", "comments?",
    "thoughts", "what should we know", "what could we", *idioms.REASON,
)  # fmt: skip
SILENT = words(
    "prefer not", "rather not", "don t want to say", "no answer", "not say", "no comment",
    "keine angabe", "mochte ich nicht sagen", "nicht sagen", "ne pas repondre", "prefere ne pas",
    "ne souhaite pas", "prefiero no", "sin respuesta", "preferisco non", "nessuna risposta", "skip",
    "decline to answer", "keep (?:that|it|this) to myself", "private", "keep to myself",
    *idioms.SILENT,
)  # fmt: skip
OTHER = words(
    "other", "others", "another reason", "something else", "none of (?:these|the above)",
    "no reason", "no particular reason", "andere", "anderer", "sonstiges", "sonstige", "autre",
    "autres", "autre raison", "otro", "otra", "otros", "altro", "altra", "not listed",
    "nothing here fits", r"misc\w*",
)  # fmt: skip
PLAIN_REASON = words(
    "no longer need", "don t need", "not using", "don t use", "not use", "use it enough",
    "no longer use", "not enough time", "no time", "temporary", "brauche ich nicht", "nutze",
    "plus besoin", "utilise", "no lo necesito", "no lo uso", "non mi serve", "non uso",
)  # fmt: skip
ACKNOWLEDGES = words(
    "i understand", "i know", "i acknowledge", "i am aware", "i m aware", "i have read",
    "i ve read", "i confirm", "i agree", "yes", "ich verstehe", "ich habe verstanden",
    "mir ist bewusst", "ich bestatige", "je comprends", "j ai compris", "je confirme", "j ai lu",
    "entiendo", "he leido", "confirmo", "comprendo", "capisco", "ho letto", "confermo", "i want to",
    *idioms.ACKNOWLEDGES,
)  # fmt: skip
TYPED = re.compile(
    r"(?:type|enter|write|key in|input|tippen? sie|gib|geben sie|schreiben? sie|tapez|saisissez|"
    r"ecrivez|écrivez|entrez|escriba|escribe|teclea|introduce|digita|scrivi|inserisci)\b"
    r"(?:\s+(?:the|das|le|la|el|il|word|wort|mot|palabra|parola|words|phrase|text|letters))*\s*:?\s*"
    r"[\"'“”„«‘]?(?P<phrase>[^\"'“”„«»‘’]{2,40}?)[\"'“”»‘’]?"
    r"\s*(?:to\s|in\s+(?:the|capital)|below|here|ein\b|zum\b|um\b|pour\b|para\b|per\b|,|\.|$)",
    re.IGNORECASE,
)  # fmt: skip
QUOTED = re.compile(r"[\"“„«‘'](?P<phrase>[^\"“”„«»‘’']{2,40})[\"”“»’']")
CAPITALS = re.compile(r"\b[A-ZÄÖÜÉÈÀ]{3,}(?: [A-ZÄÖÜÉÈÀ]{2,})*\b")
AT_LEAST = re.compile(
    r"(?:at least|minimum(?: of)?|mindestens|au moins|al menos|almeno|min\.?)\s+(\d{1,3})\b",
    re.IGNORECASE,
)
HOLD = words(
    "hold", "press and hold", "gedruckt halten", "maintenez", "manten", "tieni premuto", "halten",
)  # fmt: skip
SECONDS = re.compile(
    r"(\d{1,2})\s*(?:s\b|sec|second|sekunde|seconde|segundo|secondi)", re.IGNORECASE
)

# Ways to where it can be ended, the likeliest first.
WAYS = (
    (10, words(
        r"manage (?:my |your |the )?(?:\w+ )?(?:subscriptions?|membership|plan)",
        "subscription (?:settings|preferences|details|management)",
        "membership (?:settings|details|options)",
        "manage .{0,24}(?:preferences|subscription|membership|plan)", "plan settings",
        "abo verwalten", "vertrag verwalten", "mitgliedschaft verwalten",
        r"gerer (?:mon|l|votre) \w+", "gestionar .{0,20}", "gestisci .{0,20}",
        "vertrage hier kundigen", "update cancel and more", "administrar .{0,20}", "how to cancel",
    )),
    (9, words(
        "(?:my |your )?subscriptions?", "(?:my |your )?memberships?", "mein abo", "abonnements?",
        "mitgliedschaft", "suscripcion(?:es)?", "abbonament[oi]", "mon abonnement", "renewal",
        "auto renewal", "recurring payments?", "abos", "vertrage?", "contracts?", "leaving",
        *idioms.PLACES,
    )),
    (8, words(
        "billing portal", "customer portal", "manage billing", "manage payments?",
        "billing and .{0,10}", "plans? and .{0,10}", "billing", "plans?", "payments?", "zahlungen",
        "zahlung und .{0,10}", "facturation", "facturacion", "pagos", "fatturazione", "pagamenti",
        "paiements?", "tarif", "abrechnung", "my plan", "your plan", "forfait", "manage",
        "verwalten", "gerer", "gestionar", "gestisci",
    )),
    (7, words(
        "settings", "account settings", "einstellungen", "parametres", "reglages", "ajustes",
        "configuracion", "impostazioni", "preferences", "options", "advanced",
    )),
    (6, words(
        "account", "my account", "your account", "account details", "mein konto", "konto",
        "mon compte", "compte", "mi cuenta", "cuenta", "il mio account", "profilo", "profile",
        "profil", "perfil", "my page", "membership area", "details", "view details", "kundenkonto",
        *idioms.AREAS,
    )),
    (3, words(
        "help", "faq", "support", "hilfe", "aide", "ayuda", "assistenza", "help center",
    )),
)  # fmt: skip
MENU = words(
    "more", "more options", "options", "menu", "actions", "other options", "show more", "mehr",
    "weitere optionen", "optionen", "plus d options", "autres options", "mas opciones", "mas",
    "altro", "altre opzioni", "opzioni", "open menu", "kebab", "dots", "advanced", "see more",
    "show all", "menue", "overflow",
)  # fmt: skip
NO_WAY = words(
    "history", "invoices?", "receipts?", "rechnungen", "factures?", "facturas", "fatture",
    "log ?out", "sign out", "abmelden", "deconnexion", "cerrar sesion", "esci", "privacy", "terms",
    "legal", "imprint", "impressum", "datenschutz", "agb", "home", "card", "payment methods?",
    "download", "address", "password", "gift", "invite", "notifications?", "language", "newsletter",
    "contact", "about", "careers", "press", "blog", "agree", "sign up", "shop", "store",
    "startseite", "buscar", "search", "kontakt", r"deconn\w*", "salir", "ausloggen",
)  # fmt: skip

# Only outside the web.
BY_HAND = words(
    "call (?:us )?.{0,30} to cancel", "to cancel .{0,30} call", "by (?:tele)?phone",
    "over the phone", "by telephone", "phone us", "ring us", "give us a call",
    "certified (?:mail|letter)", "by post", "in writing", "written notice", "in person",
    "send (?:us )?a letter", "at (?:your|the) (?:home )?club", "cannot be cancell?ed online",
    "can t be cancell?ed online", "only .{0,20}by (?:phone|telephone|post|letter|mail|e mail)",
    "speak (?:to|with) .{0,30}", "call (?:our|the) .{0,30}", "telefonisch", "schriftlich",
    "per post", "per brief", "rufen sie .{0,20}an", r"nur .{0,15}telefon\w*", "par telephone",
    "par courrier", "lettre recommandee", "appelez .{0,20}", "por telefono", "por escrito", "carta",
    "llame .{0,20}", "llama .{0,20}", "per telefono", "raccomandata", "chiama .{0,20}",
    "front desk", "our team .{0,20}by phone", "member services",
    "visit .{0,20}(?:branch|store|studio|club|desk)", *idioms.BY_HAND,
)  # fmt: skip
MAIL = words(
    "check your (?:inbox|email|e mail|mail)",
    "sent (?:you )?(?:a|an) (?:link|email|e mail|message)", "sent a link",
    "link in the (?:email|e mail|mail|message)", "confirm (?:it )?(?:by|via) (?:email|e mail|mail)",
    "follow the link", "click the link", "emailed you", "e mailed you", "confirmation link",
    "until you confirm", "wait for your confirmation", "waiting for your confirmation",
    "open the link", "posteingang", "link in der (?:mail|e mail)", "per e mail bestatigen",
    "boite de reception", "lien dans", "lien de confirmation", "bandeja de entrada",
    "enlace de confirmacion", "casella di posta", "link di conferma",
    "warten auf .{0,12}bestatigung", "awaiting (?:your )?confirmation", "one more click",
    "sent you (?:a|an) .{0,20}(?:link|mail|email|e mail)", "confirm from your (?:inbox|email|mail)",
    *idioms.MAIL,
)  # fmt: skip
ROBOT = words(
    "robot", "bot", "captcha", r"\w*captcha", "human", "humain", "humano", "umano", "mensch",
    "roboter",
)  # fmt: skip
BROKEN = words(
    "something went wrong", "an error occurred", "error has occurred", "try again",
    "internal server error", "unexpected error", "service unavailable", "temporarily unavailable",
    "bad gateway", "page isn t working", "etwas schiefgegangen", "ist ein fehler aufgetreten",
    "versuchen sie es", "une erreur", "reessayez", "se ha producido un error", "intentalo de nuevo",
    "si e verificato un errore", "riprova", "oops", "schiefgegangen", "not available right now",
    r"http error 5\d\d", "algo salio mal",
)  # fmt: skip
NOT_DONE = words(
    "nothing (?:has )?(?:been )?changed", "still active(?! until)", "not (?:been )?cancell?ed",
    "could not", "couldn t", "unable to", "noch aktiv(?! bis)", "nicht gekundigt",
    "toujours actif(?! j)", "sigue activa(?! h)", "ancora attivo(?! f)", "has been paused",
    "is paused", "is now paused", "glad you", "thanks for staying", "welcome back",
    "has been applied", "discount is active", "is pausiert", "ist pausiert",
)  # fmt: skip
AGAIN = words(
    r"restart\w*", r"resum\w*", r"reactivat\w*", "renew", "resubscribe", "subscribe again",
    "join again", "rejoin", "come back", "turn .{0,16}(?:back )?on", "undo .{0,16}",
    "continue membership", "continue subscription", "start again", "switch .{0,16}on",
    r"enable .{0,16}renew\w*", "bring .{0,12}back", "reaktivieren", "zurucknehmen",
    "wieder aktivieren", "verlangern", "fortsetzen", "erneut abonnieren", "reactiver", "reprendre",
    "se reabonner", "reactivar", "reanudar", "volver a suscribirse", "riattiva", "riprendi",
    "abbonati di nuovo", "reinstate", "sign up again", "begin again",
    *idioms.AGAIN,
)  # fmt: skip
OVER = words(
    "cancell?ed", "(?:has |have )?ended", "will end on", "ends(?! (?:in|with))", "expires?",
    "expires on", "won t renew", "will not renew", "does not renew", "not renew",
    "auto renew(?:al)? (?:is )?off", "cancels", "cancels on", "access until", "active until",
    "available until", "valid until", "no further (?:payments?|charges?)", "not be charged again",
    "won t be charged", "will not be charged", "stopped", "terminated", "is off", "turned off",
    "closed", "gekundigt", "endet", "lauft aus", "lauft ab", "beendet", "zugang bis",
    "keine weitere", "nicht verlangert", "resilie", "resiliee", "prend fin", "prendra fin",
    "expire", "annule", "cancelada", "cancelado", "finaliza", "termina(?! (?:con|en|in) )",
    "caduca", "disdetto", "annullato", "scade", "cancellato", "no se renovara", "non si rinnova",
    "ne sera pas renouvele", r"no longer renew\w*", "last day", "final day", "no upcoming",
    "nothing (?:more )?(?:is )?due", "unsubscribed", *idioms.OVER,
)  # fmt: skip
DECLINE = words(*idioms.DECLINE)
RATES = words(*idioms.RATES)
REQUIRED = words(*idioms.REQUIRED)
RENEWS_ITSELF = words(*idioms.RENEWAL)
THINGS = words(*idioms.THINGS)
SUBSCRIPTION = words(*idioms.SUBSCRIPTION)
TO_FREE = re.compile(idioms.TO_FREE)
WANTS_FREE = words(*idioms.WANTS_FREE)

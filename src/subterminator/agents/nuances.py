"""Small words that turn large ones round: instead of, undo, ordinary, received. Data only.

Folded like everything in `vocabulary`. What a single word cannot say is said here by two in a row.
"""

from __future__ import annotations

import re

from subterminator.agents.vocabulary import words

# What follows is not what happens: `Pause instead of cancelling`.
INSTEAD = words(
    "instead of", "rather than", "in place of", "before you", "statt", "anstatt", "anstelle",
    "bevor (?:sie|du)", "au lieu (?:de|d)", "plutot que(?: de)?", "avant de", "en lugar de",
    "en vez de", "antes de", "invece (?:di|della|del)", "anziche", "al posto (?:di|della|del)",
    "prima di",
)  # fmt: skip

# Calling off an end that is planned, or a change: that brings the subscription back.
_UNDO = (
    r"(?:cancel|undo|withdraw|revoke|reverse|retract|stop|discard|abort|reject|revert|take back|"
    r"annuler|retirer|revoquer|abandonner|anular|cancelar|deshacer|retirar|revocar|detener|"
    r"annulla(?:re)?|revoca(?:re)?|ritira(?:re)?|interrompi)"
)
_PLANNED = (
    r"(?:change|changes|cancellation|cancelation|termination|request|downgrade|switch|move|"
    r"end date|deactivation|expiry|modification|changement|resiliation|demande|cambio|cancelacion|"
    r"baja|solicitud|modifica|disdetta|richiesta|disattivazione|recesso|cessazione|passaggio)"
)
_PLANNED_DE = (
    r"\w*(?:kundigung|anderung|wechsel|herabstufung|antrag|umstellung|vormerkung|abmeldung)"
)
_UNDO_DE = (
    r"(?:widerrufen|zurucknehmen|zuruckziehen|ruckgangig(?: machen)?|aufheben|stornieren|abbrechen|"
    r"verwerfen|loschen|annullieren|stoppen)"
)
UNDO = re.compile(
    rf"(?<= ){_UNDO} (?:(?!or |and |ou |o |e |et |y |my |mon |mi |il mio |la mia )\w+ ){{0,3}}"
    rf"{_PLANNED}(?= )(?! (?:or|and) )"
    rf"|(?<= ){_PLANNED_DE} (?:\w+ )?{_UNDO_DE}(?= )"
    rf"|(?<= ){_UNDO} (?:my|mon|ma|mi|la mia|il mio) {_PLANNED}(?= )"
)

# Which of several ends: the one in due time, and those for special cases that want a proof.
ORDINARY = words(
    r"ordentliche?\w*", "fristgerecht\\w*", r"zum nachstmoglichen \w+", r"nachstmoglich\w*",
    "regular", "ordinary", "standard", "next possible (?:date|time)", "earliest possible",
    "in due time", "ordinaire", r"a l echeance", "prochaine echeance", "des que possible",
    "a la fin de", "ordinari[oa]", "al vencimiento", "lo antes posible", "proximo vencimiento",
    "alla scadenza", "prossima scadenza", "prima data utile", "prima possibile",
)  # fmt: skip
SPECIAL = words(
    r"ausserordentlich\w*", r"fristlos\w*", r"wichtige[mnrs]? grund\w*", r"nachweis\w*",
    r"sonderkundigung\w*", "umzug\\w*", r"todesfall\w*", r"verstorben\w*", r"widerruf\w*",
    "extraordinary", "special (?:case|reason|circumstances)", "good cause", "with proof",
    r"bereavement|deceased|death", "moving (?:house|abroad|away)", "medical", "on behalf",
    r"justificatifs?", "motif legitime", r"deces", "demenagement", "retractation", "anticipee",
    "justa causa", r"justificante\w*", "fallecimiento", "mudanza", "desistimiento",
    "giusta causa", "decesso", "trasloco", "documentazione", "anticipat[oa]", "ripensamento",
)  # fmt: skip

# Ends a visit to the site, and nothing else.
SIGNS_OUT = re.compile(
    r"^ (?:jetzt |me |se )?(?:abmelden|ausloggen|log ?out|sign ?out|log off|deconnecter|"
    r"deconnexion|cerrar (?:la )?sesion|salir|esci|logout|disconnetti|disconnettiti) $"
)
# Of a dialog that asks, its plain yes; beside an offer it takes that.
BARE_YES = re.compile(
    r"^ (?:accept|aceptar|acepto|accepter|j accepte|akzeptieren|accetta|accettare|accetto) $"
)
# Said by who answers, not by the site.
FIRST_PERSON = words(
    "i", "i m", "i ll", "i ve", "i d", "me", "my", "mine", "ich", "mich", "mir", r"mein\w*", "je",
    "j", "moi", "mon", "ma", "mes", "m", "yo", "mi", "mis", "quiero", "io", "mio", "mia", "voglio",
    "ho", "sono",
)  # fmt: skip
# A box that serves who leaves: it stays as it is.
SERVES = words(
    r"refund\w*", "money back", "receipt", r"confirmation\w*", "copy", r"\w*erstatt\w*",
    r"\w*bestatigung\w*", "kopie", "beleg", r"rembours\w*", "accuse de reception", "copie",
    r"reembols\w*", r"devol\w*", r"confirmacion", "copia", "recibo", r"rimbors\w*", r"conferma\w*",
    "ricevuta",
)  # fmt: skip
# What somebody says of himself, beside what he asks for: `I have saved my files`, `Tell me more`.
STATES = re.compile(r"^ (?:i|i m|i ve|ich|mir ist|je|j|yo|he|soy|io|ho|sono) ")
# What a box adds that was not asked for.
ADDS = words(
    "add", "adds", "adding", "also", "include", "extra", "insurance", "protection", "sign me up",
    "trial", "share my", "contact me", "call me", "ring me", "donate", r"hinzu\w*", "dazu",
    r"zusatz\w*", "kontaktieren", "anrufen", r"ajout\w*", "rappele[rz]?", "contacter",
    r"anad\w*", "agregar", "llamadme", "llamarme", "contactar\\w*", r"aggiung\w*", "richiamatemi",
    "contattatemi", "versicherung", "assurance", "seguro", "assicurazione",
)  # fmt: skip

# A button with these words opens something to look at; others may do what they say.
OPENS = re.compile(
    r"^ (?:manage|view|see|show|open|go to|edit|review|check|look at|visit|access|"
    r"zu|zur|zum|gerer|voir|consulter|afficher|acceder|ouvrir|ver|gestionar|administrar|abrir|"
    r"consultar|ir a|gestisci|vedi|visualizza|apri|vai|mostra) "
    r"| (?:verwalten|anzeigen|ansehen|offnen|einsehen|aufrufen|details|overview|settings|portal) $"
)
FILLERS = words(
    "my", "your", "the", "and", "of", "more", "all", "a", "mein", "meine", "ihr", "ihre", "und",
    "der", "die", "das", "mon", "ma", "mes", "votre", "vos", "le", "la", "les", "l", "et", "du",
    "de", "mi", "mis", "tu", "tus", "el", "los", "y", "il", "lo", "i", "mio", "mia", "miei", "e",
    "del", "dell", "center", "centre", "area", "page", "info", "information",
)  # fmt: skip

# The wish to leave has arrived, and somebody has still to say yes to it.
LEAVING = (
    r"(?:cancell?ation|request to (?:cancel|leave|end)|(?:cancel|leav)\w* request|notice|"
    r"termination|\w*kundigung\w*|resiliation|demande|baja|cancelacion|solicitud|disdetta|"
    r"recesso|richiesta|disattivazione|request)"
)
_ARRIVED = (
    r"(?:received|arrived|under review|in review|being (?:reviewed|processed|checked)|"
    r"in progress|is pending|pending review|to be confirmed|not yet (?:confirmed|final)|"
    r"(?:bei uns )?eingegangen|(?:wird|werden) (?:noch )?(?:gepruft|bearbeitet)|in bearbeitung|"
    r"in prufung|erhalten|bien recue?|recue?|en cours (?:de|d) (?:traitement|examen|etude)|"
    r"en cours|en attente|sera (?:traitee|examinee)|recibida|en tramite|en (?:curso|revision|"
    r"proceso)|en tramitacion|pendiente|ricevuta|in (?:lavorazione|corso|attesa|elaborazione)|"
    r"presa in carico|in fase di)"
)
RECEIVED = re.compile(
    rf"(?<= ){LEAVING}(?= )[^¶]{{0,60}}? {_ARRIVED}(?= )"
    r"|(?<= )(?:we (?:have |ve )?(?:received|got)|wir haben|nous avons (?:bien )?recu|"
    rf"hemos recibido|abbiamo ricevuto)(?= )[^¶]{{0,30}}? {LEAVING}(?= )"
    r"|(?<= )(?:eingangsbestatigung|accuse de reception|acuse de recibo|ricevuta di ricezione)(?= )"
    r"|(?<= )(?:we ll|we will|our team will|an agent will|someone will) (?:\w+ )?"
    r"(?:call you|write to you|contact you|be in touch|get back to you|confirm)[^¶]{0,60}(?= )"
)
# Of these an end is certain without another sign.
SETTLED = words(
    "(?:won t|will not|does not|doesn t|not|no longer|never) (?:auto )?renew", "not be renewed",
    "(?:won t|will not|not) be (?:billed|charged|debited)(?: again)?",
    "no longer (?:be )?(?:billed|charged)", "(?:is|was|has been|been|status) cancell?ed",
    "set to (?:end|expire|cancel)", "non renewing", "scheduled to (?:end|cancel|be cancell?ed)",
    "cancell?ed (?:on|by you)", "cancels on",
    "renewal (?:is )?(?:now )?(?:turned )?(?:off|disabled|cancell?ed)",
    "recurring (?:billing|payments?) (?:is |are )?(?:now )?(?:turned )?(?:off|disabled|stopped)",
    "(?:ist|wurde|bereits) .{0,24}gekundigt", "gekundigt (?:zum|am|per)", "verlangert sich nicht",
    "nicht (?:mehr )?(?:automatisch )?verlangert", r"kundigung (?:bestatigt|vorgemerkt|wirksam)",
    "(?:est|a ete|bien) resiliee?", "ne sera (?:pas|plus) (?:renouvele|reconduit|preleve)e?",
    "ne se renouvelle(?:ra)? pas", "resiliation (?:confirmee|programmee|enregistree)",
    "no se renov(?:ara|ara mas)", "no se renueva", "dad[oa] de baja", "ha sido cancelad[oa]",
    "baja (?:confirmada|programada|tramitada)", "esta cancelad[oa]", "non si rinnov\\w+",
    "non (?:verra|sara) (?:piu )?rinnovat[oa]",
    "(?:e stat[oa]|sara) (?:disdett|disattivat|annullat)[oa]",
    r"disdetta (?:confermata|registrata|programmata)", "rinnovo (?:automatico )?disattivato",
    "no (?:further|more) (?:payments?|charges|bills)", "nichts mehr (?:abgebucht|berechnet|fallig)",
    "nicht mehr (?:abgebucht|berechnet)", r"keine weiteren (?:abbuchung|zahlung)\w*",
    "plus aucun prelevement", "no habra mas (?:cobros|cargos|pagos)", "no te cobraremos mas",
    "nessun (?:altro|ulteriore) (?:addebito|pagamento)", "non ci saranno altri addebiti",
)  # fmt: skip
# Its own end is that of a card, a code or a session, not of a subscription.
OF_A_CARD = words(
    "card", "cards", "visa", "mastercard", "amex", "karte", "kreditkarte", "carte", "tarjeta",
    "carta", "voucher", "code", "session", "link", "offer", "angebot", "offre", "oferta",
)  # fmt: skip
# Of a box that turns the renewal on and off: not one that only asks to be told of it.
REMINDS = words(
    r"remind\w*", r"notif\w*", "tell me", "let me know", "e ?mail", r"erinner\w*",
    r"benachricht\w*", r"rappel\w*", r"prevene\w*", r"avis\w*", r"recuerd\w*", r"ricord\w*",
    r"avvis\w*",
)  # fmt: skip
PHONE = re.compile(r"(?:\+|\b0|\b1[-. ])\d[\d ()/.-]{5,}\d")
LOCAL_PHONE = re.compile(r"(?<![-\d])\d{3}[-. ]\d{4}(?![-\d])")
MAILBOX = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# It says that this is not done on the site.
_SITE = r"(?:web ?site|site|page|portal|app|internet|web|website|seite|sito|pagina)"
NOT_ONLINE = re.compile(
    r"(?<= )(?:cannot|can t|can not|not|isn t|unable|nicht|kein\w*|pas|no|non)(?= )[^¶]{0,60}? "
    rf"(?:online|yourself|selbst|en ligne|en linea|on (?:the|our|this) {_SITE}|in (?:the|our) app|"
    rf"(?:uber|auf) (?:die|der|diese[rn]?|unsere[rn]?) {_SITE}|sur (?:le|ce|notre) {_SITE}|"
    rf"(?:desde|en|por) (?:la |el |esta |este |nuestra )?{_SITE}|"
    rf"(?:dal|sul|su questo|nel) {_SITE})(?= )"
    r"|(?<= )online(?= )[^¶]{0,40}? nicht(?= )"
)
# Keeps what was set in a form.
SAVES = re.compile(
    r"^ (?:save|update|apply|confirm|submit|ok|speichern|ubernehmen|aktualisieren|sichern|"
    r"enregistrer|appliquer|valider|guardar|aplicar|actualizar|salva|applica|aggiorna|conferma)"
    r"(?: (?:my |the |les |mes |los |le )?(?:changes?|settings|preferences|anderungen|"
    r"einstellungen|modifications|cambios|ajustes|modifiche|impostazioni))? $"
    r"|^ (?:anderungen|einstellungen) (?:speichern|ubernehmen|sichern) $"
)

"""Other ways in which sites say the same: turns of phrase beside the plain words. Data only.

`vocabulary` joins these to its classes; everything here is folded, as it says there.
"""

from __future__ import annotations

# What ends it. To leave something on, or as it is, is to stay.
LEAVE = (
    r"leave(?! (?:it |this |that |everything |things )?(?:on|as|unchanged|running|alone) )",
    r"let (?:it|my|your|the|this) .{0,24}(?:lapse|expire|run out|go)", "lapse",
    "run its course", "call it quits", "pull out", "no longer want", "give (?:it|this) up",
    "hand (?:it )?back", "get out of", "opt me out", r"not (?:\w+ )?renewing", "take me off",
    r"nicht (?:mehr )?(?:\w+ )?verlanger\w*", "auslaufen", "abschalten", "trennen", "abspringen",
    r"ne (?:\w+ )?(?:pas|plus) (?:\w+ )?renouvel\w*", r"desengag\w*", "mon depart", "votre depart",
    "stopper", r"clotur\w* (?:mon|votre|l) \w+", "m en aller", "laisser expirer",
    r"no (?:\w+ ){0,2}renov\w*", "marcharme", "irse", "me voy", "dejarlo", "dejarla",
    r"non (?:\w+ ){0,3}rinnov\w*", "andarmene", "me ne vado", "smettere", "recedi",
    "chiud(?:i|ere) (?:l |il )?(?:mio )?(?:abbonamento|contratto)", "lasciar scadere",
    r"turn .{0,24} off", r"switch .{0,24} off", r"deactivat\w*(?! (?:my |your |the )?account)",
    "no renewal", "do not (?:auto )?renew", r"stop (?:sending|shipping|delivering|paying|billing)",
    "let it (?:end|go)", "finish (?:my|the|your) (?:subscription|membership|plan)", "resign",
    "no more (?:boxes|deliveries|issues|payments)", "revoke (?:my|the) (?:subscription|mandate)",
    "austritt", "ausstieg", "aufgeben", "stoppen", "loswerden", "abstellen", "auflosen",
    "rompre", r"denonc\w*", r"cess(?:er|ez)", "interrompre", "fin (?:de|a) (?:mon|l|votre) \\w+",
    "ne (?:pas|plus) (?:renouveler|reconduire)", "me retirer", "en finir", "je pars",
    "darte de baja", r"desuscri\w*", r"desapunt\w*", r"cancela (?:mi|tu|la|el) \w+", "desactiva",
    r"detener (?:la|mi|el|tu) \w+", "abandonar", "poner fin", "salirme", "quitar la renovacion",
    "termina (?:il|l|la|mi|tu|el) .{0,20}", r"cess(?:a|azione)", r"abbandon\w*", "fermare",
    "ferma (?:il|l|la) .{0,20}", r"blocca(?:re)? (?:il )?rinnovo", "spegni(?:re)? (?:il )?rinnovo",
    "chiusura (?:del |dell )?(?:contratto|abbonamento)", "non renewal", "nichtverlangerung",
    r"(?:don t|do not|no longer|not) (?:want|wish|need|plan) (?:\w+ ){0,2}(?:renew|continue)\w*",
    "non renouvellement", "no renovacion", "mancato rinnovo",
)  # fmt: skip
# What keeps it, and what takes what is offered.
STAY = (
    "leave (?:it |this |that |everything |things )?(?:on|as|unchanged|running|alone)",
    "count me in", "bin dabei", "lass(?:en)? wie es ist", "eingeschaltet lassen", "j en profite",
    "je prends", "laisser active", "me apunto", "dejar (?:como|activad)\\w*", "ci sto",
    "lascia(?:re)? attivo",
    "hang on to", "not leaving", "don t go", "weiter (?:dabei|nutzen|geniessen|beziehen)",
    r"weiterhin \w+", "ich bleibe", "je reste", r"poursuivre (?:mon|l|votre) abonnement",
    r"continuer (?:mon|l|votre|avec mon) (?:abonnement|aventure)", "seguir disfrutando",
    r"permanec\w*", r"continuar (?:con )?(?:mi|tu|la) (?:suscripcion|plan)", "resto con voi",
    r"continua (?:con )?(?:il|l) (?:mio )?(?:abbonamento|piano)", "rimango", "mi tengo", "mantieni",
    "conserva",
)  # fmt: skip
# Goes on without saying to what.
FORWARD = (
    "start", "begin", "commencer", "demarrer", "empezar", "comenzar", "iniziare", "inizia",
    "comincia", "beginnen", "starten", "suivante", "etape", "siguientes", "inoltra(?:re)?",
)  # fmt: skip
# Says yes at the beginning of a label, or no.
YES = (
    "correct", "exactly", "that s (?:right|correct|true)", "of course", "absolutely", "definitely",
    "stimmt(?! nicht)", "richtig", "genau", "exact", "exactement", "c est (?:exact|bien ca|vrai)",
    "tout a fait", "d accord", "correcto", "exacto", "asi es", "claro", "vale", "de acuerdo",
    "esatto", "corretto", "certo", "va bene", "d accordo",
)  # fmt: skip
NO = (
    "that s (?:not (?:true|right|correct)|wrong|false)", "not true", "wrong", "incorrect",
    "stimmt nicht", "falsch", "faux", "c est faux", "ce n est pas vrai", "falso", "no es cierto",
    "incorrecto", "sbagliato", "non e vero",
)  # fmt: skip
# Says yes to being written to, where that is the way out.
AGREE = (
    "(?:send|mail|email|e mail) me .{0,20}link", "(?:send|request|get) (?:the|a|my) link",
    r"link (?:an)?(?:fordern|senden|schicken)", "schick(?:en sie)? mir .{0,20}link",
    "(?:envoyez moi|m envoyer|recevoir) .{0,20}lien", "(?:enviame|enviar|recibir) .{0,20}enlace",
    "(?:inviami|mandami|ricevi|invia) .{0,20}link",
)  # fmt: skip
# Wants nothing of what is offered.
DECLINE = (
    "none of (?:these|them|those|the above)", "neither(?: of (?:these|them))?", "no offers?",
    "without (?:the |an |any )?(?:offer|discount|gift)", "(?:i m )?not interested", "not for me",
    "skip (?:the |all |these )?offers?", "pass on (?:it|this|these)", "keines? (?:davon|der|von)",
    "kein interesse", "ohne (?:das )?angebot", "aucune? de ces", "aucune? des", "pas interesse",
    "sans (?:l )?offre", r"renonce\w*", "ninguna? de (?:estas|estos|las|los)", "no me interesan?",
    "sin (?:la )?oferta", "nessun[oa] (?:di quest[ei]|delle|dei)", "non mi interessano?",
    "senza (?:l )?offerta", "rinuncio",
)  # fmt: skip
OFFER = (
    "(?:a |the )?(?:quarter|half|third) off", "off the price", "breather", "time off", "auszeit",
    "ruhen lassen", r"beurlaub\w*", "un repos", r"descans\w*", "riposo", "months? for nothing",
    "for nothing", "bring a friend",
    "instead", "stattdessen", "a la place", "en su lugar", "invece", r"beitragspause", "pausen?",
    r"\w*pause", "hibernate", "suspend", "suspender", "congelar", "geler", "congela\\w*",
    "hide", r"masqu\w*", "ausblenden", "ocultar", "nascond\\w*", "prix reduit", "meilleur prix",
)  # fmt: skip
# What would bring it back.
AGAIN = (
    "(?:send|start|order|deliver|ship|activate|use) (?:it |me |them |this )?again",
    "take (?!me )(?:my|your|the) .{0,20}back", "back to (?:premium|pro|plus|paid)", "stay a member",
    "be a member again", "wieder (?:einsteigen|aufnehmen|starten|dabei)", "weiter beziehen",
    "reprendre .{0,20}", "revenir chez nous", "volver a .{0,16}(?:alta|suscrib|activar).{0,8}",
    "darme de alta", r"riattiva\w*", "torna con noi", r"riabbona\w*",
    r"continue (?:my |your |the )?(?:plan|renewal|billing)", r"stay on (?:\w+ )?\w+",
    "pick .{0,16}up again", "don t (?:end|stop|cancel) (?:my|the) .{0,20}",
    r"\w* ?doch (?:behalten|weiter\w*)", "wieder(?:aufnehmen|herstellen| einschalten)",
    r"reactiva\w*", r"renova\w*(?! automatica)", r"me reabonner", r"reabonn\w*", "reprendre",
    r"retablir\w*", r"restablec\w*", r"recuperar\w*", "ripristina", r"rinnova(?: ora| adesso)?",
    "riprendere",
)  # fmt: skip
# It has ended or will.
OVER = (
    "runs? out(?: on)?", "lapses(?: on)?", "winds? down", "winding down", "given up",
    "no longer (?:sent|delivered|shipped|billed|charged|renewed|active|a member)",
    "no (?:further |more )?payments? (?:is |are )?(?:planned|due|scheduled|expected)",
    "you (?:will )?leave .{0,40} on", "nicht mehr (?:verlangert|abgebucht|berechnet)",
    "ausgelaufen", "abbestellt", "storniert zum", "avec effet au",
    "ne sera plus (?:preleve|renouvele)", "sans nouveau prelevement", "dad[oa] de baja",
    r"(?<=^ )de baja(?= $)", "no te cobraremos", "no se cobrara", "non ti addebiteremo",
    "non sara rinnovato", "disdetta (?:confermata|completata)", "is ending", "ending (?:on|soon)",
    "set to (?:end|expire|cancel|lapse)", "non renewing", "not renewing",
    r"scheduled to (?:end|cancel|be cancell?ed)", "expired", "lapsed", "inactive",
    "(?:won t|will not|not) be (?:billed|debited|renewed)", "no more (?:payments|charges|bills)",
    "(?:changes?|switch(?:es)?|moves?|reverts?|drops?|downgrades?) to (?:the )?(?:\\w+ )?free",
    "recurring (?:billing|payments?) (?:is |are |has been )?(?:now )?(?:turned )?(?:off|disabled)",
    "(?:premium|plus|pro|plan|membership|subscription) until", "final (?:bill|invoice|issue|box)",
    "no active (?:subscription|membership|plan)s?", "no longer (?:have|on) .{0,24}",
    "don t have an? (?:active )?(?:subscription|membership|plan)", "you re on the free \\w+",
    r"kundigung (?:bestatigt|vorgemerkt|wirksam|erfolgt)", "vorgemerkt zum", "auslaufend",
    "lauft (?:noch )?bis", "lauft am .{0,24} (?:aus|ab)", "verlangert sich nicht", "mitglied bis",
    r"nicht (?:mehr )?(?:automatisch )?verlanger\w*", "nichts mehr (?:abgebucht|berechnet)",
    r"keine (?:weiteren )?(?:abbuchung|zahlung|beitrag)\w*", "inaktiv", "abgemeldet", "noch bis",
    "kein (?:aktives )?(?:abo|abonnement)", "keine (?:aktive )?mitgliedschaft", "a pris fin",
    "se terminera", "se termine(?! par )", "non renouvelee?", "fin (?:prevue|programmee)",
    r"ne sera (?:pas|plus) (?:renouvele|reconduit|preleve|facture)\w*", "arretee? le", "inactif",
    r"ne se renouvelle(?:ra)? pas", "desactivee?", r"ne serez plus (?:preleve|facture|debite)\w*",
    r"resiliation (?:confirmee|programmee|prise en compte|enregistree|effective)",
    "aucun (?:autre |nouveau )?prelevement", "plus aucun prelevement", "aucun abonnement",
    "actif jusqu", "valable jusqu", "acces jusqu", "no se renueva", "finalizara", "terminara",
    "baja (?:confirmada|programada|tramitada|efectiva|realizada)", "se dara de baja", "vence el",
    r"(?:activ|valid)[oa] hasta", "acceso hasta", "sin (?:mas |nuevos )?cobros", r"inactiv[oa]",
    r"no (?:habra|se haran) (?:mas|nuevos) (?:cobros|cargos|pagos)", "caducara",
    "renovacion (?:automatica )?(?:desactivada|cancelada)", "sin suscripcion",
    r"disdett[oa](?! (?:il|la|l|online)\b)", r"disattivat[oa]", "in disattivazione", r"cessat[oa]",
    r"terminat[oa]", "scadra", "terminera", r"(?:valid|attiv)[oa] fino", r"non si rinnov\w+",
    r"non (?:verra|sara) (?:piu )?rinnovat[oa]", "rinnovo (?:automatico )?disattivato",
    r"nessun (?:altro |ulteriore )?(?:addebito|pagamento|rinnovo)", "nessun abbonamento",
    r"non ci saranno (?:altri|ulteriori) (?:addebiti|pagamenti)",
    "recesso (?:confermato|registrato)",
)  # fmt: skip
# It waits for a link that was sent.
MAIL = (
    "apri il link", "apra il link", "link nell (?:e mail|email)", "ti abbiamo (?:scritto|inviato)",
    "attesa della tua conferma", "aspettiamo la tua conferma", "clicca sul link",
    "controlla la (?:tua )?(?:posta|e mail|email)", "abre el enlace", "enlace (?:del|en el) correo",
    "revisa tu correo", "esperamos tu confirmacion", "espera de tu confirmacion",
    "ouvrez le lien", "cliquez sur le lien", "consultez vos e ?mails",
    "attente de votre confirmation",
    "attendons votre confirmation", "offnen sie den link", "klicken sie auf den link",
    "link in unserer (?:mail|e mail)", "prufen sie ihr(?:e|en) (?:mails|posteingang|e mails)",
)  # fmt: skip
NEWS = (
    "novita", "novedades", "nouveautes", "neuigkeiten", "infobrief", "bollettino", "bulletin",
    "digest", "mailing list", "lettre d information", "communications?", "comunicazioni",
    "comunicaciones", "mitteilungen", "alerts?", "avisos",
)  # fmt: skip
# What refuses cookies that are not needed.
COOKIES_NO = (
    r"solo (?:i |quelli )?(?:cookie )?(?:necessari|essenziali|tecnici)\w*",
    r"solo (?:las |los )?(?:cookies )?(?:necesari|esencial|tecnic)\w*", "sin aceptar",
    r"(?:seulement|uniquement) (?:les )?(?:cookies )?(?:necessaire|essentiel)\w*",
    r"nur (?:die |technisch )?(?:notig|notwendig|essenziell|erforderlich)\w*", "senza accettare",
    "just the (?:necessary|essential)(?: ones)?",
)  # fmt: skip
SILENT = (
    "none of your business", "geht sie nichts an", "keine antwort", "sans reponse", "no contestar",
    "non rispondere",
)  # fmt: skip
# A field that must not stay empty, where only its label says so.
REQUIRED = (
    "required", "mandatory", "must be filled", "pflichtfeld", "erforderlich", "obligatoire",
    "requis", "obligatorio", "requerido", "obbligatorio", "richiesto",
)  # fmt: skip
# What is turned off to end it, and on to go on.
RENEWAL = (
    "auto renew", "auto renewal", "autorenew(?:al)?", "renew automatically", "renews? itself",
    "automatic renewals?", "automatic payments?", "recurring (?:billing|payments?)",
    r"automatisch (?:verlangern|erneuern)", r"automatische \w*verlangerung", "autoverlangerung",
    "renouvellement automatique", "renouveler automatiquement", "reconduction(?: automatique)?",
    "renovacion automatica", "renovar automaticamente", "rinnovo automatico",
    "rinnova(?:re)? automaticamente", "renewal",
)  # fmt: skip
# Something that is not the subscription, and can be called off too.
THINGS = (
    "orders?", "deliver(?:y|ies)", "bookings?", "tickets?", "appointments?", "reservations?",
    "parcels?", "shipments?", "purchases?", "returns?", "trips?", r"bestellung(?:en)?",
    r"lieferung(?:en)?", r"buchung(?:en)?", "pakete?", "termine?", r"commandes?", "livraisons?",
    "billets?", "achats?", "rendez vous", "pedidos?", "envios?", "entradas", "reservas?", "citas?",
    "compras?", "ordin[ei]", "consegn[ae]", "prenotazion[ei]", "bigliett[io]", "acquisti",
    "class(?:es)?", "lessons?", "visits?", "flights?", "rides?", r"sendung(?:en)?", "kurse?",
    r"\w*stunden?", r"reservierung(?:en)?", "besuche?", "colis", "expeditions?", "cours",
    "seances?", "clases?", "paquetes?", "visitas?", "sesion(?:es)?", r"spedizion[ei]",
    "pacc(?:o|hi)", "lezion[ei]", "appuntament[oi]", "visit[ae]",
)  # fmt: skip
SUBSCRIPTION = (
    r"subscri\w+", r"member\w*", "plans?", "passe?s?", "renewals?", "premium", r"abos?", r"\w*abo",
    r"abonn\w+", "vertrag", r"mitglied\w*", "tarif", "forfait", "formule", r"suscri\w+",
    r"abbonament\w+", "contratto", "contrato", "contrat", "contract",
)  # fmt: skip
# The plan that costs nothing, by its whole label, and a person who wishes for it.
FREE = r"(?:free|kostenlos\w*|gratis|gratuit\w*)"
TO_FREE = (
    r"^ (?:(?:choose|select|pick|take|use|go with|go|move to|switch to|change to|downgrade to|"
    r"continue with|continue to|start with|wahlen|weiter mit|wechseln zu|choisir|passer a|elegir|"
    r"pasar a|scegli|passa a|continuer avec|continuar con|continua con) )?"
    rf"(?:the |our |das |le |la |el |il )?{FREE}"
    r"(?: (?:plan|tier|version|account|forever|wahlen))? $"
)
WANTS_FREE = (
    rf"{FREE} (?:one|plan|version|tier|account|konto|compte|cuenta|abo|formule)", "pay nothing",
    "plan gratuit", "plan gratuito", "piano gratuito", "nichts (?:mehr )?(?:be)?zahlen",
    "ne (?:plus )?rien payer", "no pagar nada", "non pagare (?:piu )?nulla",
)  # fmt: skip
# What the press would do, as the last page says it.
EFFECT = (
    "have access until", r"remains? (?:active|available|open) until", "from then on",
    "on that (?:day|date)", "(?:won t|will not|not) be (?:billed|renewed)",
    "no more (?:bills|deliveries|boxes)", "date of (?:effect|end)", "end date",
    "lauft (?:noch )?bis", "endet mit", "voraussichtliches ende",
    "nicht mehr (?:verlangert|abgebucht|berechnet|belastet)", r"verlier(?:en|st)", "letzter tag",
    "bis zum .{0,24} nutzen", "zum ende", "wirksam", "a compter du", "date d effet", "date de fin",
    r"ne sera (?:pas|plus) (?:renouvele|preleve|facture)\w*", "plus aucun prelevement",
    "dernier jour", "jusqu a la fin", r"etes vous certain\w*", "no se (?:renovara|cobrara)",
    "no te cobraremos", "ultimo dia", "fecha de (?:baja|fin)", "surtira efecto",
    "seguro que quieres", "hasta que", r"non si rinnov\w+", "potrai .{0,40} fino", "fino alla",
    r"non ti addebit\w+", "ultimo giorno", r"nessun (?:altro )?addebito",
    "data di (?:fine|cessazione)", "avra effetto", "dopo la scadenza", r"sicur[oa] di voler\w*",
)  # fmt: skip
# It goes on: the next payment.
DUE = (
    "auto renewing", "upcoming (?:payment|charge|invoice|renewal)",
    "renews? (?:automatically|every|each)", "next (?:issue|due|instal?lment|debit)",
    "will be (?:charged|billed|debited)", "next (?:donation|contribution|gift|premium)",
    r"nachste[rs]? (?:beitrag|einzug|zahltermin|verlangerung|lieferung|ausgabe|box|rate)",
    r"prochaine? (?:facturation|debit|livraison|box|mensualite|renouvellement)",
    "sera (?:renouvele|reconduit|preleve|debite)e?",
    r"proxim[oa] (?:factura|cargo|renovacion|recibo|envio|cuota)", "se renovara",
    r"prossim[oa] (?:rinnovo|fattura|consegna|rata|spedizione)", "si rinnovera",
    "verra (?:rinnovat[oa]|addebitat[oa])",
)  # fmt: skip
# A survey.
REASON = (
    "weshalb", "wieso", "grunde", "ruckmeldung", "raisons", "motifs", "expliquez", "motivos",
    "razones", "cuentanos", "motivazione", "raccontaci", "dicci", "what led you", "let us know",
    "in short",
)  # fmt: skip
# It asks how content somebody was.
RATES = (
    "how (?:likely|satisfied|happy|did we do|was)", "rate (?:us|your|our)", "rating", "recommend",
    r"empfehl\w*", r"bewert\w*", "zufrieden", r"recommand\w*", "noter", "note", "satisfait\\w*",
    r"recomend\w*", r"valor\w*", r"satisf\w*", r"consigli\w*", r"valut\w*", r"soddisf\w*",
)  # fmt: skip
# It costs.
MONEY = (
    "charged", "billed", r"addebit\w*", r"debit\w*", r"cobr\w*", "abgebucht", "kostet", "coute",
    "cuesta", "costa",
)  # fmt: skip
# What a box has one say before the end.
ACKNOWLEDGES = (
    "i accept (?:that|losing)", "i realise", "i realize", "mir ist klar", "ich weiss",
    "zur kenntnis", "ich habe gelesen", "ich mochte", "ich will", "conscient\\w*",
    "pris connaissance", "je reconnais", "je sais", "je souhaite", "soy consciente", "he entendido",
    "se que", "quiero", "sono consapevole", "ho capito", "ho compreso", "prendo atto", "so che",
    "voglio", "dichiaro",
)  # fmt: skip
# Pages on which a subscription lives, and the areas that these are in.
PLACES = (
    "(?:my |your )?services(?: and .{0,14})?", r"licen[cs]es?", r"donations?", r"pledges?",
    "mein (?:tarif|vertrag)", "meine (?:produkte|vertrage|services)", "vertragsdaten", "laufzeit",
    r"patenschaft\w*", "spenden", "mitgliedsdaten", "(?:mon|l) offre", "ma formule", "mon forfait",
    "mes (?:services|contrats|offres)", "contrats?", "mis (?:servicios|productos|contratos)",
    "mi (?:plan|tarifa|contrato)", "contratos?", "(?:la )?mia (?:offerta|tariffa|linea)",
    "(?:i )?miei (?:servizi|contratti|prodotti)", "contratt[oi]", "adhesion",
)  # fmt: skip
AREAS = (
    "area (?:personale|clienti?|riservata)", "espace (?:client|perso|personnel|abonne|membre)",
    "mon espace", "area (?:de |del )?clientes?", "kundenbereich", "kundencenter", "mein bereich",
    "customer cent(?:er|re)", "members? area", "self service", "mi perfil", "i miei dati",
)  # fmt: skip
# Only outside the web.
BY_HAND = (
    "only .{0,20}in writing", "by fax", "per fax", "chiamaci", "llamanos", "appelez nous",
    "rufen sie uns", "lettera", "un courrier", "en agence", "en boutique", "in filiale",
    "en tienda", "pec", "unterschrieben\\w*", "signed (?:letter|form)",
    "(?:ring|phone|dial) (?:our|the|us|\\d).{0,30}",
)  # fmt: skip

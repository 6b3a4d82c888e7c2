"""The words people use for parts of a page, in five languages. Data only; all words are folded."""

from __future__ import annotations

BUTTONS = ("button", "menuitem", "tab", "switch", "generic", "link")
FIELDS = ("textbox", "searchbox", "combobox", "spinbutton", "date", "time", "datetime", "month", "week", "file")
CHECKS = ("checkbox", "switch", "menuitemcheckbox")
CHOICES = ("combobox", "listbox")

# The first role is the one meant, the others are what people may call so too.
ROLE_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("button", "btn", "icon", "knopf", "schaltflache", "taste", "bouton", "boton", "bottone", "pulsante"), BUTTONS
    ),
    **dict.fromkeys(("link", "hyperlink", "verweis", "lien", "enlace", "vinculo", "collegamento"), ("link", "button")),
    **dict.fromkeys(
        (
            "field", "box", "input", "textbox", "textfield", "text field", "text box", "input field", "entry field",
            "textarea", "text area", "feld", "textfeld", "eingabefeld", "eingabe", "champ", "champ de texte", "zone de texte",
            "campo", "campo de texto", "casella", "casella di testo", "campo di testo",
        ),
        FIELDS,
    ),
    **dict.fromkeys(
        (
            "checkbox", "check box", "tick box", "tickbox", "kontrollkastchen", "hakchen", "case a cocher", "case",
            "casilla", "casilla de verificacion", "casella di controllo", "spunta",
        ),
        CHECKS,
    ),
    **dict.fromkeys(
        ("radio", "radio button", "option button", "optionsfeld", "bouton radio", "boton de opcion", "pulsante di opzione"),
        ("radio", "menuitemradio"),
    ),
    **dict.fromkeys(("switch", "toggle", "schalter", "umschalter", "interrupteur", "interruptor", "interruttore"), ("switch", "checkbox", "button")),
    **dict.fromkeys(
        (
            "dropdown", "drop-down", "drop down", "select", "select box", "combobox", "combo box", "picker", "list box",
            "auswahl", "auswahlliste", "auswahlfeld", "liste deroulante", "menu deroulant", "desplegable",
            "lista desplegable", "menu a tendina",
        ),
        (*CHOICES, "button"),
    ),
    **dict.fromkeys(("tab", "reiter", "registerkarte", "onglet", "pestana", "linguetta"), ("tab", "link", "button")),
    **dict.fromkeys(("menu item", "menupunkt", "element de menu", "opcion de menu", "voce di menu"), ("menuitem", "option", "link")),
    **dict.fromkeys(("menu", "menue"), ("menu", "button", "combobox", "menubar")),
    **dict.fromkeys(("option", "choice", "opcion", "opzione", "choix"), ("option", "radio", "menuitem")),
    **dict.fromkeys(("slider", "schieberegler", "regler", "curseur", "deslizador", "cursore"), ("slider", "scrollbar")),
    **dict.fromkeys(("search box", "search field", "searchbox", "suchfeld", "champ de recherche", "buscador"), ("searchbox", "textbox", "combobox")),
    **dict.fromkeys(("number field", "spinbutton", "stepper", "zahlenfeld"), ("spinbutton", "textbox")),
    **dict.fromkeys(("date field", "date picker", "datumsfeld", "champ de date"), ("date", "textbox", "button")),
    **dict.fromkeys(("file field", "upload", "upload field", "dateifeld"), ("file", "button")),
    **dict.fromkeys(("image", "picture", "bild", "imagen", "immagine"), ("img", "link", "button", "generic")),
    **dict.fromkeys(("row", "zeile", "ligne", "fila", "riga"), ("row", "treeitem", "listitem")),
}  # fmt: skip

# Parts of a page that something can be in, and the roles they have.
CONTAINER_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("row", "line", "zeile", "reihe", "ligne", "rangee", "fila", "renglon", "riga"), ("row", "listitem", "treeitem", "article", "generic")),
    **dict.fromkeys(
        ("card", "item", "entry", "tile", "article", "karte", "kachel", "eintrag", "carte", "tuile", "tarjeta", "scheda", "voce"),
        ("article", "listitem", "row", "group", "generic", "option"),
    ),
    **dict.fromkeys(
        (
            "dialog", "dialogue", "dialog box", "popup", "pop-up", "modal", "overlay", "window", "dialogfenster", "fenster",
            "boite de dialogue", "fenetre", "dialogo", "ventana", "finestra", "finestra di dialogo",
        ),
        ("dialog", "alertdialog"),
    ),
    **dict.fromkeys(("frame", "iframe", "rahmen", "cadre", "marco", "riquadro"), ("iframe",)),
    **dict.fromkeys(
        (
            "section", "region", "area", "group", "panel", "fieldset", "block", "bereich", "abschnitt", "gruppe", "zone",
            "groupe", "seccion", "grupo", "sezione", "gruppo",
        ),
        ("region", "group", "radiogroup", "form", "tabpanel", "complementary", "search", "article", "toolbar", "heading"),
    ),
    **dict.fromkeys(("form", "formular", "formulaire", "formulario", "modulo"), ("form", "search")),
    **dict.fromkeys(("table", "grid", "calendar", "tabelle", "kalender", "tableau", "tabla", "tabella"), ("table", "grid", "treegrid")),
    **dict.fromkeys(("list", "liste", "lista", "elenco"), ("list", "listbox", "menu", "tree")),
    **dict.fromkeys(("navigation", "nav", "menu", "menu bar", "sidebar", "menue", "seitenleiste"), ("navigation", "menu", "menubar", "complementary")),
    **dict.fromkeys(("header", "banner", "kopfzeile", "en-tete", "cabecera", "intestazione"), ("banner",)),
    **dict.fromkeys(("footer", "fusszeile", "pied de page", "pie de pagina", "pie"), ("contentinfo",)),
    **dict.fromkeys(("toolbar", "werkzeugleiste", "barre d'outils", "barra de herramientas"), ("toolbar",)),
    **dict.fromkeys(("alert", "banner message", "warnung", "alerte", "aviso", "avviso"), ("alert", "alertdialog", "status")),
}  # fmt: skip

IN_WORDS = (
    "in", "inside", "inside of", "within", "of", "on", "im", "innerhalb", "aus", "dans", "en", "dentro de", "nel", "nella",
    "nello", "del", "della", "sur", "dans la", "auf",
)  # fmt: skip
ARTICLES = (
    "the", "a", "an", "this", "that", "der", "die", "das", "dem", "den", "des", "einer", "einem", "le", "la", "les", "l'",
    "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "i", "du", "de la",
)  # fmt: skip
NEXT_WORDS = (
    "next to", "beside", "near", "close to", "right of", "left of", "after", "following", "neben", "bei", "nach", "a cote de",
    "pres de", "apres", "junto a", "al lado de", "cerca de", "despues de", "accanto a", "vicino a", "dopo",
)  # fmt: skip
UNDER_WORDS = (
    "under the heading", "below the heading", "under heading", "under", "below", "beneath", "unter der uberschrift",
    "unterhalb von", "unter", "sous le titre", "sous", "bajo el titulo", "debajo de", "bajo", "sotto il titolo", "sotto",
)  # fmt: skip

ORDINALS: dict[str, int] = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "sixth": 6, "6th": 6, "seventh": 7, "7th": 7, "eighth": 8, "8th": 8, "ninth": 9, "9th": 9, "tenth": 10, "10th": 10,
    "last": -1, "erste": 1, "ersten": 1, "erster": 1, "zweite": 2, "zweiten": 2, "zweiter": 2, "dritte": 3, "dritten": 3,
    "letzte": -1, "letzten": -1, "letzter": -1, "premier": 1, "premiere": 1, "deuxieme": 2, "troisieme": 3,
    "dernier": -1, "derniere": -1, "primer": 1, "primero": 1, "primera": 1, "segundo": 2, "segunda": 2, "tercero": 3,
    "tercera": 3, "ultimo": -1, "ultima": -1, "primo": 1, "prima": 1, "secondo": 2, "seconda": 2, "terzo": 3, "terza": 3,
}  # fmt: skip

STOP_WORDS = frozenset(
    (
        "the a an to for of on at by with this that which is are it its my your please click press find called named "
        "labelled labeled says saying reading where one and or "
        "der die das den dem des ein eine einen zum zur mit fur von und mein ihr "
        "le la les un une des du de pour avec et mon votre qui "
        "el los las una por con y mi su para il lo gli i uno per con e mio suo da"
    ).split()
)

# What people call a control, and what it may say or be instead.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "close": ("×", "✕", "✖", "x", "dismiss", "schliessen", "fermer", "cerrar", "chiudi"),
    "next": ("›", "»", "→", ">", "continue", "weiter", "suivant", "siguiente", "avanti"),
    "previous": ("‹", "«", "←", "<", "prev", "back", "zuruck", "precedent", "anterior", "indietro"),
    "back": ("‹", "«", "←", "previous", "zuruck", "retour", "atras", "indietro"),
    "menu": ("☰", "≡", "hamburger"),
    "more": ("…", "⋮", "⋯", "..."),
    "delete": ("remove", "trash", "bin", "loschen", "supprimer", "eliminar", "elimina", "🗑"),
    "remove": ("delete", "trash", "bin", "entfernen", "retirer", "quitar", "rimuovi", "🗑"),
    "search": ("🔍", "find", "suche", "suchen", "recherche", "rechercher", "buscar", "cerca"),
    "settings": ("⚙", "preferences", "einstellungen", "parametres", "ajustes", "impostazioni"),
    "cancel": ("abbrechen", "annuler", "cancelar", "annulla", "kundigen", "resilier", "disdici"),
    "submit": ("send", "absenden", "senden", "envoyer", "enviar", "invia"),
    "login": ("log in", "sign in", "signin", "anmelden", "connexion", "acceder", "accedi"),
    "signin": ("log in", "sign in", "login"),
    "logout": ("log out", "sign out", "signout", "abmelden", "deconnexion"),
    "add": ("+", "plus", "hinzufugen", "ajouter", "anadir", "aggiungi"),
    "plus": ("+", "increase", "increment"),
    "minus": ("-", "−", "–", "decrease", "decrement"),
    "star": ("★", "☆", "favorite", "favourite"),
    "email": ("e-mail", "mail"),
    "phone": ("tel", "telephone", "mobile", "telefon"),
    "unsubscribe": ("opt out", "abbestellen", "abmelden"),
}

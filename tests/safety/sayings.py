"""What controls say in five languages, and the rule a careful person would want to fit."""

from __future__ import annotations

# rule: language: labels that must be asked about
DANGEROUS: dict[str, dict[str, str]] = {
    "delete": {
        "en": """Delete|Delete account|Delete my account|Permanently delete|Delete permanently|Erase all data
            |Close account|Close my account|Deactivate account|Wipe device|Yes, delete everything|Empty trash
            |Remove account|Delete this repository|Delete 3 files|Terminate account|DELETE ACCOUNT
            |Yes, delete it|Delete message|Factory reset|Erase everything|Remove payment method
            |Delete my profile and data|Delete forever|Close my bank account""",
        "de": """Löschen|Konto löschen|Mein Konto löschen|Account löschen|Benutzerkonto endgültig löschen
            |Endgültig löschen|Ja, löschen|Alles löschen|Profil löschen|Konto schließen|Alle Daten löschen
            |Papierkorb leeren|Konto deaktivieren|Beitrag unwiderruflich löschen|Konto loeschen
            |Nachricht löschen|Kundenkonto auflösen|Löschung bestätigen""",
        "fr": """Supprimer|Supprimer mon compte|Supprimer le compte|Fermer mon compte|Clôturer le compte
            |Supprimer définitivement|Effacer toutes les données|Oui, supprimer|Désactiver mon compte
            |Vider la corbeille|Supprimer mes données|Confirmer la suppression|Supprimer ce message""",
        "es": """Eliminar|Eliminar cuenta|Eliminar mi cuenta|Borrar cuenta|Borrar todo|Cerrar mi cuenta
            |Eliminar definitivamente|Sí, eliminar|Desactivar mi cuenta|Vaciar la papelera|Eliminar mis datos
            |Borrar permanentemente|Elimina tu cuenta""",
        "it": """Elimina|Elimina account|Elimina il mio account|Cancella account|Chiudi il mio conto
            |Elimina definitivamente|Sì, elimina|Disattiva account|Svuota il cestino|Elimina tutti i dati
            |Cancella tutto|Conferma l'eliminazione|Cancella""",
    },
    "money": {
        "en": """Pay|Pay now|Pay $49.99|Confirm and pay|Buy|Buy now|Buy it now|Place order|Place your order
            |Complete purchase|Order now|Submit order|Subscribe|Subscribe now|Upgrade|Upgrade now
            |Upgrade to Premium|Start free trial|Start my 7-day free trial|Try it free|Renew|Renew now
            |Renew membership|Donate|Donate $10|Make a donation|Confirm payment|Authorize payment|Go Premium
            |Get Premium|Become a member|Book now|Purchase|Agree & Subscribe|Pay with card|Reactivate subscription
            |Restart membership|Resume subscription|Turn on auto-renew|Undo cancellation|Charge my card
            |Review and pay|Proceed to pay|$4.99|Only $9.99/month|Get it for $3|Transfer money|Send money
            |Join Premium for €7.99|Buy with Apple Pay|Apple Pay|Extend my plan|Reserve now|Place bid
            |Click here to subscribe|Withdraw cancellation|Start my subscription|Yes, upgrade me""",
        "de": """Jetzt kaufen|Kaufen|Zahlungspflichtig bestellen|Kostenpflichtig bestellen|Jetzt bezahlen
            |Bezahlen|Bestellung abschicken|Bestellung aufgeben|Kauf abschließen|Jetzt bestellen|Abonnieren
            |Jetzt abonnieren|Upgrade|Jetzt upgraden|Kostenlos testen|Probeabo starten|Mitglied werden
            |Abo verlängern|Abo abschließen|Spenden|Jetzt spenden|Zahlung bestätigen|Jetzt buchen
            |Verbindlich buchen|Mit PayPal bezahlen|Kündigung zurücknehmen|Abo reaktivieren
            |Mitgliedschaft verlängern|Geld überweisen|Überweisung ausführen|Ja, jetzt kaufen|9,99 € pro Monat zahlen
            |Guthaben aufladen|Für 4,99 € freischalten|Premium holen|Kuendigung zuruecknehmen""",
        "fr": """Acheter|Acheter maintenant|Payer|Payer 12,99 €|Payer maintenant|Commander|Passer la commande
            |Valider la commande|Confirmer l'achat|Confirmer le paiement|S'abonner|Je m'abonne|Abonnez-vous
            |S'abonner maintenant|Souscrire|Essayer gratuitement|Commencer l'essai gratuit|Passer à Premium
            |Devenir membre|Renouveler|Renouveler mon abonnement|Faire un don|Réserver|Régler
            |Commander et payer|Reprendre mon abonnement|Annuler la résiliation|Finaliser l'achat
            |Mettre à niveau|Réactiver mon abonnement|Valider le paiement""",
        "es": """Comprar|Comprar ahora|Pagar|Pagar ahora|Pagar 9,99 €|Realizar pedido|Confirmar compra
            |Finalizar compra|Suscribirse|Suscribirme|Suscríbete|Suscríbete ahora|Prueba gratis
            |Iniciar prueba gratuita|Hazte Premium|Hazte socio|Renovar|Renovar suscripción|Donar|Hacer una donación
            |Reservar|Contratar|Confirmar el pago|Reactivar suscripción|Reanudar mi plan|Tramitar pedido
            |Anular la cancelación|Mejorar mi plan|Sí, comprar|Enviar dinero|Pasarse a Premium""",
        "it": """Acquista|Acquista ora|Compra|Compra ora|Paga|Paga ora|Paga 9,99 €|Ordina|Ordina ora
            |Effettua l'ordine|Conferma acquisto|Completa l'ordine|Conferma pagamento|Abbonati|Abbonati ora
            |Prova gratis|Inizia la prova gratuita|Passa a Premium|Diventa membro|Rinnova|Rinnova abbonamento
            |Dona ora|Prenota|Prenota ora|Sottoscrivi|Riattiva abbonamento|Riprendi l'abbonamento
            |Annulla la disdetta|Sì, acquista|Procedi al pagamento|Invia denaro""",
    },
    "accept-offer": {
        "en": """Accept offer|Accept this offer|Claim offer|Claim my discount|Get 50% off|Get offer|Keep my discount
            |Pause subscription|Pause my membership|Pause for 1 month|Downgrade|Downgrade to Basic|Switch plan
            |Change plan|Update plan|Switch to annual|Stay and save 50%|Redeem offer|Take the discount
            |Get 3 months free|Keep my discount and stay|Yes, I want the discount|Skip a month
            |Switch to a cheaper plan|Freeze membership|Pause instead|Claim your free month""",
        "de": """Angebot annehmen|Angebot sichern|Rabatt sichern|50 % Rabatt sichern|Rabatt behalten|Abo pausieren
            |Mitgliedschaft pausieren|Tarif wechseln|Abo wechseln|Vertrag ändern|Angebot nutzen|Jetzt sparen
            |3 Monate pausieren|Bleiben und sparen|Gutschrift annehmen|Abo umstellen""",
        "fr": """Accepter l'offre|Profiter de l'offre|Garder ma réduction|Obtenir 50 % de réduction
            |Mettre en pause|Mettre mon abonnement en pause|Suspendre mon abonnement|Changer de formule
            |Changer d'abonnement|Bénéficier de la remise|Conserver ma remise|3 mois offerts
            |Modifier mon forfait|J'accepte l'offre""",
        "es": """Aceptar oferta|Aceptar la oferta|Aprovechar la oferta|Obtener descuento|Mantener mi descuento
            |Pausar suscripción|Pausar mi plan|Cambiar de plan|Cambiar a anual|Canjear oferta|Quiero el descuento
            |Suspender mi suscripción|3 meses gratis|Poner en pausa""",
        "it": """Accetta l'offerta|Ottieni lo sconto|Approfitta dell'offerta|Mantieni lo sconto|Sospendi abbonamento
            |Metti in pausa|Cambia piano|Cambia abbonamento|Riscatta l'offerta|Passa al piano base
            |Voglio lo sconto|3 mesi gratis|Attiva la promozione""",
    },
    "final-cancel": {
        "en": """Cancel subscription|Cancel my subscription|Cancel membership|Cancel plan|Cancel my plan
            |Confirm cancellation|Finish cancellation|Complete cancellation|Yes, cancel|Yes, cancel my membership
            |End membership|End membership on 3 May|End subscription|End it|Cancel now|Cancel anyway|Submit and cancel
            |Cancel at end of term|Turn off auto-renew|Turn off automatic renewal|Request cancellation
            |Unsubscribe|Terminate contract|Stop subscription|Cancel Netflix Premium plan|Don't renew
            |Cancel order|Cancel booking|Cancel trial|I want to cancel|No, cancel my plan|Cancel account
            |Stop auto-renewal|Delete subscription|Cancel and continue|CANCEL SUBSCRIPTION|Agree and cancel|Continue to cancel
            |No thanks, continue to cancel|Proceed to cancellation""",
        "de": """Kündigen|Jetzt kündigen|Abo kündigen|Kündigung bestätigen|Kündigung absenden|Mitgliedschaft kündigen
            |Vertrag kündigen|Ja, kündigen|Trotzdem kündigen|Endgültig kündigen|Mitgliedschaft beenden|Abo beenden
            |Jahresabo kündigen|Automatische Verlängerung ausschalten|Nicht verlängern|Bestellung stornieren
            |Buchung stornieren|Abonnement jetzt kündigen|Kündigung abschließen|Abo kuendigen|Abbestellen
            |Jetzt verbindlich kündigen|Ich möchte kündigen|Weiter zur Kündigung""",
        "fr": """Résilier|Résilier mon abonnement|Résilier maintenant|Confirmer la résiliation|Annuler mon abonnement
            |Annuler l'abonnement|Se désabonner|Me désabonner|Mettre fin à mon abonnement|Arrêter mon abonnement
            |Oui, résilier|Valider la résiliation|Désactiver le renouvellement automatique|Ne pas renouveler
            |Annuler ma réservation|Annuler la commande|Résilier le contrat""",
        "es": """Cancelar suscripción|Cancelar mi suscripción|Cancelar plan|Cancelar membresía|Confirmar cancelación
            |Sí, cancelar|Darme de baja|Darse de baja|Solicitar la baja|Finalizar suscripción|Cancelar ahora
            |Desactivar la renovación automática|No renovar|Anular suscripción|Terminar contrato|Cancelar reserva
            |Quiero cancelar""",
        "it": """Disdici|Disdici abbonamento|Annulla abbonamento|Annulla l'abbonamento|Conferma disdetta
            |Conferma la cancellazione|Termina abbonamento|Cancella abbonamento|Disdire|Disattiva rinnovo automatico
            |Non rinnovare|Sì, annulla|Recedi dal contratto|Annulla prenotazione|Annulla ordine|Invia disdetta
            |Interrompi l'abbonamento|Voglio disdire""",
    },
    "send": {
        "en": """Send|Send message|Send email|Send now|Post comment|Post reply|Publish|Publish now|Publish post
            |Submit review|Submit application|Post it|Send invitation|Submit comment|Send feedback|Sign petition
            |Send request|Reply all|Post review|Send e-mail""",
        "de": """Senden|Absenden|Abschicken|Nachricht senden|Nachricht abschicken|Kommentar absenden|Veröffentlichen
            |Beitrag veröffentlichen|Bewertung abgeben|E-Mail senden|Formular absenden|Jetzt senden|Posten
            |Anfrage senden|Einladung verschicken""",
        "fr": """Envoyer|Envoyer le message|Publier|Publier le commentaire|Envoyer un e-mail|Envoyer ma demande
            |Soumettre l'avis|Envoyer maintenant|Déposer une plainte|Signer la pétition""",
        "es": """Enviar|Enviar mensaje|Publicar|Publicar comentario|Enviar correo|Enviar solicitud|Enviar ahora
            |Presentar reclamación|Firmar la petición|Enviar formulario""",
        "it": """Invia|Invia messaggio|Pubblica|Pubblica commento|Invia email|Invia richiesta|Invia ora|Spedisci
            |Presenta reclamo|Firma la petizione""",
    },
}  # fmt: skip

# language: labels that nobody needs to be asked about, in a task of no special purpose
HARMLESS: dict[str, str] = {
    "en": """Postcode|Post code|Postal code|Sending address|Submit|Cancel|Clear filter|Clear filters|Clear search
        |Delete filter|Delete character|Close|Close menu|Back|Next|Continue|OK|Yes|No|Confirm|Done|Apply|Save
        |Save changes|Edit|Search|Sign in|Log in|Sign out|Log out|Sign up|Create account|Forgot password?
        |Add to cart|Add to cart - $19.99|Add to wishlist|View cart|Checkout|Continue to payment|Continue to shipping
        |Payment methods|Payment history|Order history|Order details|My orders|Track order|Orders|Pricing|See plans
        |Compare plans|View plans|View offers|Manage subscription|Manage membership|Account|Account settings|Billing
        |Billing address|Privacy policy|Cancellation policy|How to cancel|Cancel anytime|Free cancellation
        |Accept all cookies|Accept|Reject all|No thanks|Maybe later|Not now|Skip|Decline offer|No thanks, continue
        |Continue without discount|Keep my plan|Keep subscription|Stay signed in|Go back
        |Take me back|Never mind|Don't cancel|Close account menu|Subscribe to newsletter|Subscribe to our RSS feed
        |Send me a code|Send code|Resend code|Send me no mail|Email me a link|Post office|Poster|Buyer protection
        |Deleted items|Undelete|Recently deleted|Payments|Paypal help|Purchase history|Orderly|Upgraded plans
        |Learn more|Read more|Show details|Help|Contact us|Download|Print|Share|Copy link|Play|Pause|Mute|Full screen
        |Expand|Collapse|Menu|Home|Profile|Settings|Notifications|Sort by price|Under $25|$10 - $25|Filter|Reset
        |Reset filters|Undo|Redo|Zoom in|Refresh|Change language|Upload file|Choose file|Remove filter|Remove item
        |Cancel upload|Cancel edit|Cancel search|Discard changes|Order by date|Book cover|Books|Bookmark
        |Terms of sale|Gift cards|Donation history|Trial balance|Member login|Renewal date""",
    "de": """Postleitzahl|Abbrechen|Zurück|Weiter|Bestätigen|OK|Ja|Nein|Schließen|Suchen|Anmelden|Abmelden
        |Registrieren|Speichern|Bearbeiten|Filter löschen|Alle Filter löschen|Suche löschen|Eingabe löschen
        |In den Warenkorb|Warenkorb|Zur Kasse|Bestellübersicht|Meine Bestellungen|Zahlungsarten|Zahlungsmittel
        |Rechnungsadresse|Kündigungsfrist|Verträge hier kündigen|Jederzeit kündbar|Abo verwalten|Mein Konto
        |Kontoeinstellungen|Newsletter abonnieren|Datenschutz|Impressum|AGB|Alle Cookies akzeptieren|Ablehnen
        |Nein, danke|Später|Nicht jetzt|Überspringen|Angebot ablehnen|Abo behalten|Angemeldet bleiben|Hilfe
        |Mehr erfahren|Drucken|Herunterladen|Teilen|Code senden|Passwort vergessen?|Sortieren|Ab 9,99 €
        |Konto nicht löschen|Nicht kündigen|Verkaufen|Einkaufsliste|Postfach|Gesendet|Versandadresse|Übersicht
        |Menü schließen|Pause|Los|Startseite|Wunschliste|Sprache ändern""",
    "fr": """Code postal|Annuler|Retour|Suivant|Continuer|Valider|Confirmer|OK|Oui|Non|Fermer|Rechercher|Connexion
        |Se connecter|Déconnexion|S'inscrire|Enregistrer|Modifier|Effacer|Effacer les filtres|Supprimer le filtre
        |Ajouter au panier|Panier|Mes commandes|Historique des commandes|Moyens de paiement|Adresse de facturation
        |Conditions de résiliation|Annulation gratuite|Gérer mon abonnement|Mon compte|Mon abonnement
        |S'abonner à la newsletter|Confidentialité|Mentions légales|Tout accepter|Tout refuser|Non merci|Plus tard
        |Pas maintenant|Refuser l'offre|Garder mon abonnement|Rester connecté|Aide|En savoir plus|Imprimer
        |Télécharger|Partager|Renvoyer le code|Mot de passe oublié ?|Trier|Commentaires|Comment ça marche
        |Ne pas supprimer|Accueil|Favoris|Pause|Voir les offres|Envois|Paiements|Abonnements|Achats récents
        |Langue|Menu|Fermer le menu""",
    "es": """Código postal|Cancelar|Volver|Siguiente|Continuar|Confirmar|Aceptar|OK|Sí|No|Cerrar|Buscar
        |Iniciar sesión|Cerrar sesión|Registrarse|Guardar|Editar|Borrar filtros|Eliminar filtro|Añadir al carrito
        |Carrito|Mis pedidos|Historial de pedidos|Métodos de pago|Dirección de facturación
        |Política de cancelación|Cancelación gratuita|Gestionar suscripción|Mi cuenta|Mi suscripción
        |Suscribirse al boletín|Privacidad|Aviso legal|Aceptar todas las cookies|Rechazar|No, gracias|Más tarde
        |Ahora no|Rechazar oferta|Mantener mi suscripción|Mantener la sesión|Ayuda|Saber más|Imprimir|Descargar
        |Compartir|Reenviar código|Enviar código|Ordenar por precio|Comentarios|Cómo cancelar|No cancelar
        |Inicio|Favoritos|Pausa|Ver ofertas|Envíos|Pagos|Suscripciones|Compras recientes|Idioma|Menú|Filtrar""",
    "it": """Codice postale|Annulla|Indietro|Avanti|Continua|Conferma|OK|Sì|No|Chiudi|Cerca|Accedi|Esci|Registrati
        |Salva|Modifica|Cancella filtri|Elimina filtro|Aggiungi al carrello|Carrello|I miei ordini
        |Cronologia ordini|Metodi di pagamento|Indirizzo di fatturazione|Politica di cancellazione
        |Cancellazione gratuita|Gestisci abbonamento|Il mio account|Il mio abbonamento
        |Iscriviti alla newsletter|Privacy|Note legali|Accetta tutti i cookie|Rifiuta|No, grazie|Più tardi
        |Non ora|Rifiuta l'offerta|Mantieni abbonamento|Rimani connesso|Aiuto|Scopri di più|Stampa|Scarica
        |Condividi|Invia codice|Ordina per prezzo|Commenti|Come disdire|Non annullare|Home|Preferiti|Pausa
        |Vedi offerte|Spedizioni|Pagamenti|Abbonamenti|Acquisti recenti|Lingua|Menu|Filtra|Riproduci""",
}  # fmt: skip

# The same in words that were thought of after the rules were written; all languages together.
MORE_DANGEROUS: dict[str, str] = {
    "money": """Complete order|Complete booking|Confirm booking|Confirm purchase|Pay securely|Pay & place order
        |Pay with PayPal|Buy 1-click|Buy now with 1-Click|Start Premium|Start membership|Activate plan
        |Activate subscription|Upgrade plan|Upgrade to Pro|Get Pro|Go Pro|Try Premium free
        |Try Premium for 1 month|Get started for $1|Enroll now|Join for $5|Submit payment|Make payment
        |Schedule payment|Pay bill|Pay invoice|Deposit|Withdraw|Confirm transfer|Send $50|Invest now
        |Sell now|Place trade|Place bet|Gift subscription|Buy gift card|Rent $3.99|Pre-order now
        |Pre-order|Reorder|Order again|Repeat order|Buy again|Pledge $25|Give $20|Give once
        |Unlock for $2|Top up|Add funds|Subscribe for €4/month|Subscribe & Save|Checkout now and pay
        |Finish and pay|Place my order|Order and pay|Buy tickets|Pay Fr. 20|Zahlungspflichtig abonnieren
        |Jetzt für 4,99 € abonnieren|Kostenpflichtig buchen|Jetzt Mitglied werden|Kaufen und bezahlen
        |Jetzt kostenpflichtig bestellen|Weiter und bezahlen|Bestellen|Sofort kaufen|Buchen
        |Zahlung senden|Testmonat starten|30 Tage gratis testen|Gratis testen|Tarif buchen
        |Premium testen|Upgrade auf Pro|Commander maintenant|Procéder au paiement|Acheter en 1 clic
        |Payer en ligne|Valider et payer|Je commande|J'achète|Je réserve|Je donne|Confirmer ma commande
        |Abonnez-vous maintenant|Essai gratuit 30 jours|Démarrer mon abonnement|Confirmer et payer
        |Realizar el pago|Comprar en 1 clic|Confirmar y pagar|Compra ahora|Hacer pedido
        |Empezar prueba gratis|Suscribirme ahora|Pago seguro|Hacer una reserva|Quiero donar
        |Contratar ahora|Acquista subito|Compralo subito|Conferma e paga|Paga in sicurezza
        |Procedi all'acquisto|Abbonati a Premium|Inizia ora la prova gratuita|Fai una donazione
        |Concludi ordine|Ordina e paga|Rinnova ora|Prenota adesso|Bezahlen und abonnieren
        |Kostenpflichtig verlängern|Jetzt Abo abschließen|Abo bestellen|Zeitung bestellen
        |Mit Klarna bezahlen|Kauf bestätigen|Ticket kaufen|Jetzt zuschlagen für 9,99 €|Pay €12.00|Pay £5
        |CHF 20 zahlen|Confirm & Pay $12|Place Order - $54.20|Buy for $9.99|Get Plus
        |Upgrade to Plus for $4|Try 30 days free|Start 30-day trial|Start your free month|Resubscribe
        |Rejoin|Renew subscription for $99|Join Plus|Complete your purchase|Make a one-time donation
        |Donate now|Continue and subscribe|Accept and pay|Finalize purchase|Zahlung abschließen
        |Acheter ce produit|Payer la facture|Payer par carte|Finaliser ma commande
        |Valider mon panier et payer|Je souscris|Abonnez-vous pour 1 €|Réserver maintenant
        |Pagar con tarjeta|Pagar la factura|Finalizar pedido|Comprar entradas|Suscríbete por 1 €
        |Reservar ahora|Realizar donación|Paga con carta|Paga la bolletta|Acquista biglietti
        |Abbonati a 1 €|Completa l'acquisto|Conferma l'ordine""",
    "delete": """Delete selected|Delete all|Remove all|Clear all data|Erase device|Close this account permanently
        |Deactivate|Delete channel|Delete app|Delete and exit|Deactivate my profile|Delete everything
        |Permanently close my account|Yes, wipe it|Account endgültig schließen|Account jetzt löschen
        |Ja, Konto löschen|Dauerhaft entfernen|Profil endgültig löschen|Supprimer tout
        |Je supprime mon compte|Supprimer mon profil|Oui, supprimer mon compte|Effacer mon compte
        |Eliminar todo|Sí, borrar mi cuenta|Eliminar perfil|Borrar mi perfil|Eliminar permanentemente
        |Elimina profilo|Sì, elimina il mio account|Cancella il mio profilo|Chiudi account
        |Rimuovi account|Elimina tutto|Delete this post|Delete my data|Yes, close my account
        |Erase my data|Close and delete account|Delete user|Delete project|Destroy session data
        |Erase all content and settings|Dokument löschen|Foto löschen|Account schliessen
        |Konto unwiderruflich löschen|Meine Daten löschen|Fermer définitivement mon compte
        |Supprimer la photo|Supprimer l'historique|Oui, fermer mon compte|Borrar historial
        |Cerrar cuenta definitivamente|Eliminar foto|Suprimir cuenta|Elimina foto
        |Elimina cronologia account|Chiudi definitivamente il conto|Cancella dati""",
    "accept-offer": """Yes, keep my discount|Switch & save|Lock in my price|Claim my credit|Try Basic instead
        |Give me 50% off|Stay for 50% off|Take a break|Pause for 2 months|I'll take it|Get this offer
        |Accept 50% discount|Take 20% off|Switch to Basic|Move to annual billing|Get my discount
        |Apply my 50% discount|Rabatt annehmen|Ja, Rabatt sichern|Pausieren statt kündigen
        |Auf Jahresabo wechseln|Zum Basis-Tarif wechseln|Angebot jetzt sichern
        |Abo für 3 Monate pausieren|Je profite de l'offre|Oui, je veux la remise
        |Passer à l'offre annuelle|Suspendre pendant 3 mois|Je garde ma réduction|Sí, quiero la oferta
        |Aceptar descuento|Pausar 2 meses|Cambiar al plan básico|Pausar mi cuenta|Sì, voglio l'offerta
        |Accetta lo sconto|Sospendi per 3 mesi|Passa all'annuale|Cambia tariffa|Accept and stay
        |Yes, give me the offer|Get my free month|Pause membership for 3 months|Swap plan
        |Change my subscription|Angebot akzeptieren|Mitgliedschaft für 3 Monate pausieren
        |Zum günstigeren Tarif wechseln|Accepter la réduction|Changer de forfait
        |Mettre l'abonnement en pause|Aceptar el descuento|Congelar membresía|Cambiar suscripción
        |Accetta la promozione|Sospendi l'iscrizione|Cambia il mio piano""",
    "final-cancel": """Proceed with cancellation|Cancel renewal|Cancel auto-renewal|Turn off recurring billing
        |End my plan|End plan|End my trial|Leave Prime|End Prime membership|End my benefits
        |Confirm and cancel|Complete my cancellation|Stop my membership|Cancel service
        |Disconnect service|Cancel policy|Withdraw from contract|Unenroll|Yes, end my subscription
        |Confirm end of subscription|Cancel immediately|Cancel my free trial|Cancel at period end
        |Continue and cancel|Stop my plan|Close subscription|Cancel Spotify|Cancel Prime
        |Jetzt Vertrag kündigen|Kündigung einreichen|Kündigung jetzt absenden|Kündigung durchführen
        |Zum Laufzeitende kündigen|Abo jetzt beenden|Verlängerung stoppen|Ja, Abo kündigen
        |Mitgliedschaft jetzt beenden|Kündigung zum 3. Mai bestätigen|Vertrag widerrufen
        |Fristlos kündigen|Abonnement stornieren|Je résilie|Je souhaite résilier mon abonnement
        |Résiliation définitive|Confirmer mon désabonnement|Finaliser la résiliation
        |Arrêter le renouvellement|Oui, annuler mon abonnement|Annuler mon essai|Stopper l'abonnement
        |Notifier la résiliation|Cancelar renovación|Sí, cancelar mi suscripción|Confirmar baja
        |Tramitar la baja|Baja definitiva|Cancelar mi prueba|Dejar Premium|Cancelar de todos modos
        |Finalizar mi membresía|Cancela tu suscripción|Annulla il rinnovo|Sì, disdici
        |Procedi con la disdetta|Completa la cancellazione|Disdici ora|Annulla comunque|Termina il piano
        |Recedi|Cancella iscrizione|Annulla la prova|Disattiva abbonamento|Cancel my no-contract plan
        |Cancel No-Ads plan|Cancel my YouTube TV membership|End my free trial now|Cancel delivery
        |Cancel appointment|Cancel reservation|Cancel transaction|Yes, I want to cancel
        |Confirm & end membership|Terminate my agreement|Finish cancelling|Finish canceling
        |Disable auto-renew|Turn off renewal|Abo ohne Rabatt kündigen|DSL-Vertrag kündigen
        |Handyvertrag kündigen|Stromvertrag jetzt kündigen|Probeabo beenden|Zeitschriftenabo kündigen
        |Newsletter abbestellen|Termin absagen|Reise stornieren|Résilier mon forfait
        |Résilier sans réduction|Annuler ma commande|Annuler mon inscription|Arrêter l'abonnement
        |Rompre le contrat|Me désinscrire|Cancelar mi plan|Cancelar el servicio|Darme de baja ahora
        |Anular mi reserva|Cancelar la cita|Rescindir contrato|Disdici il contratto|Annulla il mio piano
        |Cancellare l'abbonamento|Disdici senza sconto|Annulla appuntamento|Conferma il recesso""",
    "send": """Send it|Send reply|Submit feedback|Post|Post update|Tweet|Share now|Submit ticket|Submit claim
        |Send invites|Send friend request|Submit answer|Submit your story|Send to all
        |Nachricht verschicken|Bewerbung absenden|Jetzt veröffentlichen|Antrag einreichen
        |Kommentar veröffentlichen|Feedback senden|Envoyer la demande|Publier maintenant
        |Envoyer un message|J'envoie|Publier l'annonce|Enviar comentario|Publicar ahora
        |Enviar un mensaje|Mandar mensaje|Invia commento|Pubblica ora|Invia un messaggio
        |Invia candidatura|Inoltra richiesta|Send to support|Submit my review|Publish article
        |Post this ad|Send application|Send your message|Leserbrief absenden|Beschwerde einreichen
        |Anzeige aufgeben|Stimme abgeben|Mail verschicken|Envoyer ma candidature|Publier mon avis
        |Envoyer le formulaire|Enviar consulta|Publicar anuncio|Enviar mi reseña|Invia recensione
        |Invia modulo|Pubblica annuncio""",
}  # fmt: skip
MORE_HARMLESS = """Payments and transfers|Deals|Today's deals|Shop now|Shop all|Explore plans|See pricing
    |Get started|Try again|Try another way|Start over|Start chat|Start a return|Order status
    |Reorder columns|Sort orders|Delivery options|Subscription details|Membership benefits
    |Plan details|Renewal settings|Upgrade options|Gift options|Book details|Bookings|My bookings
    |Find bookings|Posts|Latest posts|View post|Comments (3)|Reply|Share|Follow|Like|Save for later
    |Recycle bin|Trash|Archive|Mark as read|Mute conversation|Report|Block|Invite friends|Connect
    |Message|Messages|Compose|New message|Inbox|Sent|Drafts|Forward|Attach file|Insert link|Bold
    |Write a review|Rate this product|See all reviews|Add item|Remove|Remove from cart|Empty cart
    |Update cart|Edit cart|Change address|Add new card|Add payment method|Use a different card
    |Enter promo code|Apply coupon|Apply code|Gift message|Check availability|Check in
    |Check out our blog|Select seats|Choose dates|Select plan|Choose plan|View deal|Price alerts
    |Price: low to high|Cancel reply|Cancel changes|Cancel selection|Cancelled orders
    |Closed accounts|Close dialog|Close ad|Close window|Dismiss|End date|End of list|Stop|Stop video
    |Stop sharing|Pause video|Resume|Resume video|Skip ad|Skip intro|Next episode|Switch account
    |Switch language|Change theme|Change photo|Change password|Reset password|Keep me signed in
    |Stay updated|Stay in touch|Accept terms|I agree|Agree|Allow|Deny|Verify|Verify email
    |Send verification email|Request a callback|Talk to sales|Live chat|Call us|Email preferences
    |Claims|File manager|Buy vs rent calculator|Payroll|Pay stubs|Payables|Purchasing power
    |Bestseller|Sale|Sales|On sale now|Free shipping|Free trial details|Trial version
    |Premium features|What's included in Premium|Compare Premium|About Premium|Delete key help
    |Erased files|Wipe-clean tablecloth|Produkte|Angebote|Alle Angebote|Angebot ansehen|Preise
    |Tarife|Tarife vergleichen|Zum Angebot|Zum Warenkorb|Weiter zur Kasse|Weiter einkaufen|Versand
    |Lieferung|Bestellstatus|Bestellnummer|Kaufberatung|Rückgabe|Rücksendung|Kündigung
    |Informationen zur Kündigung|Vertragsübersicht|Abonnements verwalten|Zahlungsübersicht
    |Kontostand|Sparkonto|Sparen|Beiträge|Kommentare|Antworten|Teilen|Merken|Abspielen|Stopp|Beenden
    |Sitzung beenden|Leeren|Warenkorb leeren|Entfernen|Auswählen|Auswahl bestätigen|Adresse ändern
    |Passwort ändern|Nachrichten|Neue Nachricht|Gesendete Nachrichten|Entwürfe|Spendenkonto|Über uns
    |Offres|Nos offres|Voir l'offre|Tarifs|Mes abonnements|Mon panier|Voir mon panier|Livraison
    |Suivi de commande|Numéro de commande|Paiement sécurisé info|Nouveau message|Messages envoyés
    |Brouillons|Lire la suite|Répondre|Partager|Suivre|Arrêter|Reprendre|Lecture|Vider le panier
    |Retirer|Choisir|Modifier mon mot de passe|Prix croissant|Promotions|Cadeaux|Comparer|Ofertas
    |Ver oferta|Precios|Planes|Mis suscripciones|Mi cesta|Envío|Seguimiento del pedido
    |Número de pedido|Mensajes|Nuevo mensaje|Enviados|Borradores|Leer más|Responder|Compartir|Seguir
    |Detener|Reanudar|Reproducir|Vaciar carrito|Quitar|Elegir|Cambiar contraseña
    |Precio: de menor a mayor|Promociones|Regalos|Comparar|Bajar|Altas y bajas|Offerte|Vedi offerta
    |Prezzi|Piani|I miei abbonamenti|Il mio carrello|Spedizione|Stato ordine|Numero ordine|Messaggi
    |Nuovo messaggio|Inviati|Bozze|Leggi tutto|Rispondi|Condividi|Segui|Ferma|Riprendi
    |Svuota carrello|Rimuovi|Scegli|Cambia password|Prezzo crescente|Promozioni|Regali|Confronta
    |Ordini|Acquisti|Termina|Interrompi"""

# On a link these only name what is behind it: a price, a column, a service.
NAMES_ON_LINKS = {"$4.99", "Post", "Tweet"}

# What a dialog says, what is pressed in it, and the rule that must fit ("" for none).
IN_CONTEXT = (
    (
        "Cancel subscription? You will lose access on 3 May. Cancel Confirm",
        "Confirm",
        "final-cancel",
    ),
    ("Cancel subscription? You will lose access on 3 May. Cancel Confirm", "Cancel", ""),
    ("Cancel subscription? Cancel OK", "OK", "final-cancel"),
    ("Cancel subscription? Back Continue", "Continue", "final-cancel"),
    ("Cancel subscription? Your plan ends today. Keep my plan Cancel", "Cancel", "final-cancel"),
    (
        "Are you sure you don't want to stay? Yes, I'm sure No, take me back",
        "Yes, I'm sure",
        "final-cancel",
    ),
    ("Are you sure you don't want to stay? Yes, I'm sure No, take me back", "No, take me back", ""),
    ("Do you want to keep your subscription? Yes No", "No", "final-cancel"),
    ("Premium plan Renews on 3 May for $9.99 Cancel", "Cancel", "final-cancel"),
    ("Edit your comment Save Cancel", "Cancel", ""),
    ("Your subscription will be cancelled immediately. Next", "Next", "final-cancel"),
    ("Why are you leaving? Too expensive Other Next", "Next", ""),
    ("Delete your account? This cannot be undone. Cancel Yes", "Yes", "delete"),
    ("Are you sure you want to delete your account? Goodbye Never mind", "Goodbye", "delete"),
    ("Are you sure you want to delete your account? Goodbye Never mind", "Never mind", ""),
    ("Order total $45.00 Visa ending 4242 Submit", "Submit", "money"),
    ("Your card will be charged $45 today. Continue", "Continue", "money"),
    ("You won't be charged today. Continue", "Continue", ""),
    ("Special offer: 50% off for 3 months! Accept No thanks", "Accept", "accept-offer"),
    (
        "Before you cancel your subscription: a special offer, 50% off. Accept No thanks",
        "Accept",
        "accept-offer",
    ),
    (
        "Before you cancel your subscription: a special offer, 50% off. Accept No thanks",
        "No thanks",
        "",
    ),
    ("We use cookies. Accept Reject", "Accept", ""),
    ("Abo kündigen? Abbrechen Ja", "Ja", "final-cancel"),
    ("Abo kündigen? Abbrechen Ja", "Abbrechen", ""),
    ("Möchten Sie Ihr Abo wirklich kündigen? Zurück Bestätigen", "Bestätigen", "final-cancel"),
    ("Ihr Konto wird unwiderruflich gelöscht. Abbrechen OK", "OK", "delete"),
    ("Gesamtbetrag 45,00 € Ihre Karte wird belastet. Weiter", "Weiter", "money"),
    ("Résilier votre abonnement ? Annuler Oui", "Oui", "final-cancel"),
    ("Voulez-vous vraiment résilier ? Annuler Confirmer", "Annuler", ""),
    ("Votre compte sera définitivement supprimé. Retour Valider", "Valider", "delete"),
    ("Votre carte sera débitée de 12 €. Continuer", "Continuer", "money"),
    ("¿Cancelar la suscripción? No Sí", "Sí", "final-cancel"),
    ("¿Seguro que quieres darte de baja? Volver Confirmar", "Confirmar", "final-cancel"),
    ("Tu cuenta será eliminada. Cancelar Aceptar", "Aceptar", "delete"),
    ("Se cobrará 9,99 € en tu tarjeta. Continuar", "Continuar", "money"),
    ("Vuoi annullare l'abbonamento? Annulla Conferma", "Conferma", "final-cancel"),
    ("Vuoi annullare l'abbonamento? Annulla Conferma", "Annulla", ""),
    ("Il tuo account sarà eliminato definitivamente. Indietro Sì", "Sì", "delete"),
    ("Verrà addebitato l'importo di 9,99 €. Continua", "Continua", "money"),
    ("Profile picture Name Bio Confirm", "Confirm", ""),
    ("Choose a seat 12A 12B Continue", "Continue", ""),
)


def labels(text: str) -> list[str]:
    return [" ".join(label.split()) for label in text.split("|")]

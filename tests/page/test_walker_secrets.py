"""Which fields only a person may fill (H25); what they hold never leaves the page."""

from __future__ import annotations

import pytest

from subterminator.types import Flag
from tests.page.fonts import font
from tests.page.walking import Walker, usable

SECRETS = {
    "<input type=password>": "password",
    "<input autocomplete=current-password>": "password",
    "<input type=email autocomplete='section-a new-password'>": "password",
    "<input name=user_password>": "password",
    "<input name=passwd>": "password",
    "<input id=userPass>": "password",
    "<input name=pwd2>": "password",
    "<label>Passwort <input></label>": "password",
    "<label>Kennwort <input></label>": "password",
    "<label>Mot de passe <input></label>": "password",
    "<label>Contraseña <input></label>": "password",
    "<label>Clave de acceso <input></label>": "password",
    "<label>Parola d'ordine <input></label>": "password",
    "<label>API key <input></label>": "password",
    "<label>Security answer <input></label>": "password",
    "<div>Password:</div><input>": "password",
    "<input style=-webkit-text-security:disc>": "password",
    "<input type=search style=-webkit-text-security:circle>": "password",
    "<input autocomplete=one-time-code>": "code",
    "<input name=otp>": "code",
    "<input id=smsTan>": "code",
    "<input aria-label='Verification code'>": "code",
    "<input aria-label='PIN'>": "code",
    "<input aria-label='Enter your 6-digit code'>": "code",
    "<input aria-label='Bestätigungscode'>": "code",
    "<input aria-label='Code de vérification'>": "code",
    "<input aria-label='Code à 6 chiffres'>": "code",
    "<input aria-label='Código de verificación'>": "code",
    "<input aria-label='Código'>": "code",
    "<input aria-label='Codice di verifica'>": "code",
    "<input name=code placeholder=Codice>": "code",
    "<div>" + "<input aria-label=Digit maxlength=1>" * 6 + "</div>": "code",
    "<input autocomplete='billing cc-number'>": "card",
    "<input id=cardNumber>": "card",
    "<label>Credit card <input></label>": "card",
    "<input type=password name=cvv>": "card",
    "<input placeholder='Security code'>": "card",
    "<input placeholder='MM / YY'>": "card",
    "<input aria-label='Expiration MM/YYYY'>": "card",
    "<label>Kartennummer <input></label>": "card",
    "<label>Numéro de carte <input></label>": "card",
    "<label>Número de tarjeta <input></label>": "card",
    "<label>Numero della carta <input></label>": "card",
    "<label>IBAN <input></label>": "card",
    "<div contenteditable role=textbox aria-label=Password>s</div>": "password",
}


@pytest.mark.parametrize(("html", "kind"), SECRETS.items(), ids=SECRETS.keys())
async def test_h25_the_value_of_a_secret_field_never_leaves_the_page(
    html: str, kind: str, walker: Walker
) -> None:
    await walker.put(html)
    await walker.run("""document.querySelectorAll('input').forEach(i => { i.value = 'Sesame'; });
      document.querySelectorAll('[contenteditable]').forEach(e => { e.textContent = 'Sesame'; })""")
    field = usable(await walker.walk())[0]
    assert field.flags & Flag.SECRET
    assert (field.facts.secret, field.facts.value) == (kind, None)
    assert "Sesame" not in str(await walker.run(f"walker.describe({field.id})"))
    assert await walker.run(f"walker.secret(walker.element({field.id}))") == kind


ORDINARY = (
    "Promo code", "Zip code", "Company", "Shipping", "Pinterest profile", "Spinning", "Postcode",
    "Gutscheincode", "Code promo", "Código postal", "Código promocional", "Codice fiscale",
    "Codice sconto", "Country code", "Titan", "Passenger", "Passport number", "Mitarbeiter",
    "Palabra clave", "DD/MM/YYYY", "MM/DD/YYYY", "Keyboard", "One-time amount", "Discard reason", "Compass", "Accessories",
)  # fmt: skip


@pytest.mark.parametrize("label", ORDINARY)
async def test_whole_words_count_and_others_are_ordinary(label: str, walker: Walker) -> None:
    (field,) = usable(await walker.show(f"<input aria-label='{label}' value=V>"))
    assert (field.facts.value, field.facts.secret) == ("V", "")


@pytest.mark.parametrize(
    "html",
    [
        "<input type=email name=password_reset_email value=V>",
        "<input name=code aria-label='Product code' value=V>",
        "<input name=shipping_method id=pinboard value=V>",
        "<input name=creditCardInformation.billingAddress.city aria-label=City value=V>",
        "<input maxlength=1 aria-label=Middle value=V>",
    ],
)
async def test_an_ordinary_field_is_not_secret(html: str, walker: Walker) -> None:
    assert usable(await walker.show(html))[0].facts.value == "V"


async def test_h25_a_password_shown_as_text_stays_secret(walker: Walker) -> None:
    await walker.put("<input type=password aria-label=x value=Sesame>")
    await walker.walk()
    await walker.run("document.querySelector('input').type = 'text'")
    (field,) = usable(await walker.walk())
    assert field.flags & Flag.SECRET and field.facts.value is None


async def test_h25_a_field_that_was_a_password_before_anybody_looked_is_secret(
    walker: Walker,
) -> None:
    await walker.put("<input type=password aria-label=x value=Sesame>")
    await walker.run("document.querySelector('input').type = 'text'")
    (field,) = usable(await walker.walk())
    assert field.flags & Flag.SECRET and field.facts.value is None


async def test_h25_one_masked_field_among_many_like_it_is_found(walker: Walker) -> None:
    style = "<style>[data-n='9'] { -webkit-text-security: disc }</style>"
    fields = "".join(f"<input class=f data-n={n} aria-label=f{n} value=v{n}>" for n in range(12))
    frame = await walker.show(style + fields)
    assert [n for n, field in enumerate(usable(frame)) if field.flags & Flag.SECRET] == [9]


async def test_a_secret_is_not_read_into_the_label_round_it(walker: Walker) -> None:
    await walker.put(
        "<label><input type=checkbox> Keep <input type=password> or"
        " <span role=textbox contenteditable aria-label=Password>Sesame</span> here</label>"
    )
    await walker.run("document.querySelector('[type=password]').value = 'Sesame'")
    assert "Sesame" not in await walker.run("walker.walk()")


@pytest.mark.parametrize("masks", [True, False])
async def test_h25_a_font_that_shows_every_sign_alike_masks_its_field(
    masks: bool, walker: Walker
) -> None:
    style = f"""<style>@font-face {{ font-family: Dots;
      src: url(data:font/ttf;base64,{font(masks=masks)}) }} input {{ font: 20px Dots }}</style>"""
    await walker.put(f"{style}<input aria-label=x value=i18W>")
    loaded = await walker.channel.call(
        "Runtime.evaluate",
        expression="document.fonts.load('20px Dots', 'i').then((faces) => faces.length)",
        awaitPromise=True,
    )
    assert loaded["result"]["value"] == 1
    (field,) = usable(await walker.walk())
    assert bool(field.flags & Flag.SECRET) is masks

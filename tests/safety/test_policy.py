"""What may be done without asking, what is asked, handed over or refused."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest

from subterminator import actions as a
from subterminator.safety.policy import Situation, Verdict
from subterminator.types import DialogInfo, Facts, Flag, Form, PageInfo, Resolved
from tests.safety.elements import (
    CANCEL_TASK,
    HERE,
    POLICY,
    SITE,
    TASK,
    element,
    field,
    link,
    submit,
)
from tests.safety.sayings import (
    DANGEROUS,
    HARMLESS,
    IN_CONTEXT,
    MORE_DANGEROUS,
    MORE_HARMLESS,
    NAMES_ON_LINKS,
    labels,
)

CLICK = a.Click(target="x")
GROUPS = [
    (rule, labels(text))
    for table in (
        *DANGEROUS.items(),
        *((rule, {"": text}) for rule, text in MORE_DANGEROUS.items()),
    )
    for rule, by_language in [table]
    for text in by_language.values()
]
REFUSED = {"delete", "money", "accept-offer"}
ROWS = [label for _, said in GROUPS for label in said]
CALM = [label for text in (*HARMLESS.values(), MORE_HARMLESS) for label in labels(text)]


def decide(
    action: a.AtomicAction = CLICK,
    *targets: Resolved,
    situation: Situation = HERE,
    cancel: bool = False,
) -> Verdict:
    return POLICY.decide(action, targets, situation, CANCEL_TASK if cancel else TASK)


def kind(action: a.AtomicAction, *targets: Resolved, **more: Any) -> str:
    return decide(action, *targets, **more).kind


# Words


@pytest.mark.parametrize(("rule", "said"), GROUPS)
def test_a_label_that_announces_an_effect_is_asked_about(rule: str, said: list[str]) -> None:
    effect = "money" if rule == "money" else "irreversible"
    for label in said:
        verdict = decide(CLICK, element(label))
        assert (label, verdict.kind, verdict.rule, verdict.effect) == (label, "ask", rule, effect)
        assert verdict.reason


def shapes(label: str) -> Iterator[tuple[str, a.AtomicAction, Resolved]]:
    """One label on everything that can carry it."""
    form = Form(f"{SITE}/form", "post", 7)
    lone = int(Flag.CHECKABLE)
    options = element("What", "combobox", "select", facts=Facts(options=("Nothing", label)))
    yield "button", CLICK, element(label)
    if label not in NAMES_ON_LINKS:
        yield "link", CLICK, link(label)
    yield "submit", CLICK, submit(label)
    yield "box", CLICK, element(label, "generic", "div")
    yield "image", CLICK, element(label, "img", "img", text="")
    yield "menu", CLICK, element(label, "menuitem", "div")
    yield "summary", CLICK, element(label, "generic", "summary")
    yield "space", a.Press(key="Space", target="x"), element(label)
    yield "enter", a.Press(key="Enter", target="x"), field("Name", enter=label, form=form)
    yield "line", a.Type(text="x\n", target="x"), field("Name", enter=label, form=form)
    if any(map(str.isalpha, label)):  # An amount alone is one of several in a list.
        yield "box to tick", a.Check(target="x"), element(label, "checkbox", "input", lone, text="")
        yield "option", a.Select(target="x", values=(label,)), options
        yield "value", a.Select(target="x", values=("1",)), options


def test_an_announced_effect_is_asked_about_whatever_carries_its_words() -> None:
    missed = [
        (label, shape)
        for label in ROWS
        for shape, action, target in shapes(label)
        if kind(action, target) != "ask"
    ]
    assert missed == []


@pytest.mark.parametrize("said", [*HARMLESS.values(), MORE_HARMLESS])
def test_a_harmless_label_is_pressed_without_asking(said: str) -> None:
    for control in (element, link):
        asked = [label for label in labels(said) if kind(CLICK, control(label)) != "allow"]
        assert asked == []


@pytest.mark.parametrize(("around", "label", "rule"), IN_CONTEXT)
def test_a_yes_means_what_it_stands_in(around: str, label: str, rule: str) -> None:
    verdict = decide(CLICK, element(label, around=around))
    assert (verdict.rule if verdict.kind == "ask" else "") == rule


@pytest.mark.parametrize(("rule", "said"), [group for group in GROUPS if group[0] in REFUSED])
def test_l10_offers_payments_and_deletions_are_refused_by_class_in_a_cancellation(
    rule: str, said: list[str]
) -> None:
    for label in said:
        verdict = decide(CLICK, element(label), cancel=True)
        assert (label, verdict.kind, verdict.rule) == (label, "deny", rule)


def test_the_final_step_of_a_cancellation_is_asked_and_not_refused() -> None:
    for label in (label for rule, said in GROUPS if rule == "final-cancel" for label in said):
        assert (label, kind(CLICK, element(label), cancel=True)) == (label, "ask")


@pytest.mark.parametrize(
    "label",
    [
        "Keep my plan",
        "Keep 200 GB",
        "Stay",
        "Apply coupon",
        "Abo behalten",
        "Garder mon abonnement",
    ],
)
def test_giving_up_a_cancellation_is_for_the_person(label: str) -> None:
    assert kind(CLICK, element(label)) == "allow"
    assert (decide(CLICK, element(label), cancel=True).kind) == "deny"


def test_a_ticked_offer_makes_a_submit_accept_it() -> None:
    form: Any = ((("Reason", "Other"),), ("Keep my discount and stay",))
    verdict = decide(CLICK, submit("Submit", form=form), cancel=True)
    assert (verdict.kind, verdict.rule) == ("deny", "accept-offer")
    assert kind(CLICK, submit("Submit", form=((), ("I have read the terms",)))) == "allow"


def test_what_is_ticked_counts_for_a_bare_yes_outside_a_form_and_for_nothing_else() -> None:
    ticked = Form(ticked=("Cancel my subscription today",))
    assert decide(CLICK, element("Continue", form=ticked)).rule == "final-cancel"
    assert kind(CLICK, element("Search", form=ticked)) == "allow"
    offer = element("Confirm", form=Form(ticked=("Keep my discount",)), around="Cancel plan?")
    assert (decide(CLICK, offer, cancel=True).kind) == "deny"


def test_a_fee_around_a_cancellation_is_asked_about_as_money_and_not_refused() -> None:
    around = (
        "Cancel subscription? An early termination fee of $45 will be charged today. Back Confirm"
    )
    verdict = decide(CLICK, element("Confirm", around=around), cancel=True)
    assert (verdict.kind, verdict.rule, verdict.effect) == ("ask", "final-cancel", "money")
    assert "spends money" in verdict.reason


def test_an_offer_that_pays_in_its_own_words_is_refused_beside_a_cancellation() -> None:
    verdict = decide(CLICK, element("Pay the fee and cancel", around="Cancel?"), cancel=True)
    assert (verdict.kind, verdict.rule) == ("deny", "money")


def test_a_yes_without_a_known_subject_asks_where_there_is_no_way_back() -> None:
    around = "Are you sure? This cannot be undone."
    assert decide(CLICK, element("Yes", around=around)).rule == "cannot-undo"
    assert kind(CLICK, element("Go back", around=around)) == "allow"


def test_an_icon_without_a_name_is_judged_by_what_it_is_called_and_stands_in() -> None:
    trash = element("", facts=Facts(hint="~trash"), text="")
    assert decide(CLICK, trash).rule == "delete"
    assert kind(CLICK, element("", text="", facts=Facts(hint="~menu"))) == "allow"
    nameless = submit("", around="Your order. Total due today $45")
    assert decide(CLICK, nameless).rule == "money"


def test_the_address_of_a_form_tells_what_a_bare_yes_means() -> None:
    assert decide(CLICK, submit("Continue", f"{SITE}/account/delete")).rule == "delete"
    for label in ("Save", "Back", "Show more"):
        assert decide(CLICK, submit(label, f"{SITE}/account/delete")).rule == "delete"
    assert decide(CLICK, submit("Continue", f"{SITE}/subscription/delete")).rule == "final-cancel"
    assert decide(CLICK, submit("Continue", f"{SITE}/subscription/cancel")).rule == "final-cancel"
    assert kind(CLICK, submit("Continue", f"{SITE}/account/address")) == "allow"


def test_a_submit_that_carries_a_message_sends_it() -> None:
    form: Any = ((("Name", "Ann"), ("Your message", "Hi")), ())
    assert decide(CLICK, submit("Submit", form=form)).rule == "send"
    assert kind(CLICK, submit("Submit", form=((("Name", "Ann"),), ()))) == "allow"


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("Continue", "Delete account", "delete"),
        ("Delete account", "Continue", "delete"),
        ("Back", "Weiter zum Glück", "label-mismatch"),
        ("Close", "Agree to everything", "label-mismatch"),
        ("Close", "×", ""),
        ("Next page", "›", ""),
        ("Open main menu", "Menu", ""),
        ("Share on Facebook", "Facebook", ""),
        ("Read more about tax (opens in a new tab)", "Read more about tax", ""),
        ("Sign in", "SIGN IN", ""),
        ("Settings", "\ue8b8", ""),
        ("Reply to Anna", "Replies", ""),
        ("3 comments", "3", ""),
        ("", "Menu", ""),
        ("Menu", "", ""),
        ("A very long title that is cut somewhere", "A very long title…", ""),
    ],
)
def test_h20_a_label_that_tells_eye_and_ear_different_things_asks(
    name: str, text: str, rule: str
) -> None:
    verdict = decide(CLICK, element(name, text=text))
    assert (verdict.rule if verdict.kind == "ask" else "") == rule


def test_a_mismatch_does_not_turn_a_refusal_into_a_question() -> None:
    verdict = decide(CLICK, element("Zurück", text="Pay now"), cancel=True)
    assert (verdict.kind, verdict.rule) == ("deny", "money")


@pytest.mark.parametrize(
    "role", ["textbox", "checkbox", "tab", "generic", "img", "heading", "none", "option"]
)
@pytest.mark.parametrize("tag", ["button", "div", "span", "a", "summary", "label"])
def test_a_role_that_a_page_gives_itself_hides_no_words(role: str, tag: str) -> None:
    for name in (
        "Pay now",
        "Delete account",
        "Cancel subscription",
        "Accept offer",
        "Send message",
    ):
        assert kind(CLICK, element(name, role, tag)) == "ask"


def test_a_button_in_letters_nobody_here_reads_asks() -> None:
    assert decide(CLICK, element("立即支付")).rule == "unreadable-label"
    assert kind(CLICK, link("新闻")) == "allow"


@pytest.mark.parametrize(
    "headline",
    [
        "How to cancel your subscription to anything in five minutes",
        "Why nurses want to pay less tax and buy more homes this year",
        "Trump pays $3 million and sends a message to the markets",
        "Warum viele Kunden ihren Vertrag nicht kündigen wollen und was hilft",
    ],
)
def test_a_headline_is_not_a_command(headline: str) -> None:
    assert kind(CLICK, link(headline)) == "allow"


def test_a_title_says_nothing_about_what_follows_it() -> None:
    assert kind(CLICK, link("How to delete your account")) == "allow"
    assert decide(CLICK, link("How do we end this? Delete account")).rule == "delete"


def test_a_long_link_that_commands_is_asked_about() -> None:
    label = "Yes, I understand all that and want to delete my account today"
    assert decide(CLICK, link(label)).rule == "delete"


@pytest.mark.parametrize("href", [f"{SITE}/account#", "javascript:void(0)", ""])
def test_a_link_that_leads_nowhere_is_a_button(href: str) -> None:
    label = "By pressing this long sentence you agree that we charge your card monthly"
    assert decide(CLICK, link(label, href)).rule == "money"


def test_a_word_that_publishes_by_itself_counts_on_anything_but_a_link() -> None:
    for tag, role in (("button", "button"), ("div", "generic"), ("span", "button")):
        assert decide(CLICK, element("Post", role, tag)).rule == "send"
    assert (
        kind(CLICK, link("Post")) == kind(CLICK, element("Latest post", "heading", "h2")) == "allow"
    )


def test_prices_count_where_pressing_pays() -> None:
    assert decide(CLICK, element("Blue shirt now $20")).rule == "money"
    assert kind(CLICK, link("Blue shirt $20")) == "allow"
    assert decide(CLICK, link("Get it for $20")).rule == "money"
    assert kind(CLICK, element("Monthly $9.99", "tab", "div")) == "allow"


# Ways to press


def test_a_click_into_a_field_is_no_press() -> None:
    assert kind(CLICK, field("Delete account reason")) == "allow"
    assert kind(CLICK, field("Send message", tag="textarea")) == "allow"


@pytest.mark.parametrize("key", ["Enter", "Space", "Control+Enter", "Shift+Enter"])
def test_enter_or_space_on_a_button_is_a_press(key: str) -> None:
    assert decide(a.Press(key=key, target="x"), element("Delete account")).rule == "delete"
    assert kind(a.Press(key=key, target="x"), element("Next")) == "allow"


@pytest.mark.parametrize("key", ["Tab", "Escape", "ArrowDown", "a"])
def test_other_keys_press_no_button(key: str) -> None:
    assert kind(a.Press(key=key, target="x"), element("Delete account")) == "allow"


def test_enter_is_judged_as_the_button_it_presses() -> None:
    form = Form(f"{SITE}/pay", "post")
    pay = field("Street", enter="Pay $45", form=form)
    assert decide(a.Press(key="Enter", target="x"), pay).rule == "money"
    assert decide(a.Type(text="Main Street\n", target="x"), pay).rule == "money"
    assert kind(a.Type(text="Main Street", target="x"), pay) == "allow"
    assert kind(a.Press(key="Enter", target="x"), field("Search", enter="Search")) == "allow"


def test_enter_on_a_box_or_a_list_sends_their_form() -> None:
    form = Form(f"{SITE}/order", "post", 7)
    box = element(
        "I agree", "checkbox", "input", int(Flag.CHECKABLE), form=form, enter="Place order"
    )
    choice = element("Size", "combobox", "select", form=form, enter="Place order")
    for target in (box, choice):
        assert decide(a.Press(key="Enter", target="x"), target).rule == "money"
        assert kind(a.Press(key="Tab", target="x"), target) == "allow"
    assert kind(a.Press(key="Space", target="x"), box) == "allow"


def test_typing_a_space_or_a_line_on_a_button_presses_it() -> None:
    for text in (" ", "x\n"):
        assert decide(a.Type(text=text, target="x"), element("Delete account")).rule == "delete"
    assert kind(a.Type(text="x", target="x"), element("Delete account")) == "allow"


def test_enter_in_a_chat_sends() -> None:
    chat = field("Message", Facts(placeholder="Write a message"), tag="div")
    assert decide(a.Press(key="Enter", target="x"), chat).rule == "send"
    assert decide(a.Type(text="hello\n", target="x"), chat).rule == "send"
    notes = field("Notes", tag="textarea")
    assert kind(a.Press(key="Enter", target="x"), notes) == "allow"
    assert decide(a.Press(key="Control+Enter", target="x"), notes).rule == "send"


def test_keys_that_go_on_after_the_focus_left_are_not_typed_blindly() -> None:
    name = field("Name", enter="Search")
    for text in ("Ann\tsecret", "Ann\nsecret"):
        assert decide(a.Type(text=text, target="x"), name).rule == "keys-leave-field"
    assert kind(a.Type(text="Ann\t", target="x"), name) == "allow"
    assert kind(a.Type(text="one\ntwo", target="x"), field("Notes", tag="textarea")) == "allow"


def test_options_are_judged_by_their_words() -> None:
    box = element(
        "What to do", "combobox", "select", facts=Facts(options=("Nothing", "Delete account"))
    )
    assert decide(a.Select(target="x", values=("Delete account",)), box).rule == "delete"
    assert kind(a.Select(target="x", values=("Nothing",)), box) == "allow"
    assert decide(a.Select(target="x", values=("2",)), box).rule == "delete"
    assert decide(a.Press(key="ArrowDown", target="x"), box).rule == "delete"
    calm = element("Country", "combobox", "select", facts=Facts(options=("Chad", "Peru")))
    assert kind(a.Select(target="x", values=("PE",)), calm) == "allow"


def test_boxes_are_judged_by_what_ticking_them_says() -> None:
    def box(name: str, on: bool = False) -> Resolved:
        flags = Flag.CHECKABLE | (Flag.CHECKED if on else 0)
        form = Form(f"{SITE}/form", "post", 7)
        return element(name, "checkbox", "input", int(flags), text="", form=form)

    assert decide(a.Check(target="x"), box("Delete all my data")).rule == "delete"
    assert kind(a.Uncheck(target="x"), box("Delete all my data", True)) == "allow"
    assert kind(CLICK, box("Delete all my data", True)) == "allow"
    for harmless in (
        "Email me news and offers",
        "I accept the terms",
        "Send me updates",
        "Pay in full",
    ):
        assert kind(a.Check(target="x"), box(harmless)) == "allow"
    lone = element("Pay now and then", "checkbox", "input", int(Flag.CHECKABLE), text="")
    assert decide(a.Check(target="x"), lone).rule == "money"
    assert decide(a.Uncheck(target="x"), box("Auto-renew", True)).rule == "final-cancel"
    assert decide(CLICK, box("Automatische Verlängerung", True)).rule == "final-cancel"
    assert decide(a.Check(target="x"), box("Rinnovo automatico")).rule == "money"
    assert kind(a.Check(target="x"), box("Auto-renew"), cancel=True) == "deny"


def test_a_drag_is_judged_at_both_ends() -> None:
    drag = a.Drag(source="x", target="y")
    thing, bin_ = element("Report.pdf", "listitem", "li"), element("Empty trash", "img", "img")
    assert decide(drag, thing, bin_).rule == "delete"
    assert kind(drag, thing, element("Folder", "listitem", "li")) == "allow"
    slider = element("Slide to pay", "slider", "div")
    assert kind(drag, slider, element("Done", "img", "img")) == "ask"


def test_typing_the_word_that_deletes_is_refused_in_a_cancellation() -> None:
    confirm = field("Type DELETE to confirm")
    fill = a.Fill(target="x", value="DELETE")
    assert (decide(fill, confirm, cancel=True).kind, kind(fill, confirm)) == ("deny", "allow")
    word = a.Fill(target="x", value="CANCEL")
    assert kind(word, field("Type CANCEL to confirm"), cancel=True) == "allow"


# Secrets and puzzles


@pytest.mark.parametrize("secret", ["password", "code", "card"])
@pytest.mark.parametrize(
    "action",
    [
        a.Fill(target="x", value="1"),
        a.Clear(target="x"),
        a.Type(text="1", target="x"),
        a.Press(key="1", target="x"),
        a.Press(key="Control+V", target="x"),
        a.Select(target="x", values=("1",)),
    ],
)
def test_l7_a_secret_is_typed_by_the_person_only(secret: str, action: a.AtomicAction) -> None:
    for flags in (0, int(Flag.SECRET)):
        target = field("PIN", Facts(secret=secret))
        target = element("PIN", "textbox", "input", flags | int(Flag.EDITABLE), target.facts)
        verdict = decide(action, target)
        assert (verdict.kind, verdict.rule, verdict.effect) == (
            "hand_over",
            "secret-field",
            "credential",
        )


def test_a_drag_into_a_secret_field_is_handed_over() -> None:
    secret = element("Code", "textbox", "input", int(Flag.EDITABLE | Flag.SECRET))
    assert kind(a.Drag(source="x", target="y"), element("123", "img", "img"), secret) == "hand_over"


def test_looking_at_a_secret_field_and_signing_in_are_allowed() -> None:
    secret = element(
        "Password", "textbox", "input", int(Flag.EDITABLE | Flag.SECRET), enter="Sign in"
    )
    assert kind(CLICK, secret) == "allow"
    assert kind(a.Press(key="Enter", target="x"), secret) == "allow"
    assert kind(a.Press(key="Tab", target="x"), secret) == "allow"
    assert kind(CLICK, link("Sign in")) == "allow"


@pytest.mark.parametrize("puzzle", [{"captcha": True}, {"facts": Facts(captcha=True)}])
@pytest.mark.parametrize(
    "action",
    [CLICK, a.Check(target="x"), a.Fill(target="x", value="w"), a.Press(key="Space", target="x")],
)
def test_a_puzzle_for_people_is_handed_over(puzzle: dict[str, Any], action: a.AtomicAction) -> None:
    assert decide(action, element("I'm not a robot", "checkbox", **puzzle)).rule == "captcha"
    assert kind(a.Hover(target="x"), element("I'm not a robot", "checkbox", **puzzle)) == "allow"


# Native dialogs


def dialog(kind: str, message: str) -> Situation:
    return Situation(HERE.page, DialogInfo(kind, message))


@pytest.mark.parametrize("what", ["confirm", "prompt", "beforeunload"])
def test_h6_a_native_dialog_is_accepted_only_after_asking(what: str) -> None:
    verdict = decide(a.Dialog(accept=True), situation=dialog(what, "Go on?"))
    assert (verdict.kind, verdict.rule, verdict.effect) == ("ask", "native-dialog", "irreversible")
    assert "Go on?" in verdict.reason
    assert kind(a.Dialog(accept=False), situation=dialog(what, "Go on?")) == "allow"


def test_an_alert_is_simply_closed() -> None:
    assert kind(a.Dialog(accept=True), situation=dialog("alert", "Delete account?")) == "allow"


def test_a_dialog_about_money_or_deletion_is_refused_in_a_cancellation() -> None:
    yes = a.Dialog(accept=True)
    assert kind(yes, situation=dialog("confirm", "Delete your account?"), cancel=True) == "deny"
    assert decide(yes, situation=dialog("confirm", "Your card will be charged.")).effect == "money"
    assert kind(yes, situation=dialog("confirm", "Cancel your subscription?"), cancel=True) == "ask"


def test_a_no_that_cancels_is_asked_about() -> None:
    stay = dialog("confirm", "Do you want to keep your subscription?")
    assert kind(a.Dialog(accept=False), situation=stay) == "ask"


def test_a_secret_is_not_typed_into_a_prompt() -> None:
    asks = dialog("prompt", "Please enter your password")
    assert kind(a.Dialog(accept=True, text="hunter2"), situation=asks) == "hand_over"
    assert kind(a.Dialog(accept=True, text="Ann"), situation=dialog("prompt", "Your name")) == "ask"


# Sites


@pytest.mark.parametrize(
    ("url", "expected", "rule"),
    [
        ("https://shop.example/x", "allow", "web-address"),
        ("https://www.shop.example/", "allow", "web-address"),
        ("HTTPS://SHOP.EXAMPLE.:8443/x", "allow", "web-address"),
        (" https://shop.example/x\n", "allow", "web-address"),
        ("about:blank", "allow", "blank-page"),
        ("https://evil.example/", "ask", "leaves-sites"),
        ("https://shop.example.evil.example/", "ask", "leaves-sites"),
        ("https://sub.shop.example/", "ask", "leaves-sites"),
        ("https://xn--shp-6na.example/", "ask", "leaves-sites"),
        ("https://shop.example@evil.example/", "deny", "address-userinfo"),
        ("https://shop.example:x@evil.example/", "deny", "address-userinfo"),
        ("https:shop.example:x@evil.example/", "deny", "address-userinfo"),
        ("http://2130706433/", "ask", "leaves-sites"),
        ("file:///etc/passwd", "deny", "address-scheme"),
        ("FILE:///etc/passwd", "deny", "address-scheme"),
        ("chrome://settings", "deny", "address-scheme"),
        ("chrome-extension://abc/x.html", "deny", "address-scheme"),
        ("view-source:https://shop.example/", "deny", "address-scheme"),
        ("javascript:alert(1)", "deny", "address-scheme"),
        ("java\nscript:alert(1)", "deny", "address-scheme"),
        (" \tjavascript:alert(1)", "deny", "address-scheme"),
        ("data:text/html,x", "deny", "address-scheme"),
        ("blob:https://shop.example/1", "deny", "address-scheme"),
        ("about:srcdoc", "deny", "address-scheme"),
        ("about:config", "deny", "address-scheme"),
        ("shop.example", "deny", "address-scheme"),
        ("https://", "deny", "address-scheme"),
        ("https://shop.example/p?u=https://evil.example/a", "ask", "address-in-address"),
        ("https://shop.example/p?u=https%3A%2F%2Fevil.example", "ask", "address-in-address"),
        ("https://shop.example/https://evil.example/a", "ask", "address-in-address"),
        ("https://shop.example/p?next=https://shop.example/a", "allow", "web-address"),
    ],
)
def test_h11_h12_h14_an_address_is_judged_by_its_parsed_host(
    url: str, expected: str, rule: str
) -> None:
    for action in (a.Navigate(url=url), a.OpenTab(url=url)):
        verdict = decide(action)
        assert (verdict.kind, verdict.rule) == (expected, rule)
        assert bool(verdict.host) == (rule == "leaves-sites")


def test_h15_a_look_alike_host_is_shown_as_it_is_called() -> None:
    verdict = decide(a.Navigate(url="https://sh\u043ep.example/"))
    assert verdict.host.startswith("xn--")
    assert verdict.host in verdict.reason


def test_without_sites_every_address_asks_and_no_page_is_acted_on() -> None:
    nowhere = CANCEL_TASK.__class__("t3")
    assert POLICY.decide(a.Navigate(url=SITE), (), HERE, nowhere).kind == "ask"
    assert POLICY.decide(CLICK, [element("Next")], HERE, nowhere).kind == "deny"


ACTING = [
    CLICK,
    a.Fill(target="x", value="1"),
    a.Press(key="Tab", target="x"),
    a.Check(target="x"),
    a.Select(target="x", values=("1",)),
    a.Reload(),
    a.Dialog(accept=True),
]


@pytest.mark.parametrize("action", ACTING)
@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/",
        "data:text/html,x",
        "blob:https://shop.example/1",
        "file:///x",
        "chrome://version",
        "chrome-error://chromewebdata/",
    ],
)
def test_h10_nothing_is_done_on_a_page_outside_the_sites(action: a.AtomicAction, url: str) -> None:
    there = Situation(PageInfo(url, ""), DialogInfo("alert", "x"))
    verdict = decide(action, element("Next", frames=(), origin="null"), situation=there)
    assert (verdict.kind, verdict.rule) == (
        "deny",
        "outside-sites" if url.startswith("http") else "page-scheme",
    )


@pytest.mark.parametrize(
    "action",
    [
        a.TakeSnapshot(),
        a.Back(),
        a.Hover(target="x"),
        a.Screenshot(),
        a.ListTabs(),
        a.CloseTab(),
        a.Navigate(url=SITE),
        a.Dialog(accept=False),
    ],
)
def test_h10_looking_and_going_back_stay_possible_there(action: a.AtomicAction) -> None:
    there = Situation(PageInfo("https://evil.example/", ""))
    assert kind(action, element("Next"), situation=there) == "allow"


def test_an_empty_page_can_be_used() -> None:
    blank = Situation(PageInfo("about:blank", ""))
    target = element("Next", origin="null", frames=("null",), frame_url="about:blank")
    assert kind(CLICK, target, situation=blank) == "allow"


def test_h23_a_frame_of_another_site_asks_and_names_it() -> None:
    foreign = element(
        "Next",
        origin="https://ads.example",
        frames=(SITE, "https://ads.example"),
        frame_url="https://ads.example/x",
    )
    for action in (CLICK, a.Fill(target="x", value="1"), a.Press(key="Tab", target="x")):
        verdict = decide(action, foreign)
        assert (verdict.kind, verdict.rule) == ("ask", "foreign-frame")
        assert "ads.example" in verdict.reason
    assert kind(a.Hover(target="x"), foreign) == "allow"
    final = element(
        "Finish cancellation",
        frames=(SITE, "https://ads.example"),
        frame_url="https://ads.example/x",
    )
    verdict = decide(CLICK, final)
    assert (verdict.kind, verdict.rule, verdict.effect) == ("ask", "final-cancel", "irreversible")
    assert "ads.example" in verdict.reason
    billing = CANCEL_TASK.__class__("t", ("shop.example", "ads.example"))
    assert POLICY.decide(CLICK, [foreign], HERE, billing).kind == "allow"


def test_a_frame_inside_a_foreign_frame_is_foreign_too() -> None:
    nested = element("Next", frames=(SITE, "https://ads.example", SITE))
    assert decide(CLICK, nested).rule == "foreign-frame"
    sandboxed = element("Next", origin="null", frames=(SITE, "null"), frame_url="about:srcdoc")
    assert decide(CLICK, sandboxed).rule == "foreign-frame"
    own = element("Next", frames=(SITE, SITE), frame_url="about:srcdoc")
    assert kind(CLICK, own) == "allow"


@pytest.mark.parametrize(
    "url", ["data:text/html,x", "blob:https://shop.example/1", "filesystem:https://shop.example/x"]
)
def test_h11_nothing_is_done_in_a_frame_that_nobody_signs(url: str) -> None:
    assert decide(CLICK, element("Next", frames=(SITE, SITE), frame_url=url)).rule == "page-scheme"


def test_a_password_in_a_foreign_frame_is_handed_over_and_not_asked() -> None:
    card = element(
        "Card",
        "textbox",
        "input",
        int(Flag.EDITABLE | Flag.SECRET),
        frames=(SITE, "https://pay.example"),
    )
    assert kind(a.Fill(target="x", value="1"), card) == "hand_over"


@pytest.mark.parametrize(
    ("href", "expected", "rule"),
    [
        ("https://evil.example/", "ask", "leaves-sites"),
        ("https://shop.example/next", "allow", "default"),
        ("javascript:void(0)", "allow", "default"),
        ("mailto:ann@shop.example", "deny", "starts-program"),
        ("tel:+123", "deny", "starts-program"),
        ("itms-apps://x", "deny", "starts-program"),
        ("data:text/html,x", "deny", "address-scheme"),
        ("", "allow", "default"),
    ],
)
def test_a_link_is_judged_by_where_it_leads(href: str, expected: str, rule: str) -> None:
    for action in (CLICK, a.Press(key="Enter", target="x")):
        for target in ("", "_blank"):
            verdict = decide(action, link("Next", href, target=target))
            assert (verdict.kind, verdict.rule) == (
                expected,
                rule if expected != "allow" else verdict.rule,
            )
    assert kind(a.Hover(target="x"), link("Next", href)) == "allow"


def test_h22_a_form_that_sends_elsewhere_asks() -> None:
    verdict = decide(CLICK, submit("Next", "https://evil.example/take"))
    assert (verdict.kind, verdict.rule, verdict.host) == ("ask", "leaves-sites", "evil.example")
    form = Form("https://evil.example/take", "post")
    typed = field("Name", enter="Next", form=form)
    assert decide(a.Press(key="Enter", target="x"), typed).rule == "leaves-sites"
    assert kind(a.Fill(target="x", value="Ann"), typed) == "allow"
    plain = element("Show more", form=form)
    assert kind(CLICK, plain) == "allow"


def test_an_effect_that_also_leaves_the_sites_is_one_question_with_both_reasons() -> None:
    verdict = decide(CLICK, submit("Pay now", "https://pay.example/x"))
    assert (verdict.rule, verdict.effect, verdict.host) == ("money", "money", "pay.example")
    assert "pay.example" in verdict.reason and "spends money" in verdict.reason


# Files, and what no rule knows


def test_files_of_this_machine_are_given_away_only_after_asking() -> None:
    disk = a.Upload(target="x", files=("/home/ann/id.pdf",))
    content = a.Upload(target="x", files=(a.File(name="a.txt", content=b"x"),))
    box = element("Choose file", "file", "input")
    assert (decide(disk, box).kind, decide(disk, box).rule) == ("ask", "upload-from-disk")
    assert kind(content, box) == "allow"
    assert kind(disk, box, cancel=True) == kind(content, box, cancel=True) == "deny"


def test_every_action_has_a_verdict_and_an_unknown_one_is_refused() -> None:
    class Burn(a.BaseAction, tag="burn", frozen=True):
        pass

    verdict = POLICY.decide(Burn(), [element("Next")], HERE, TASK)  # type: ignore[arg-type]
    assert (verdict.kind, verdict.rule) == ("deny", "unknown-action")


def test_what_is_not_resolved_is_not_done_unasked() -> None:
    assert decide(CLICK).rule == "no-target"
    assert kind(a.Press(key="Tab")) == "allow"
    assert kind(a.Type(text="x")) == "allow"


@pytest.mark.parametrize(
    ("action", "effect"),
    [
        (a.TakeSnapshot(), "look"),
        (a.Hover(target="x"), "look"),
        (a.Scroll(direction="down"), "look"),
        (a.Wait(quiet=True), "look"),
        (CLICK, "move"),
        (a.Back(), "move"),
        (a.Navigate(url=SITE), "move"),
        (a.Fill(target="x", value="1"), "write"),
        (a.Select(target="x", values=("1",)), "write"),
    ],
)
def test_every_verdict_says_what_kind_of_effect_it_is_about(
    action: a.AtomicAction, effect: str
) -> None:
    assert decide(action, element("Next")).effect == effect


# Cost


def test_a_decision_costs_well_under_half_a_millisecond() -> None:
    around = (
        "Your plan Premium renews on 3 May for $9.99. Manage your plan, payment and address. " * 4
    )
    targets = [element(name, around=around[:400]) for name in ROWS] + [link(name) for name in CALM]
    for target in targets[:20]:
        decide(CLICK, target)
    costs = []
    for target in targets:
        begun = time.process_time()
        decide(CLICK, target)
        costs.append(time.process_time() - begun)
    print(
        f"decide: median {median(costs) * 1e6:.0f} us, worst {max(costs) * 1e6:.0f} us, n={len(costs)}"
    )
    assert median(costs) < 0.0005


def test_a_hostile_label_costs_bounded_time() -> None:
    begun = time.process_time()
    for text in ("cancel " * 5000, "delete one two three " * 2000, "a" * 1_000_000, "é" * 100_000):
        decide(CLICK, element(text[:1000], text=text[-300:], around=text[:400]))
    assert time.process_time() - begun < 0.5

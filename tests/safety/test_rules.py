"""The rules as data: what is not understood is refused, and a pack can only tighten."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from subterminator.actions import Click
from subterminator.errors import InvalidParams
from subterminator.safety import rules as module
from subterminator.safety.meaning import Control, Interpreter
from subterminator.safety.policy import RulePolicy, Verdict
from subterminator.safety.rules import Rules, RulesBroken, Tightening, load_rules, parse_rules
from tests.safety.elements import CANCEL_TASK, HERE, RULES, TASK, element

TEXT = Path(module.__file__).with_name("rules.toml").read_text("utf-8")


def verdict(rules: Rules, name: str, *, cancel: bool = False) -> Verdict:
    task = CANCEL_TASK if cancel else TASK
    return RulePolicy(rules).decide(Click(target="x"), [element(name)], HERE, task)


def test_every_rule_gives_a_reason_and_words_in_all_five_languages() -> None:
    for rule in RULES.book.rule:
        assert rule.reason.endswith(".")
        if rule.id != "never":
            assert set(rule.words) == {"en", "de", "fr", "es", "it"}, rule.id


def test_accepting_paying_and_deleting_are_refused_where_the_task_is_to_cancel() -> None:
    refused = {rule.id for rule in RULES.book.rule if rule.in_cancel == "deny"}
    assert refused == {"never", "delete", "money", "accept-offer", "keep-plan"}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('verdict = "ask"', 'verdict = "perhaps"', "Line "),
        ('effect = "money"', 'effect = "cheap"', "Line "),
        ("[price]", "[prices]", "Line "),
        ('id = "delete"', 'id = "remove"', "lack delete"),
        ('id = "delete"', 'id = "delete"\nsurprise = 1', "Line "),
        ("[[rule]]", "[[rule", "line"),
        ('"delete key"', '"delete {house}"', "Line "),
        ('"delete key"', '"delete .."', "Line "),
        ("[nouns.it]", "[nouns.xx]", "Line "),
    ],
)
def test_broken_rules_stop_the_start_and_name_the_line(old: str, new: str, says: str) -> None:
    assert old in TEXT
    with pytest.raises(RulesBroken, match=says) as caught:
        parse_rules(TEXT.replace(old, new, 1))
    assert isinstance(caught.value, InvalidParams)
    assert "nothing is done without them" in str(caught.value)


def test_the_line_named_is_the_one_of_the_fault() -> None:
    line = next(n for n, text in enumerate(TEXT.splitlines(), 1) if '"delete key"' in text)
    with pytest.raises(RulesBroken, match=f"Line {line} of"):
        parse_rules(TEXT.replace('"delete key"', '"delete {house}"'))


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"", b"[[rule]]"])
def test_unreadable_rules_are_an_error_and_not_no_rules(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "rules.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(RulesBroken):
        load_rules(file)


def test_a_pack_adds_words_to_a_rule() -> None:
    assert verdict(RULES, "Sayonara").kind == "allow"
    tighter = RULES.tightened({"words": {"final-cancel": ["Sayonara"]}})
    assert (verdict(tighter, "Sayonara").kind, verdict(tighter, "Sayonara").rule) == (
        "ask",
        "final-cancel",
    )
    assert verdict(RULES, "Sayonara").kind == "allow"


def test_a_pack_names_what_is_never_pressed() -> None:
    tighter = RULES.tightened(Tightening(never=("Talk to us first",)))
    assert (
        verdict(tighter, "Talk to us first").kind,
        verdict(tighter, "Talk to us first").rule,
    ) == ("deny", "never")
    assert verdict(tighter, "Why people talk to us first about money").kind == "allow"


def test_a_pack_can_refuse_what_is_otherwise_asked() -> None:
    tighter = RULES.tightened({"deny": ["send"]})
    assert verdict(RULES, "Send message").kind == "ask"
    assert verdict(tighter, "Send message").kind == "deny"


def test_tightening_adds_up() -> None:
    tighter = RULES.tightened({"never": ["One"]}).tightened({"never": ["Two"]})
    assert verdict(tighter, "One").kind == verdict(tighter, "Two").kind == "deny"


@pytest.mark.parametrize(
    "extra",
    [
        {"allow": ["money"]},
        {"words": {"nothing": ["x"]}},
        {"deny": ["nothing"]},
        {"remove": ["delete"]},
        {"unless": ["Pay now"]},
        {"words": {"money": {"unless": ["Pay now"]}}},
        {"verdicts": {"money": "allow"}},
        {"never": "Pay"},
        {"never": [1]},
    ],
)
def test_g11_a_pack_that_would_loosen_a_rule_is_refused(extra: Mapping[str, object]) -> None:
    with pytest.raises(RulesBroken):
        RULES.tightened(extra)


@pytest.mark.parametrize(
    "phrase",
    ["", " ", "*", "a*", "(a+)+$", "the", "x" * 81, "a|b", "{plan}", "#", "..", "?", "12"],
)
def test_g12_a_pack_writes_plain_words_only(phrase: str) -> None:
    with pytest.raises(RulesBroken):
        RULES.tightened({"never": [phrase]})


def test_g12_a_pack_cannot_add_without_end() -> None:
    with pytest.raises(RulesBroken):
        RULES.tightened({"never": [f"word number {n}" for n in range(201)]})


def test_everything_asked_before_is_still_asked_after_any_tightening() -> None:
    tighter = RULES.tightened({"never": ["Pay"], "words": {"send": ["Pay now"]}, "deny": ["send"]})
    for name in ("Pay now", "Delete account", "Cancel subscription", "Send", "Accept offer"):
        assert verdict(RULES, name).kind != "allow"
        assert verdict(tighter, name).kind != "allow"


@pytest.mark.parametrize("words", ["Pause or cancel", "Pausar o cancelar", "Pause oder kündigen"])
def test_a_link_that_names_leaving_too_is_not_what_a_pack_never_presses(words: str) -> None:
    never = RULES.tightened(Tightening(never=("Pause", "Pausar")))
    read = Interpreter(never)
    both = read.interpret(Control((words,), "link")).rule
    assert both is None or both.id == "final-cancel"
    for kept in ("Pause", "Pause or skip a month", "Yes, pause"):
        rule = read.interpret(Control((kept,), "link")).rule
        assert rule is not None and rule.id == "never"
    pressed = read.interpret(Control((words,), "button")).rule
    assert pressed is not None and pressed.id == "never"

"""The rules as data: what the words of a control say it does, read from rules.toml and checked.

What cannot be read or is not understood stops the start. A pack may add to them, never take away.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.safety.lexicon import RulesBroken as RulesBroken
from subterminator.safety.lexicon import Writer
from subterminator.safety.wording import Phrase, Phrases, words

Effect = Literal["look", "move", "write", "irreversible", "money", "credential"]
Kind = Literal["allow", "ask", "hand_over", "deny"]
Language = Literal["en", "de", "fr", "es", "it"]
NEVER = "never"
NEEDED = {NEVER, "delete", "money", "accept-offer", "final-cancel", "send"}
EVERYWHERE = "*"
MOST_ADDED = 200
LONGEST_ADDED = 80
PLACE = re.compile(r"\$\.(rule)\[(\d+)\]|\$\.(\w+)")


class WordLists(Struct, frozen=True, forbid_unknown_fields=True):
    """What one language says for one rule, on the control itself and around it.

    `alone` is all of a clause, `begins` its beginning, `contains` any part. `pressed` begins one
    and `ends` ends one too, but not on what is only ticked or chosen; `submits` is all of one on
    what sends a form, `buttons` on any button; `switches` can be on or off; `hints` is what an icon
    without words is called. `unless` is harmless. `about` is said around a control whose yes then
    means this, `fields` are labels in its form; `settles` says outright that this happens next.
    """

    alone: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    pressed: tuple[str, ...] = ()
    submits: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    settles: tuple[str, ...] = ()


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One effect that words can announce. `in_cancel` holds where the task is to cancel.

    `choices` says whether it also holds for what is only ticked or chosen.
    """

    id: str
    effect: Effect
    verdict: Kind
    in_cancel: Kind
    reason: str
    choices: bool = True
    words: dict[Language, WordLists] = {}


class Speech(Struct, frozen=True, forbid_unknown_fields=True):
    """How one language says yes and no.

    `light` words count for nothing at the edges of a clause. `strong` agrees, `weak` goes on,
    `accepts` takes what is offered, `leaves` goes back or elsewhere, `refuses` is a bare no and
    `cancels` the word that does either. `stays` asks whether to go on with what one has, `certain`
    whether one is sure, `owned` names what can be cancelled, `secret` what only a person types.
    `negates` turns what follows, `informs` begins the title of a text, `unless` is harmless
    whatever rule it resembles. `undoes` calls off a change, which costs where `planned` around it
    says that the change is the end of what is paid for.
    """

    light: tuple[str, ...]
    strong: tuple[str, ...]
    weak: tuple[str, ...]
    accepts: tuple[str, ...]
    leaves: tuple[str, ...]
    refuses: tuple[str, ...]
    cancels: tuple[str, ...]
    stays: tuple[str, ...]
    certain: tuple[str, ...]
    owned: tuple[str, ...]
    secret: tuple[str, ...]
    negates: tuple[str, ...]
    informs: tuple[str, ...]
    unless: tuple[str, ...]
    undoes: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Labels with an amount of money in them: `unless` is no price, `takes` buys even on a link."""

    unless: tuple[str, ...]
    takes: tuple[str, ...]


class RuleBook(Struct, frozen=True, forbid_unknown_fields=True):
    """The file as it is written. The order of the rules is their rank: the first to fit counts."""

    nouns: dict[Language, dict[str, tuple[str, ...]]]
    speech: dict[Language, Speech]
    price: Price
    rule: tuple[Rule, ...]


class Tightening(Struct, frozen=True, forbid_unknown_fields=True):
    """What a pack may add: words for a rule, words never to press, rules that refuse."""

    words: dict[str, tuple[str, ...]] = {}
    never: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class Rules:
    """The rules, ready to be looked up."""

    def __init__(self, book: RuleBook, added: tuple[Phrase, ...] = ()) -> None:
        self.book = book
        self._added = added
        self.by_id = {rule.id: rule for rule in book.rule}
        self.rank = {rule.id: place for place, rule in enumerate(book.rule)}
        self.light = _word_set(book, "light")
        self.negators = _word_set(book, "negates")
        # Where the verb comes last, what turns it stands in the middle: Konto nicht löschen.
        self.inner_negators = frozenset(
            w for text in book.speech["de"].negates for w in words(text)
        )
        self.noes = _word_set(book, "refuses")
        labels = [*added, *_label_phrases(book)]
        self.labels = Phrases(labels)
        self.exceptions = Phrases(_exceptions(book))
        said_elsewhere = [p for p in labels if not (p.first or p.last or p.when or p.tag == NEVER)]
        self.around = Phrases([*said_elsewhere, *_context(book)])
        self.fields = Phrases(_field_phrases(book))
        self.speech = Phrases(_speech(book))
        self.price = Phrases(_price(book))

    def tightened(self, extra: Tightening | Mapping[str, object]) -> Rules:
        """These rules and what a pack adds. What would loosen them cannot be said."""
        more = _convert(extra)
        if more == Tightening():
            return self
        for name in (*more.words, *more.deny):
            if name not in self.by_id:
                raise RulesBroken(f"There is no rule {name[:60]!r} to tighten.")
        texts = [(name, text) for name, given in more.words.items() for text in given]
        texts += [(NEVER, text) for text in more.never]
        if len(texts) > MOST_ADDED:
            raise RulesBroken(
                f"{len(texts)} phrases are more than the {MOST_ADDED} a pack may add."
            )
        added = tuple(_added_phrase(name, text) for name, text in texts)
        rules = tuple(
            replace(rule, verdict="deny", in_cancel="deny") if rule.id in more.deny else rule
            for rule in self.book.rule
        )
        return Rules(replace(self.book, rule=rules), (*self._added, *added))


def load_rules(path: Path | None = None) -> Rules:
    """The rules of this version, or those of a file. Unreadable rules are an error, never none."""
    place = path or Path(__file__).with_name("rules.toml")
    try:
        text = place.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise RulesBroken(f"{place.name} cannot be read: {fault}.") from fault
    return parse_rules(text)


def parse_rules(text: str) -> Rules:
    try:
        book = msgspec.convert(tomllib.loads(text), RuleBook)
    except tomllib.TOMLDecodeError as fault:
        raise RulesBroken(f"The rules are not TOML: {fault}.") from fault
    except msgspec.ValidationError as fault:
        raise RulesBroken(f"Line {_line_of(str(fault), text)} of the rules: {fault}.") from fault
    languages = set(get_args(Language))
    if languages - set(book.nouns) or languages - set(book.speech):
        raise RulesBroken(f"The rules need nouns and speech for {', '.join(sorted(languages))}.")
    if missing := NEEDED - {rule.id for rule in book.rule}:
        raise RulesBroken(f"The rules lack {', '.join(sorted(missing))}.")
    try:
        return Rules(book)
    except RulesBroken as fault:
        phrase = str(fault.details.get("phrase", ""))
        lines = (n for n, line in enumerate(text.splitlines(), 1) if phrase in line)
        raise RulesBroken(f"Line {next(lines, 1)} of the rules: {fault.message}") from fault


def _line_of(fault: str, text: str) -> int:
    """The line of the table that a fault is in; msgspec names its place, not its line."""
    place = PLACE.search(fault)
    if place is None:
        return 1
    header = "[[rule]]" if place[1] else f"[{place[3]}"
    wanted = int(place[2] or 0)
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.startswith(header)]
    return lines[wanted] if wanted < len(lines) else 1


def _convert(extra: Tightening | Mapping[str, object]) -> Tightening:
    if isinstance(extra, Tightening):
        return extra
    try:
        return msgspec.convert(extra, Tightening)
    except msgspec.ValidationError as fault:
        raise RulesBroken(
            f"A pack may only add words, never and deny: {fault}.",
            next_step="Correct the pack; it was not loaded.",
        ) from fault


def _added_phrase(name: str, text: str) -> Phrase:
    """A pack writes plain words only: what it adds must not fit everything."""
    if len(text) > LONGEST_ADDED or not any(map(str.isalpha, text)) or set(text) & set("*|{}#"):
        raise RulesBroken(f"{text[:60]!r} is not a phrase of plain words that a pack may add.")
    # Words for a rule may stand anywhere in a label; what is never pressed is called just so.
    whole = name == NEVER
    return Phrase(Writer({}).slots(text.replace("..", " ")), name, first=whole, last=whole)


# From lists to phrases


def _word_set(book: RuleBook, name: str) -> frozenset[str]:
    texts = (text for speech in book.speech.values() for text in getattr(speech, name))
    return frozenset(word for text in texts for word in words(text))


def _lists(book: RuleBook) -> Iterator[tuple[Writer, Rule, WordLists]]:
    for rule in book.rule:
        for language, lists in rule.words.items():
            yield Writer(book.nouns[language]), rule, lists


def _label_phrases(book: RuleBook) -> Iterator[Phrase]:
    for writer, rule, lists in _lists(book):
        write = partial(writer.phrases, tag=rule.id)
        yield from write(lists.alone, first=True, last=True)
        yield from write(lists.begins, first=True)
        yield from write(lists.ends, last=True, when="pressed")
        yield from write(lists.contains)
        yield from write(lists.pressed, first=True, when="pressed")
        yield from write(lists.submits, first=True, last=True, when="submits")
        yield from write(lists.buttons, first=True, last=True, when="button")
        yield from write(lists.switches, when="switch")
        yield from write(lists.hints, first=True, when="hint")


def _exceptions(book: RuleBook) -> Iterator[Phrase]:
    for language, speech in book.speech.items():
        yield from Writer(book.nouns[language]).phrases(speech.unless, EVERYWHERE)
    for writer, rule, lists in _lists(book):
        yield from writer.phrases(lists.unless, rule.id)


def _context(book: RuleBook) -> Iterator[Phrase]:
    for writer, rule, lists in _lists(book):
        yield from writer.phrases(lists.about, rule.id)
        yield from writer.phrases(lists.settles, rule.id, when="settles")


def _field_phrases(book: RuleBook) -> Iterator[Phrase]:
    for writer, rule, lists in _lists(book):
        yield from writer.phrases(lists.fields, rule.id, first=True, last=True)


def _speech(book: RuleBook) -> Iterator[Phrase]:
    for language, speech in book.speech.items():
        write = Writer(book.nouns[language]).phrases
        for tag in ("strong", "weak", "accepts", "leaves", "informs"):
            yield from write(getattr(speech, tag), tag, first=True)
        for tag in ("refuses", "cancels"):
            yield from write(getattr(speech, tag), tag, first=True, last=True)
        for tag in ("certain", "stays", "owned", "secret", "undoes", "planned"):
            yield from write(getattr(speech, tag), tag)


def _price(book: RuleBook) -> Iterator[Phrase]:
    yield from Writer({}).phrases(book.price.unless, "unless")
    yield from Writer({}).phrases(book.price.takes, "takes", first=True)

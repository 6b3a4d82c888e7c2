"""A pack: one TOML file about one service. Data only: no code, and no selectors that must match.

Phrases are compared without regard to case, accents and punctuation, word by word. `*` stands for a
few words, or for the rest of a word it touches. A phrase for a control is its whole name; a phrase
for text is contained in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, json

Stage = Literal[
    "START",
    "AUTH_REQUIRED",
    "ACCOUNT_ACTIVE",
    "ALREADY_CANCELLED",
    "OFF_SITE",
    "RETENTION_OFFER",
    "EXIT_SURVEY",
    "FINAL_CONFIRMATION",
    "VERIFYING",
    "COMPLETE",
    "STOPPED",
    "UNKNOWN",
]
STAGES: tuple[Stage, ...] = get_args(Stage)
Outcome = Literal[
    "cancelled",
    "unverified",
    "pending",
    "already_cancelled",
    "third_party",
    "manual_required",
    "stopped",
    "failed",
]
Obstacle = Literal["login", "mfa", "captcha"]
Kind = Literal["generic", "portal", "store", "service"]

PackId = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Locale = Annotated[str, Meta(pattern="^[a-z]{2}(-[A-Z]{2})?$")]
Host = Annotated[
    str, Meta(pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9-]+)+$", max_length=253)
]
Address = Annotated[str, Meta(pattern="^https?://[^ ]+$", max_length=300)]
Phrase = Annotated[str, Meta(min_length=1, max_length=120)]
Role = Annotated[str, Meta(pattern="^[a-z]+$", max_length=30)]
RoleAndName = Annotated[str, Meta(pattern="^[a-z]+:", max_length=160)]
Sentence = Annotated[str, Meta(min_length=1, max_length=300)]
Advice = Annotated[str, Meta(max_length=2000)]
Letter = Annotated[str, Meta(max_length=6000)]
Pattern = Annotated[str, Meta(max_length=200)]
Html = Annotated[str, Meta(min_length=1, max_length=6000)]
Payer = Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$", max_length=40)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$")]
Confidence = Annotated[str, Meta(pattern=r"^[OGR?](/[OGR?])*( \(.+\))?$", max_length=120)]

Phrases = Annotated[tuple[Phrase, ...], Meta(max_length=400)]
Few = Meta(max_length=60)


class Clue(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A condition on a page. All its parts must hold; role and name are of one control."""

    url: Phrase | None = None
    text: Phrase | None = None
    role: Role | None = None
    name: Phrase | None = None

    def __post_init__(self) -> None:
        if not (self.url or self.text or self.role or self.name):
            raise ValueError("A condition without any part would always hold")


class AuthClue(Clue, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A condition that shows that only the human can go on, and for what."""

    kind: Obstacle = "login"


Clues = Annotated[tuple[Clue, ...], Meta(max_length=200)]


class Signs(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Evidence for a stage. A role sign is `button: Cancel plan`; `radio:` is any of that role.

    `any:` is whatever can be pressed. Fields for secrets have the roles `password`, `code` and
    `card`; a puzzle has the role `captcha`.
    """

    url: Phrases = ()
    text: Phrases = ()
    roles: Annotated[tuple[RoleAndName, ...], Meta(max_length=200)] = ()


class Actions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Names of controls by purpose.

    `decline` refuses what a page offers or asks, an answer to a survey included; `advance` goes on
    towards the end; `final` ends the subscription. A name that is in `advance` and in `final` is
    final in the stage FINAL_CONFIRMATION only.
    """

    decline: Phrases = ()
    advance: Phrases = ()
    final: Phrases = ()


class Loss(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the human would lose. Told always, or where the page says one of `text`."""

    says: Sentence
    text: Phrases = ()


class Proof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How the end is verified: words of the result page, and where to look again."""

    text: Phrases = ()
    date_regex: Pattern = ""
    ref_regex: Pattern = ""
    recheck_url: Address | None = None


class Offline(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What to do where the web cannot do it. `letter` is a letter, or words to say."""

    how: Advice = ""
    letter: Letter = ""


class Example(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A small page and what is expected of it: the pack's test."""

    shows: Sentence
    page: Html
    stage: Stage
    url: Address | None = None
    press: Phrase | None = None
    """The control that a careful person presses next. None: nothing is pressed here."""
    outcome: Outcome | None = None
    """The claim that this page leads to, where it ends the run."""
    payer: Payer | None = None


class Pack(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Everything known of a service: hints with a date, never certainties."""

    id: PackId
    names: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=20)]
    locales: Annotated[tuple[Locale, ...], Meta(min_length=1, max_length=20)]
    checked_on: Day
    confidence: Confidence
    """O official page, G guide or press, R recalled, ? guess; a remark in brackets may follow."""
    extends: Annotated[tuple[PackId, ...], Meta(max_length=4)] = ()
    sites: Annotated[tuple[Host, ...], Few] = ()
    start_urls: Annotated[tuple[Address, ...], Meta(max_length=10)] = ()
    goal: Advice = ""
    hint: Advice = ""
    checkpoint: Clues = ()
    success: Clues = ()
    failure: Clues = ()
    auth: Annotated[tuple[AuthClue, ...], Meta(max_length=200)] = ()
    billing_probe: Annotated[dict[Phrase, Payer], Meta(max_length=200)] = {}
    already_cancelled: Clues = ()
    states: dict[Stage, Signs] = {}
    actions: Actions = Actions()
    never: Phrases = ()
    losses: Annotated[tuple[Loss, ...], Few] = ()
    proof: Proof = Proof()
    offline: Offline = Offline()
    sources: Annotated[tuple[Sentence, ...], Few] = ()
    example: Annotated[tuple[Example, ...], Meta(max_length=40)] = ()

    @property
    def kind(self) -> Kind:
        match self.id.partition("-")[0]:
            case "generic" | "portal" | "store" as kind:
                return kind
            case _:
                return "service"

    def phrases(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Every phrase with its place in the file."""
        for field in ("checkpoint", "success", "failure", "auth", "already_cancelled"):
            clues: tuple[Clue, ...] = getattr(self, field)
            for number, clue in enumerate(clues):
                for part in ("url", "text", "name"):
                    if phrase := getattr(clue, part):
                        yield (field, number, part), phrase
        for stage, signs in self.states.items():
            yield from _placed(("states", stage, "url"), signs.url)
            yield from _placed(("states", stage, "text"), signs.text)
        for purpose in ("decline", "advance", "final"):
            yield from _placed(("actions", purpose), getattr(self.actions, purpose))
        yield from _placed(("never",), self.never)
        yield from _placed(("proof", "text"), self.proof.text)
        for number, loss in enumerate(self.losses):
            yield from _placed(("losses", number, "text"), loss.text)
        for phrase in self.billing_probe:
            yield ("billing_probe", phrase), phrase


def schema() -> dict[str, Any]:
    """JSON Schema of a pack, for editors; the same as pack_schema.json."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **json.schema(Pack)}


def _placed(
    place: tuple[str | int, ...], phrases: tuple[str, ...]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for number, phrase in enumerate(phrases):
        yield (*place, number), phrase

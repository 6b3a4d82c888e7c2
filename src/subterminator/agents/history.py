"""What a model remembers of a run: the goal, the page as it is now, and what was done lately.

The whole page is in it once, then differences; what was said of older pages leaves it. Turns that
are dropped leave one line each. A call is never parted from its answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents.models.base import (
    Answer,
    Call,
    Malformed,
    Message,
    Part,
    Picture,
    Spoken,
    Text,
)
from subterminator.page.tokens import estimate

# Turns that are always kept, and how many more may gather before they are cut: a cut changes what
# the provider has cached, so it is made seldom.
KEPT_TURNS = 10
GATHERED = 5
MOST_TOKENS = 10_000
LEFT_OUT = "(The page as it was then is left out.)"
NOT_FIRST = "Not run: only the first tool call of an answer is. Ask for it again if it is needed."
UNANSWERED = "Not run."
SILENT = "(no answer)"
REMEMBERED = 120


class Seen(Struct, frozen=True):
    """What a model is shown. `words` stay in the history, `page` leaves it with its page."""

    words: str = ""
    page: str = ""
    is_whole: bool = False
    failed: bool = False
    pictures: tuple[Picture, ...] = ()

    def text(self) -> str:
        return "\n".join(part for part in (self.words, self.page) if part)


class Turn(Struct, frozen=True):
    """One answer of the model and what came of it; None: not known yet."""

    said: tuple[Part, ...]
    ran: str = ""
    """The call that was run, by its id."""
    others: tuple[str, ...] = ()
    seen: Seen | None = None

    def brief(self) -> str:
        """One line in our own words: nothing of the page, nothing that the model wrote freely."""
        call = next((p for p in self.said if isinstance(p, Call) and p.id == self.ran), None)
        if call is None:
            return "an answer without a tool"
        named = call.arguments.get("ref") or call.arguments.get("target") or ""
        ref = f" {named}" if str(named).startswith("@e") and len(str(named)) < 12 else ""
        came = "not run" if self.seen is None else "error" if self.seen.failed else "done"
        return f"{call.name[:40]}{ref}: {came}"


class History:
    """Builds the messages of one conversation."""

    def __init__(self, task: str, begin: Seen) -> None:
        self._task = task
        self._begin = begin
        self._turns: list[Turn] = []
        self._dropped: list[str] = []

    @property
    def has_page(self) -> bool:
        """Whether a whole page is in it that a difference can be told against."""
        return self._begin.is_whole or any(t.seen and t.seen.is_whole for t in self._turns)

    def say(self, spoken: Spoken) -> None:
        """Take in what the model said."""
        calls = [part.id for part in spoken.parts if isinstance(part, Call | Malformed)]
        ran = calls[0] if spoken.calls else ""
        others = tuple(calls[1:] if ran else calls)
        self._turns.append(Turn(spoken.parts, ran, others))
        self._cut()

    def show(self, seen: Seen) -> None:
        """Take in what came of it. A whole page takes the place of all pages before."""
        if seen.is_whole:
            self._forget_pages()
        if seen.pictures:
            self._forget_pictures()
        if not self._turns:
            self._begin = _joined(self._begin, seen)
            return
        last = self._turns[-1]
        self._turns[-1] = replace(last, seen=_joined(last.seen, seen) if last.seen else seen)

    def messages(self) -> tuple[Message, ...]:
        messages = [Message("user", tuple(self._first()))]
        for turn in self._turns:
            messages.append(Message("assistant", turn.said or (Text(SILENT),)))
            messages.append(Message("user", tuple(_answers(turn))))
        return tuple(messages)

    def _first(self) -> list[Part]:
        parts: list[Part] = [Text(self._task)]
        parts += [Text(text) for text in (self._begin.text(),) if text]
        parts += self._begin.pictures
        if self._dropped:
            lines = "\n".join(f"{n}. {line}" for n, line in enumerate(self._dropped, 1))
            parts.append(Text(f"Earlier steps, in short:\n{lines}"))
        return parts

    # Forgetting

    def _forget_pages(self) -> None:
        self._begin = _without_page(self._begin)
        self._turns = [
            replace(turn, seen=_without_page(turn.seen)) if turn.seen else turn
            for turn in self._turns
        ]

    def _forget_pictures(self) -> None:
        self._turns = [
            replace(turn, seen=replace(turn.seen, pictures=())) if turn.seen else turn
            for turn in self._turns
        ]

    def _cut(self) -> None:
        if len(self._turns) <= KEPT_TURNS + GATHERED or self._size() <= MOST_TOKENS:
            return
        old, self._turns = self._turns[:-KEPT_TURNS], self._turns[-KEPT_TURNS:]
        self._dropped = [*self._dropped, *(turn.brief() for turn in old)][-REMEMBERED:]
        self._begin = _without_page(self._begin)
        if not self.has_page:
            # Differences to a page that nobody remembers say nothing.
            self._forget_pages()

    def _size(self) -> int:
        return sum(size_of(message.parts) for message in self.messages())


def size_of(parts: Sequence[Part]) -> int:
    """About so many tokens; pictures are not counted."""
    return sum(estimate(_words(part)) for part in parts)


def _words(part: Part) -> str:
    match part:
        case Text(text=text) | Answer(text=text):
            return text
        case Call(name=name, arguments=arguments):
            return f"{name} {arguments}"
        case _:
            return ""


def _answers(turn: Turn) -> list[Part]:
    seen = turn.seen or Seen(UNANSWERED, failed=True)
    refusal = NOT_FIRST if turn.ran else _reason(seen)
    others: list[Part] = [
        Answer(id, _why_malformed(turn, id) or refusal, failed=True) for id in turn.others
    ]
    if not turn.ran:
        return [*others, Text(seen.text() or UNANSWERED), *seen.pictures]
    answer = Answer(turn.ran, seen.text() or "Done.", seen.failed, seen.pictures)
    return [answer, *others]


def _reason(seen: Seen) -> str:
    return seen.words or UNANSWERED


def _why_malformed(turn: Turn, id: str) -> str:
    found = (part.why for part in turn.said if isinstance(part, Malformed) and part.id == id)
    return next(found, "")


def _without_page(seen: Seen) -> Seen:
    if not seen.page:
        return seen
    words = f"{seen.words}\n{LEFT_OUT}".strip() if seen.is_whole else seen.words
    return replace(seen, words=words, page="", is_whole=False)


def _joined(first: Seen, then: Seen) -> Seen:
    return Seen(
        "\n".join(filter(None, (first.words, then.words))),
        "\n".join(filter(None, (first.page, then.page))),
        first.is_whole or then.is_whole,
        first.failed or then.failed,
        then.pictures or first.pictures,
    )

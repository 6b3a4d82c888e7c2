"""Which element is meant by words, in which frame, and what is said of frames that cannot be read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from subterminator import errors
from subterminator.agents.targeting import FALLBACK, aim, frame_named, frames
from subterminator.page.snapshot import Snapshot
from subterminator.types import Element, Flag, FrameInfo, PageInfo, Viewport

USED = int(Flag.INTERACTIVE)


def button(ref: str, name: str, frame: int = 0) -> Element:
    return Element(ref, "button", name, 2, USED, frame=frame, node=int(ref[2:]))


def page(*elements: Element) -> Snapshot:
    """A page with a titled frame, a named one, and one of another site that cannot be read."""
    owner = Element("", "iframe", "Payment", 1, node=900)
    infos = (
        FrameInfo(0, -1, "main", "http://a.example/", "http://a.example"),
        FrameInfo(1, 0, "f1", "http://a.example/chat", "http://a.example", name="chat", owner=901),
        FrameInfo(2, 0, "f2", "http://a.example/pay?x=1", "http://a.example", owner=900),
        FrameInfo(
            3,
            0,
            "f3",
            "http://b.example/",
            "http://b.example",
            accessible=False,
            reason="another site",
        ),
    )
    return Snapshot(
        "",
        datetime.now(UTC),
        PageInfo("http://a.example/", "A"),
        Viewport(1, 1, 0, 0),
        (*elements, owner),
        infos,
    )


def test_the_main_frame_comes_first_whatever_fits_elsewhere() -> None:
    aimed = aim(page(button("@e1", "Pay", 2), button("@e2", "Pay")), "Pay button")
    assert (aimed.ref, aimed.frame) == ("@e2", "main")
    assert [attempt.strategy for attempt in aimed.attempts] == ["main frame"]


def test_then_the_frame_with_a_title_then_the_one_with_a_name() -> None:
    aimed = aim(page(button("@e1", "Send", 1), button("@e2", "Send", 2)), "Send")
    assert (aimed.ref, aimed.frame) == ("@e2", "Payment")
    assert [attempt.strategy for attempt in aimed.attempts] == ["main frame", "frame Payment"]
    assert aim(page(button("@e1", "Send", 1)), "Send").frame == "chat"


def test_a_frame_that_is_named_ends_the_search_there() -> None:
    with pytest.raises(errors.ElementNotFound) as caught:
        aim(page(button("@e1", "Send")), "Send", frame="chat")
    assert [attempt.strategy for attempt in caught.value.details["attempts"]] == ["frame chat"]  # type: ignore[attr-defined]


def test_a_ref_is_a_description_too() -> None:
    assert aim(page(button("@e1", "Send")), "@e1 the button").ref == "@e1"


def test_two_that_fit_are_named() -> None:
    with pytest.raises(errors.SelectorAmbiguous, match="@e1 .* @e2 "):
        aim(page(button("@e1", "Remove"), button("@e2", "Remove")), "Remove")


def test_a_frame_of_another_site_says_why_and_what_is_left_to_do() -> None:
    told = frames(page())
    assert [(f.name, f.accessible) for f in told] == [
        ("Payment", True),
        ("chat", True),
        ("3", False),
    ]
    assert (told[-1].reason, told[-1].fallback) == ("another site", FALLBACK)
    assert told[0].url == "http://a.example/pay"
    assert len(frames(page(), with_unreadable=False)) == 2


def test_a_frame_is_known_by_title_name_or_number() -> None:
    shown = page()
    assert [frame_named(shown, word) for word in ("Payment", "chat", "3", "main")] == [
        "f2",
        "f1",
        "f3",
        None,
    ]
    with pytest.raises(errors.FrameNotFound, match="nowhere") as caught:
        frame_named(shown, "nowhere")
    assert caught.value.advice == "Known: Payment, chat, 3."

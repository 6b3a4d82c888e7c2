"""The union of events: closed, readable again, and without a field that nobody makes safe."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from subterminator.runs.cleaning import cleaned
from subterminator.runs.events import Event, Intent, Looked, Note, name_of
from subterminator.safety.redact import Redactor
from tests.runs.canaries import PAGE, PASSWORD, SECRETS
from tests.runs.samples import DIGEST, every

redactor = Redactor(b"key")


def test_there_is_a_sample_of_every_event() -> None:
    assert {type(event) for event in every("a", "b")} == set(get_args(Event))


@pytest.mark.parametrize("event", every("word", "value"), ids=name_of)
def test_an_event_survives_the_way_to_the_file_and_back(event: Event) -> None:
    safe = cleaned(event, redactor)
    assert msgspec.json.decode(msgspec.json.encode(safe), type=Event) == safe


@pytest.mark.parametrize("event", every(PAGE, PASSWORD), ids=name_of)
def test_d1_no_field_of_any_event_lets_a_secret_through(event: Event) -> None:
    written = msgspec.json.encode(cleaned(event, redactor)).decode()
    assert [secret for secret in SECRETS if secret in written] == []


def test_a_field_s_value_is_kept_as_its_length_unless_the_task_typed_it() -> None:
    own = Redactor(b"key")
    own.typed("Standard plan")
    assert cleaned(Intent("fill", value="something private"), own) == Intent(
        "fill", value="<17 characters>"
    )
    assert cleaned(Intent("fill", value="Standard plan"), own) == Intent(
        "fill", value="Standard plan"
    )


def test_a_hash_is_kept_as_it_is_and_only_a_hash() -> None:
    luhn = "4111111111111111" * 4
    assert cleaned(Looked("snapshot", digest=luhn), redactor) == Looked("snapshot", digest=luhn)
    assert cleaned(Looked("snapshot", digest=DIGEST), redactor) == Looked("snapshot", digest=DIGEST)
    assert cleaned(Looked("snapshot", digest="4111111111111111"), redactor) == Looked(
        "snapshot", digest="<card>"
    )


def test_a_text_is_cut_after_it_was_redacted_and_half_a_character_is_mended() -> None:
    long = cleaned(Note("x" * 485 + " 4111 1111 1111 1111 " + "y" * 10_000_000), redactor)
    assert isinstance(long, Note)
    assert len(long.text) == 500
    assert "4111" not in long.text
    assert cleaned(Note("a\ud800b"), redactor) == Note("a?b")

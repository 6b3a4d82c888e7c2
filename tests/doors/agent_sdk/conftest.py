"""The shared session with a person of the SDK's door between it and the scripted human."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from subterminator import Session
from subterminator.doors.agent_sdk import Person
from tests.conftest import Person as Scripted


@pytest.fixture
def asked(session: Session, person: Scripted) -> Iterator[Person]:
    """The human of the session as `options` wants it; behind it is `person`."""
    consent = session._consent
    before, consent._human = consent._human, Person(person)
    yield consent._human
    consent._human = before

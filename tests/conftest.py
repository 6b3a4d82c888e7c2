"""One real browser and one site for all tests; every test gets them clean."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator

import pytest

import subterminator
from subterminator.safety.human import Question
from tests.site import Site, serving

# All names of this machine under which tests serve pages.
SITES = ("127.0.0.1", "localhost")


def pytest_configure() -> None:
    # What a shell runs in its background ignores Ctrl-C, and so would everything that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Person:
    """A scripted human: says what it is told to say, and remembers what it was asked."""

    def __init__(self) -> None:
        self.says = False
        self.asked: list[Question] = []

    async def approve(self, question: Question) -> bool:
        self.asked.append(question)
        return self.says

    async def hand_over(self, question: Question) -> bool:
        self.asked.append(question)
        return self.says


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the soak what a test's mark `one_in` does not count in."""
    seen: Counter[str] = Counter()
    for item in items:
        for mark in item.iter_markers("one_in"):
            kind = item.nodeid.partition("[")[0]
            if seen[kind] % mark.args[0]:
                item.add_marker(pytest.mark.soak)
            seen[kind] += 1


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever a test leaves behind is left in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
async def _site() -> AsyncIterator[Site]:
    async with serving() as site:
        yield site


@pytest.fixture
def site(_site: Site) -> Site:
    _site.clear()
    return _site


@pytest.fixture(scope="session")
def _person() -> Person:
    return Person()


@pytest.fixture
def person(_person: Person) -> Person:
    """The human of the shared session: answers no unless a test sets `says`."""
    _person.says = False
    _person.asked.clear()
    return _person


@pytest.fixture(scope="session")
async def _session(_person: Person) -> AsyncIterator[subterminator.Session]:
    async with subterminator.open(human=_person, sites=SITES) as session:
        yield session


@pytest.fixture
async def session(
    _session: subterminator.Session, person: Person
) -> AsyncIterator[subterminator.Session]:
    """The shared browser on an empty page, with one tab and no dialog."""
    yield _session
    # What one test has pressed is not for the next to verify.
    _session._consent.close()
    person.says = True
    if _session.open_dialog:
        await _session.dialog(accept=False)
    for tab in await _session.tabs():
        if not tab.current:
            await _session.close_tab(tab.id)
    await _session.navigate("about:blank")

"""Roles and names against the web-platform-tests' cases, as far as Chromium agrees with them."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec
import pytest
from msgspec import Struct

from tests.page.walking import CORPORA, Walker
from tests.site import Site

FOLDER = CORPORA / "accname"
pytestmark = pytest.mark.skipif(
    not FOLDER.exists(), reason=f"the accname cases are not there: {FOLDER}"
)

# case: why our answer differs from the expected one
MISSES: dict[str, str] = {}

USABLE = set(
    "button link checkbox radio textbox searchbox combobox listbox option menuitem menuitemcheckbox"
    " menuitemradio tab switch slider spinbutton treeitem Date DateTime InputTime ColorWell"
    " DisclosureTriangle".split()
)
# Our words for what Chromium's tree calls by words of its own.
OURS = {
    "date": "Date",
    "datetime": "DateTime",
    "month": "DateTime",
    "week": "DateTime",
    "time": "InputTime",
    "color": "ColorWell",
    "file": "button",
}
SAME = {"image": "img", "": "generic", "none": "generic", "presentation": "generic"}
FIND = """selectors.map((selector) => {
  const find = (root) => root.querySelector(selector) ??
    [...root.querySelectorAll('*')].map((el) => el.shadowRoot && find(el.shadowRoot)).find(Boolean);
  const el = find(document);
  return el ? [walker.role(el), walker.name(el)] : ['missing', ''];
})"""


class Case(Struct, frozen=True):
    id: str
    page: str
    selector: str
    firm: bool
    chromium_agrees: bool
    chromium_role: str
    html: str
    expected_name: str | None = None
    expected_roles: list[str] | None = None

    def is_right(self, role: str, name: str) -> bool:
        if self.expected_name is not None:
            return " ".join(name.split()) == " ".join(self.expected_name.split())
        wanted = {SAME.get(word, word) for word in self.expected_roles or ()}
        return SAME.get(role, role) in wanted or OURS.get(role) == self.chromium_role


def gold() -> list[Case]:
    cases = msgspec.json.decode((FOLDER / "cases.json").read_bytes(), type=list[Case])
    return [case for case in cases if case.firm and case.chromium_agrees]


async def answers(walker: Walker, site: Site, page: str, cases: list[Case]) -> list[list[str]]:
    site.pages[f"/{page}"] = (FOLDER / page).read_text("utf-8")
    await walker.open(f"{site.address}/{page}")
    selectors = msgspec.json.encode([case.selector for case in cases]).decode()
    found: list[list[str]] = await walker.run(f"(selectors => {FIND})({selectors})")
    return found


Wrong = dict[str, tuple[Case, list[str]]]


@pytest.fixture(scope="module")
async def wrong(_site: Site, walker: Walker) -> Wrong:
    """The cases that come out differently, by id."""
    pages = defaultdict(list)
    for case in gold():
        pages[case.page].append(case)
    found = {}
    for page, cases in pages.items():
        given = await answers(walker, _site, page, cases)
        for case, answer in zip(cases, given, strict=True):
            if not case.is_right(*answer):
                found[case.id] = (case, answer)
    return found


def told(wrong: Wrong) -> str:
    return "\n".join(f"{id}: {answer} {case.html[:150]}" for id, (case, answer) in wrong.items())


async def test_every_gold_case_on_an_interactive_role_has_the_right_role_and_name(
    wrong: Wrong,
) -> None:
    usable = {id: found for id, found in wrong.items() if found[0].chromium_role in USABLE}
    assert not usable, told(usable)


async def test_gold_cases_are_right_except_for_the_listed_misses(wrong: Wrong) -> None:
    cases = gold()
    kinds = Counter("name" if case.expected_roles is None else "role" for case in cases)
    print(f"{len(cases) - len(wrong)} of {len(cases)} gold cases are right ({dict(kinds)})")
    assert len(wrong) <= len(cases) / 100
    assert set(wrong) == set(MISSES), told(wrong)

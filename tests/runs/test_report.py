from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

import subterminator
from subterminator.agents.proof import About, bundle_of
from subterminator.packs.model import Outcome
from subterminator.runs.markup import Html, fill
from subterminator.runs.proof import Picture, Proof, Story
from subterminator.runs.proofs import Bundle
from subterminator.runs.report import VERDICTS, render, verdict_of
from tests.reports import reporting, reports
from tests.runs.proving import png, recorded, result
from tests.site import Site

VOID = {"meta", "img", "br", "path", "circle"}
LANDMARKS = ["header", "main", "footer"]
HOSTILE = (
    "</blockquote></section><script>alert(1)</script><img src=http://127.0.0.1:1/x onerror=alert(1)>"
    "\"' onmouseover=alert(1) <style>*{display:none}</style>{name} {0} &amp; $x"
)


class Reader(HTMLParser):
    """What is in a document: elements, attributes, texts; refuses what is not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, *tags: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def text(self) -> str:
        return " ".join(" ".join(data for tag, data in self.texts if tag != "style").split())


def made(tmp_path: Path, **changes: object) -> Bundle:
    store, done = recorded(tmp_path / "state", (png(),))
    return bundle_of(replace(done, **changes), store, About(name="Streambox"))


def html_of(bundle: Bundle) -> str:
    return render(bundle.proof, bundle.story, bundle.pictures)


def test_the_report_says_everything_in_words(tmp_path: Path) -> None:
    text = Reader(html_of(made(tmp_path))).text
    for words in (
        "Your Streambox subscription is cancelled",
        "You keep access until 12 December 2026.",
        "Your plan is cancelled. We wrote to al***@example.org.",
        "Freshly loaded page",
        "Read at 15 November 2026, 11:16:22 (10:16:22 UTC)",
        "Standard",
        "15.49 USD a month",
        "SB-4820-77",
        "Half price for three months",
        "Prefer not to say",
        'Press the button "Finish cancellation" on www.streambox.example?',
        "Your answer: yes",
        "Handed over to you: password on www.streambox.example",
        "Refund not found",
        "subterminator dispute streambox",
        "sha256sum -c SHA256SUMS",
        "ab12" * 16,
    ):
        assert words in text


def test_no_script_and_nothing_from_elsewhere(tmp_path: Path) -> None:
    html = html_of(made(tmp_path))
    seen = Reader(html)
    assert not seen.all("script", "link", "iframe", "object", "embed", "form", "base", "video")
    assert all(image["src"].startswith("data:image/png;base64,") for image in seen.all("img"))
    assert all(link["href"].startswith("#") or link["href"] == "0001.png" for link in seen.all("a"))
    style = files("subterminator.runs").joinpath("report.css").read_text("utf-8")
    assert not re.search(r"url\(|@import|expression", style)
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(meta for meta in seen.all("meta") if "http-equiv" in meta)["content"]
    assert f"style-src 'sha256-{hashed}'" in policy and "default-src 'none'" in policy
    assert not any(name.startswith("on") or name == "style" for _, a in seen.elements for name in a)


def test_what_a_page_wrote_stays_text_wherever_it_stands(tmp_path: Path) -> None:
    done = result(
        service=HOSTILE, account_hint=HOSTILE, reference=HOSTILE, refund=HOSTILE,
        declined=(HOSTILE,), survey_answers=(HOSTILE,), steps=(HOSTILE,), next_steps=(HOSTILE,),
        error=HOSTILE, pack_version=HOSTILE,
        evidence=tuple(replace(each, text=HOSTILE, url=HOSTILE) for each in result().evidence),
        before=replace(result().before, plan=HOSTILE, payer=HOSTILE, price=HOSTILE),
        after=replace(result().after, status_text=HOSTILE, ends_on=HOSTILE),
        gates=tuple(replace(gate, asked=HOSTILE, answer=HOSTILE) for gate in result().gates),
    )  # fmt: skip
    bundle = bundle_of(done, None, About(language='en" onclick="alert(1)'))
    alt = Picture("0001.png", png(), "image/png", HOSTILE)
    seen = Reader(render(bundle.proof, bundle.story, [alt]))
    assert not seen.all("script") and len(seen.all("style")) == 1 and len(seen.all("img")) == 1
    assert not any(name.startswith("on") for _, attributes in seen.elements for name in attributes)
    assert [tag for tag, _ in seen.elements if tag in LANDMARKS] == LANDMARKS


def test_headings_are_in_order_and_every_part_has_a_name(tmp_path: Path) -> None:
    seen = Reader(html_of(made(tmp_path)))
    levels = [int(tag[1]) for tag, _ in seen.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(levels, levels[1:], strict=False))
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(section["aria-labelledby"] in ids for section in seen.all("section"))
    assert [tag for tag, _ in seen.elements if tag in LANDMARKS] == LANDMARKS
    assert seen.all("html") == [{"lang": "en"}]
    assert all(link["href"][1:] in ids for link in seen.all("a") if link["href"][0] == "#")


def test_words_of_the_page_are_marked_with_their_language_and_pictures_told_in_words(
    tmp_path: Path,
) -> None:
    bundle = made(tmp_path)
    german = replace(bundle.story, language="de")
    seen = Reader(render(bundle.proof, german, bundle.pictures))
    assert {quote["lang"] for quote in seen.all("blockquote", "q")} == {"de"}
    alt = seen.all("img")[0]["alt"]
    assert alt.startswith("Screenshot, the account page, 15 November 2026, 11:15. The page says:")
    assert "“Ends on 12 December 2026”" in alt


@pytest.mark.parametrize("outcome", VERDICTS)
def test_each_outcome_has_its_own_words_and_none_but_the_proven_is_good(outcome: Outcome) -> None:
    proof = Proof(service="x", outcome=outcome, verified=False)
    verdict = verdict_of(proof, Story(name="X"))
    assert (verdict.tone == "good") == (outcome == "already_cancelled")
    seen = Reader(render(proof, Story(name="Streambox")))
    assert verdict.headline.replace("{name}", "Streambox") in seen.text


def test_a_second_proof_says_whether_it_is_still_so() -> None:
    first = Proof(service="x", outcome="cancelled", verified=True)
    unsure = replace(first, outcome="unverified", verified=False)

    def badge(now: Proof, before: Proof) -> str:
        return verdict_of(now, Story(name="X", first=before)).badge

    assert badge(replace(first, outcome="already_cancelled"), first) == "Still cancelled"
    assert badge(unsure, first) == "Not confirmed"
    assert badge(first, unsure) == "Cancelled and verified"
    assert badge(unsure, unsure) == "Not verified"
    html = render(first, Story(name="X", first=first))
    assert 'href="../report.html"' in html


def test_only_markup_of_ours_is_taken_for_markup() -> None:
    assert fill("<p>{a}{b}</p>", a="<b>", b=Html("<i>")) == "<p>&lt;b&gt;<i></p>"
    assert fill("{a}", a="{b} {0}") == "{b} {0}"


# Colours


def _colours() -> dict[str, dict[str, str]]:
    """The custom properties of each tone, in both schemes."""
    style = files("subterminator.runs").joinpath("report.css").read_text("utf-8")
    light, _, rest = style.partition("@media (prefers-color-scheme: dark)")
    found: dict[str, dict[str, str]] = {}
    plain: dict[str, dict[str, str]] = {}
    for scheme, part in (("light", light), ("dark", rest[: rest.index("\n}")])):
        rules = dict(re.findall(r"(:root|\.\w+) \{([^}]*)\}", part))
        values = {
            name: dict(re.findall(r"--(\w+): (#\w{6})", body)) for name, body in rules.items()
        }
        plain[scheme] = plain.get("light", {}) | values[":root"]
        for tone in ("good", "wait", "away", "bad"):
            found[f"{scheme} {tone}"] = plain[scheme] | values[f".{tone}"]
    return found


def _luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("scheme", _colours())
def test_every_text_can_be_read_on_its_ground(scheme: str) -> None:
    colours = _colours()[scheme] | {"white": "#ffffff"}
    for text, ground in (
        ("text", "card"), ("text", "page"), ("text", "quote"), ("text", "tint"),
        ("soft", "card"), ("soft", "page"), ("soft", "quote"),
        ("accent", "card"), ("accent", "tint"), ("accent", "quote"), ("white", "deep"),
    ):  # fmt: skip
        light, dark = sorted((_luminance(colours[text]), _luminance(colours[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{text} on {ground}"


# In a browser

MEASURE = """<iframe src="/report.html" width="390" height="3000"></iframe>
<script>document.querySelector('iframe').onload = (event) => {
  const page = event.target.contentDocument;
  say('width', page.documentElement.scrollWidth, 'colour',
    page.defaultView.getComputedStyle(page.querySelector('header')).backgroundColor,
    'picture', page.querySelector('img').naturalWidth);
};</script>"""


async def test_on_a_phone_nothing_runs_out_of_the_side_and_nothing_is_fetched(
    tmp_path: Path, site: Site, session: subterminator.Session
) -> None:
    long_words = "W" * 300
    bundle = made(
        tmp_path,
        reference=long_words,
        declined=(long_words, f"<img src={site.address}/leak>"),
        next_steps=(f"<script src={site.address}/leak></script>",),
    )
    site.pages["/report.html"] = html_of(bundle)
    await session.navigate(reporting(site, MEASURE))
    await session.snapshot()
    said = reports(site)[0].split()
    assert int(said[1]) <= 390
    assert " ".join(said).startswith("width") and "rgb(11, 90, 58)" in " ".join(said)
    assert said[-1] == "2"
    assert set(site.hits) <= {"/", "/report.html", "/said", "/favicon.ico"}

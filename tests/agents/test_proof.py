from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from subterminator.agents.outcome import After, Before, Evidence, GateAnswer, TaskResult
from subterminator.agents.proof import About, write_proof
from subterminator.agents.spending import Spent
from subterminator.packs.model import Outcome
from subterminator.runs.events import Intent, TargetFacts
from subterminator.runs.proofs import changed, read
from subterminator.runs.store import Store
from subterminator.safety.redact import Redactor
from tests.runs.canaries import MAIL, PAGE, PASSWORD, leaks
from tests.runs.proving import ACCOUNT, at, png, recorded, result


def steps_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "steps.jsonl").read_text("utf-8").splitlines()]


def test_a_result_and_its_record_become_a_proof(tmp_path: Path) -> None:
    store, done = recorded(tmp_path / "state", (png(2), png(3)))
    folder = write_proof(done, folder=tmp_path / "proofs", store=store)
    proof = read(folder).proof
    assert (proof.service, proof.outcome, proof.verified) == ("streambox", "cancelled", True)
    assert proof.account_hint == "al***@example.org"
    assert proof.before.renews == proof.after.ends_on == "2026-12-12"
    assert proof.evidence[0].text == "Your plan is cancelled. We wrote to al***@example.org."
    assert proof.evidence[0].url == f"{ACCOUNT}/done"
    assert {each.screenshot for each in proof.evidence} == {"0002.png"}
    assert proof.gates[0].answer == "yes"
    assert (proof.started, proof.ended) == (at(0), at(55))
    assert proof.timezone == "CET (UTC+01:00)"
    assert proof.engine == "chromium, SubTerminator 0.1.0"
    assert [page.sha256 for page in proof.page_hashes] == ["ab12" * 16]
    assert (folder / "0001.png").read_bytes() == png(2)
    assert [line["n"] for line in steps_of(folder)] == list(range(1, 13))
    assert changed(folder) == ()


def test_without_a_record_the_result_alone_is_enough(tmp_path: Path) -> None:
    folder = write_proof(result(run="2026-11-15T101530-x-aaaaaa"), folder=tmp_path)
    assert steps_of(folder) == [
        {"n": 1, "text": "Opened the account page"},
        {"n": 2, "text": "Pressed Cancel plan"},
    ]
    proof = read(folder).proof
    assert {each.screenshot for each in proof.evidence} == {"not found"}
    assert proof.engine == "not found" and proof.page_hashes == ()
    assert "UTC" in proof.timezone


def test_an_empty_result_says_of_everything_that_it_was_not_found(tmp_path: Path) -> None:
    bare = TaskResult(success=False, verified=False, reason="loop", outcome="stopped", turns=0)
    found = json.loads((write_proof(bare, folder=tmp_path) / "report.json").read_text("utf-8"))
    assert found["service"] == found["started"] == found["reference"] == "not found"
    assert found["evidence"] == found["gates"] == []


def test_what_is_no_picture_is_not_shown_as_one(tmp_path: Path) -> None:
    store, done = recorded(tmp_path / "state", (b"<script>", png()))
    folder = write_proof(done, folder=tmp_path / "proofs", store=store)
    assert sorted(path.name for path in folder.glob("*.png")) == ["0001.png"]
    assert (folder / "0001.png").read_bytes() == png()


def test_a_changed_picture_is_left_out(tmp_path: Path) -> None:
    store, done = recorded(tmp_path / "state", (png(),))
    kept = next((store.folder / done.run / "artifacts").iterdir())
    kept.write_bytes(png(9))
    folder = write_proof(done, folder=tmp_path / "proofs", store=store)
    assert not list(folder.glob("*.png"))


def test_the_price_of_a_refund_is_read_beside_its_words(tmp_path: Path) -> None:
    folder = write_proof(result(refund="Wir erstatten 7,99 € auf die Karte."), folder=tmp_path)
    refund = read(folder).proof.refund
    assert (refund.text, refund.amount) == ("Wir erstatten 7,99 € auf die Karte.", "7,99 €")


def test_days_are_read_in_the_language_of_the_service(tmp_path: Path) -> None:
    done = result(before=Before(renews="03/04/2027"), after=After("résilié", "1er mars 2027"))
    proof = read(write_proof(done, folder=tmp_path, about=About(language="fr"))).proof
    assert (proof.before.renews, proof.after.ends_on) == ("2027-04-03", "2027-03-01")
    unclear = read(write_proof(done, folder=tmp_path, about=About(language="en"))).proof
    assert unclear.before.renews == "03/04/2027"


@pytest.mark.parametrize(
    "outcome",
    [
        "cancelled", "unverified", "pending", "already_cancelled", "third_party",
        "manual_required", "stopped", "failed",
    ],
)  # fmt: skip
def test_every_outcome_has_a_proof_that_says_what_to_do_now(
    outcome: Outcome, tmp_path: Path
) -> None:
    done = result(outcome=outcome, verified=outcome == "cancelled", next_steps=("Ask Ada.",))
    html = (write_proof(done, folder=tmp_path) / "report.html").read_text("utf-8")
    assert html.count("Ask Ada.") == 1
    assert "subterminator " in html


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (Spent(), "the built-in planner; no model was asked"),
        (Spent("claude-x", 12, 9_000, 8_000, 700, 0.0125), "claude-x: 12 answers, 9000 tokens in"),
    ],
)
def test_the_report_says_who_led_and_what_it_took(spent: Spent, told: str, tmp_path: Path) -> None:
    html = (write_proof(result(spent=spent), folder=tmp_path) / "report.html").read_text("utf-8")
    assert told in html


def test_a_second_proof_is_put_beside_the_first(tmp_path: Path) -> None:
    first = write_proof(result(), folder=tmp_path)
    again = result(outcome="already_cancelled", ended="2026-12-15T09:00:00Z")
    second = write_proof(again, folder=tmp_path, first=first, about=About(name="Streambox"))
    assert second == first / "second"
    assert "is still cancelled" in (second / "report.html").read_text("utf-8")
    assert changed(first) == ()


def test_no_secret_is_in_any_file_of_a_proof(tmp_path: Path) -> None:
    store, done = recorded(tmp_path / "state", (png(),))
    text = f"{PAGE}\nWrite to {MAIL}. password: {PASSWORD}"
    hostile = replace(
        done,
        service=text, account_hint=text, reference=text, refund=text, error=text, pack_version=text,
        evidence=tuple(replace(each, text=text, url=f"https://x.example/?q={text}") for each in done.evidence)
        + (Evidence("words", text, f"https://{MAIL}@x.example/a?x={PASSWORD}", text),),
        before=Before(text, text, text, text),
        after=After(text, text),
        declined=(text,), survey_answers=(text,), steps=(text,), next_steps=(text,),
        gates=(GateAnswer(text, text, text),),
        started=text,
    )  # fmt: skip
    redactor = Redactor(b"k" * 32)
    redactor.learn(PASSWORD)
    redactor.typed(MAIL)
    for first in (None, write_proof(done, folder=tmp_path / "proofs", store=store)):
        write_proof(
            hostile, folder=tmp_path / "proofs", store=store, first=first,
            about=About(name=text, language="en", redactor=redactor),
        )  # fmt: skip
    assert leaks(tmp_path / "proofs") == []


def test_an_address_that_was_typed_and_recorded_is_masked_in_the_steps(tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    record = store.create("streambox")
    record.redactor.typed(MAIL)
    record.append(Intent("fill", (TargetFacts("e1", "textbox", f"Mail {MAIL}"),), value=MAIL))
    record.close("completed")
    assert MAIL in (store.folder / record.id / "events.jsonl").read_text("utf-8")
    write_proof(result(run=record.id), folder=tmp_path / "proofs", store=store)
    assert leaks(tmp_path / "proofs") == []

"""The parts of the report below its headline."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC

from subterminator.runs.dates import iso_day, moment, written
from subterminator.runs.markup import Html, fill, joined
from subterminator.runs.moments import Moment
from subterminator.runs.proof import NOT_FOUND, Evidence, Picture, Proof, Story, local

KINDS = {
    "words": "Words on the page",
    "status": "Status of the account",
    "control": "A control on the page",
    "date": "A day on the page",
    "reference": "Reference",
    "mail": "Wants a message confirmed",
    "payer": "Who bills",
    "offline": "How to cancel",
}
MOST_HASHES = 60
COMMAND = re.compile(r"subterminator (?:cancel|verify|dispute) \S+$")


def sections(proof: Proof, story: Story, pictures: Sequence[Picture]) -> Iterator[Html]:
    """In the order of what a reader wants to know."""
    if story.first:
        yield _first(story.first)
    yield _section("now", "What to do now", _todo(story))
    yield _section("change", "Before and after", _sides(proof, story))
    yield _section("evidence", "What the pages said", _quotes(proof, story))
    yield _section("pictures", "Pictures", _pictures(pictures))
    yield _section("asked", "What you were asked", _gates(proof))
    yield _section("declined", "Offers and questions of the service", _declined(proof, story))
    yield _section("steps", "Step by step", _story(proof, story))
    yield _section("about", "About this proof", _about(proof, story))


def day_of(text: str) -> str:
    """A day in words, where one was read; else what stands there."""
    day = iso_day(text)
    return written(day) if day else text


def _section(name: str, title: str, content: Html) -> Html:
    return fill(
        '<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>\n{content}</section>',
        name=name,
        title=title,
        content=content,
    )


def _none(text: str) -> Html:
    return fill('<p class="none">{text}</p>', text=text)


def _first(first: Proof) -> Html:
    day = written(first.day) if first.day else "earlier"
    content = fill(
        "<p>The first proof is of {day} and says: {outcome}. It lies one folder above and was not "
        'changed: <a href="../report.html">first report</a>. The sums of this proof include '
        "those of the first.</p>",
        day=day,
        outcome=first.outcome.replace("_", " "),
    )
    return _section("first", "The proof before this one", content)


def _todo(story: Story) -> Html:
    if not story.next_steps:
        return _none("Nothing more to do.")
    steps = (fill("<li><p>{step}</p></li>", step=_with_command(step)) for step in story.next_steps)
    return fill('<ol class="todo">{steps}</ol>', steps=joined(steps))


def _with_command(step: str) -> Html:
    command = COMMAND.search(step)
    if not command:
        return fill("{step}", step=step)
    return fill("{step}<code>{run}</code>", step=step[: command.start()], run=command[0])


# Before and after


def _sides(proof: Proof, story: Story) -> Html:
    before, after, refund = proof.before, proof.after, proof.refund
    was = [
        ("Plan", _page_words(before.plan, story)),
        ("Price", _page_words(before.price, story)),
        ("Renews on", _page_words(day_of(before.renews), story)),
        ("Billed by", _value(story.payer or NOT_FOUND)),
    ]
    amount = f" ({refund.amount})" if refund.amount not in (NOT_FOUND, refund.text) else ""
    now = [
        ("Status", _page_words(after.status_text, story)),
        ("Ends on", _page_words(day_of(after.ends_on), story)),
        ("Reference", _value(proof.reference)),
        ("Refund", _page_words(f"{refund.text}{amount}", story)),
    ]
    return fill(
        '<div class="sides"><div class="side"><h3>Before</h3>{was}</div>'
        '<div class="side now"><h3>After</h3>{now}</div></div>',
        was=_pairs(was),
        now=_pairs(now),
    )


def _pairs(pairs: Sequence[tuple[str, Html]]) -> Html:
    rows = (fill("<div><dt>{term}</dt>{value}</div>", term=t, value=v) for t, v in pairs)
    return fill("<dl>{rows}</dl>", rows=joined(rows))


def _value(text: str) -> Html:
    mark = Html(' class="none"' if text == NOT_FOUND else "")
    return fill("<dd{mark}>{text}</dd>", mark=mark, text=text)


def _page_words(text: str, story: Story) -> Html:
    if text == NOT_FOUND:
        return _value(text)
    return fill(
        '<dd><span lang="{language}" dir="auto">{text}</span></dd>',
        language=story.language,
        text=text,
    )


# Evidence


def _quotes(proof: Proof, story: Story) -> Html:
    if not proof.evidence:
        return _none("Nothing was read that could serve as evidence.")
    quotes = (
        _quote(each, proof, story, fresh=number in story.fresh)
        for number, each in enumerate(proof.evidence)
    )
    return fill('<div class="quotes">{quotes}</div>', quotes=joined(quotes))


def _quote(seen: Evidence, proof: Proof, story: Story, *, fresh: bool) -> Html:
    picture = ""
    if seen.screenshot != NOT_FOUND:
        picture = fill('<span>Picture: <a href="#{name}">{name}</a></span>', name=seen.screenshot)
    return fill(
        '<figure class="evidence"><blockquote lang="{language}" dir="auto">{text}</blockquote>'
        '<figcaption><span class="chips"><span class="chip">{kind}</span>{fresh}</span>'
        "<span>Read at {time}</span><span><code>{url}</code></span>{picture}"
        "</figcaption></figure>",
        language=story.language,
        text=seen.text,
        kind=KINDS.get(seen.kind, seen.kind),
        fresh=Html('<span class="chip fresh">Freshly loaded page</span>') if fresh else "",
        time=_time(seen.time, proof),
        url=seen.url,
        picture=picture,
    )


def _time(text: str, proof: Proof) -> Html:
    """Local time with its day, and UTC."""
    at = moment(text)
    if at is None:
        return fill("{text}", text=text)
    here, there = local(at, proof.timezone), at.astimezone(UTC)
    both = f"{written(here.date())}, {here:%H:%M:%S}"
    utc = f"{there:%H:%M:%S} UTC"
    if here.utcoffset() == there.utcoffset():
        both += " UTC"
        utc = ""
    elif here.date() != there.date():
        utc = f"{written(there.date())}, {utc}"
    return fill(
        '<time datetime="{iso}">{both}</time>{utc}',
        iso=f"{there:%Y-%m-%dT%H:%M:%SZ}",
        both=both,
        utc=f" ({utc})" if utc else "",
    )


def _pictures(pictures: Sequence[Picture]) -> Html:
    if not pictures:
        return _none("No pictures were taken.")
    shown = (
        fill(
            '<figure id="{name}"><a href="{name}">'
            '<img src="data:{media};base64,{data}" alt="{alt}"></a>'
            "<figcaption><span>{alt}</span><span>File <code>{name}</code>, SHA-256 "
            "<code>{sum}</code></span></figcaption></figure>",
            name=picture.name,
            media=picture.media,
            data=base64.b64encode(picture.data).decode(),
            alt=picture.alt,
            sum=hashlib.sha256(picture.data).hexdigest(),
        )
        for picture in pictures
    )
    return fill('<div class="pictures">{shown}</div>', shown=joined(shown))


# What was asked, declined and done


def _gates(proof: Proof) -> Html:
    if not proof.gates:
        return _none("You were not asked anything.")
    rows = (
        fill(
            '<li><p>{asked}</p><p class="answer">Your answer: {answer}</p>'
            '<p class="soft">{time}</p></li>',
            asked=gate.asked,
            answer=gate.answer,
            time=_time(gate.time, proof),
        )
        for gate in proof.gates
    )
    return fill('<ol class="rows">{rows}</ol>', rows=joined(rows))


def _declined(proof: Proof, story: Story) -> Html:
    return fill(
        "<h3>Declined</h3>{declined}<h3>Answered</h3>{answers}",
        declined=_list(proof.declined, story, "No offers were seen."),
        answers=_list(proof.survey_answers, story, "No questions were answered."),
    )


def _list(items: Sequence[str], story: Story, nothing: str) -> Html:
    if not items:
        return _none(nothing)
    rows = (
        fill('<li lang="{language}" dir="auto">{item}</li>', language=story.language, item=item)
        for item in items
    )
    return fill('<ul class="plain">{rows}</ul>', rows=joined(rows))


def _story(proof: Proof, story: Story) -> Html:
    if not story.moments:
        return _none("No steps were recorded.")
    bare = all(moment(each.time) is None for each in story.moments)
    days = [_day(each, proof) for each in story.moments]
    steps: list[Html] = []
    for told, day, before in zip(story.moments, days, ["", *days], strict=False):
        if day != before:
            steps.append(fill('<li class="day"><p>{day}</p></li>', day=day))
        steps.append(_step(told, proof, story))
    kind = "story bare" if bare else "story"
    return fill('<ol class="{kind}">{steps}</ol>', kind=kind, steps=joined(steps))


def _day(told: Moment, proof: Proof) -> str:
    at = moment(told.time)
    return written(local(at, proof.timezone).date()) if at else ""


def _step(told: Moment, proof: Proof, story: Story) -> Html:
    words = fill(' <q lang="{l}" dir="auto">{w}</q>', l=story.language, w=told.words)
    return fill(
        "<li{mark}>{when}<p>{text}{words}{rest}</p></li>",
        mark=fill(' class="{mark}"', mark=told.mark) if told.mark else "",
        when=_when(told.time, proof),
        text=told.text,
        words=words if told.words else "",
        rest=f" {told.rest}" if told.rest else "",
    )


def _when(text: str, proof: Proof) -> Html:
    at = moment(text)
    if at is None:
        return Html()
    here, there = local(at, proof.timezone), at.astimezone(UTC)
    same = here.utcoffset() == there.utcoffset()
    return fill(
        '<div class="when"><time datetime="{iso}">{here}</time>{utc}</div>',
        iso=f"{there:%Y-%m-%dT%H:%M:%SZ}",
        here=f"{here:%H:%M:%S}{' UTC' if same else ''}",
        utc="" if same else fill(' <span class="soft">{utc} UTC</span>', utc=f"{there:%H:%M:%S}"),
    )


def _about(proof: Proof, story: Story) -> Html:
    pairs = [
        ("Service", _value(proof.service)),
        ("Outcome code", _value(proof.outcome)),
        ("Verified", _value("yes" if proof.verified else "no")),
        ("Reason", _value(story.reason or NOT_FOUND)),
        ("Error", _value(story.error or "none")),
        ("Began", fill("<dd>{time}</dd>", time=_time(proof.started, proof))),
        ("Ended", fill("<dd>{time}</dd>", time=_time(proof.ended, proof))),
        ("Time zone", _value(proof.timezone)),
        ("Led by", _value(story.led_by or NOT_FOUND)),
        ("Engine", _value(proof.engine)),
        ("Pack", _value(proof.pack_version)),
        ("Run", _value(story.run or NOT_FOUND)),
    ]
    rows = joined(fill("<dt>{term}</dt>{value}", term=t, value=v) for t, v in pairs)
    return fill(
        '<dl class="about">{rows}</dl><h3>Pages that were read</h3>{hashes}'
        "<h3>How to check it</h3><p>In this folder, each file has its SHA-256 sum in "
        "<code>SHA256SUMS</code>:</p>"
        '<p><code class="command">sha256sum -c SHA256SUMS</code></p>'
        '<p class="soft">On a Mac: <code>shasum -a 256 -c SHA256SUMS</code>. The sums show whether '
        "a file was changed since; they do not show who wrote it. Keep a copy elsewhere, such as "
        "in a message to yourself, if the day matters.</p>",
        rows=rows,
        hashes=_hashes(proof),
    )


def _hashes(proof: Proof) -> Html:
    if not proof.page_hashes:
        return _none("Not recorded.")
    rows = (
        fill(
            '<li><code>{url}</code><br><span class="soft">{time}, SHA-256 of what was seen '
            "<code>{sum}</code></span></li>",
            url=page.url,
            time=_time(page.time, proof),
            sum=page.sha256,
        )
        for page in proof.page_hashes[:MOST_HASHES]
    )
    return fill('<ol class="hashes">{rows}</ol>', rows=joined(rows))

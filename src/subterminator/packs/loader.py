"""Reads one pack from a file and checks it. Whatever is wrong is refused with its line and why."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from subterminator.errors import InvalidParams
from subterminator.packs import model, positions
from subterminator.packs.model import Pack
from subterminator.packs.pattern import Unsafe, compiled
from subterminator.packs.phrase import MOST_GAPS, form
from subterminator.packs.template import GAPS, unknown_gaps

MOST_BYTES = 65_536
# tomllib needs quadratic time for a key of many parts, and a key is on one line.
LONGEST_LINE = 1_000
SCHEMES = re.compile(r"^[a-z][a-z0-9+.-]+://", re.IGNORECASE)
LOOPBACK = frozenset({"127.0.0.1", "localhost"})
# Fields whose text may have several lines.
_LONG = frozenset({"page", "letter", "hint", "goal", "how"})
_PLACE = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]|(\[\.\.\.\])")
_MAPS: Mapping[str, object] = {"states": model.Signs, "billing_probe": model.Payer}


class Fault(NamedTuple):
    """What is wrong, and where."""

    line: int
    reason: str


class Draft(Struct, frozen=True):
    """A pack as its file has it, before what it extends is added."""

    pack: Pack
    source: str
    """The path, or the name of a built-in one."""
    digest: str
    """SHA-256 of the file: which words were used, for the proof."""
    lines: Mapping[positions.Path, int]
    is_users: bool = False

    def line(self, *place: str | int) -> int:
        return positions.line_at(self.lines, place)


def refuse(source: str, fault: Fault, *, more: int = 0) -> InvalidParams:
    """A pack that is wrong stops everything: it is never left out instead."""
    rest = f" ({more} more)" if more else ""
    return InvalidParams(
        f"{source}:{fault.line}: {fault.reason}.{rest}",
        next_step="Mend or remove it; `subterminator services check FILE` lists what is wrong.",
        source=source,
        line=fault.line,
        reason=fault.reason,
    )


def read_file(path: str) -> Draft:
    """A pack from a file of the user. Raises InvalidParams."""
    draft, faults = examine_file(path)
    if faults:
        raise refuse(path, faults[0], more=len(faults) - 1)
    return cast(Draft, draft)


def examine_file(path: str) -> tuple[Draft | None, list[Fault]]:
    """A pack from a file and all that is wrong with it."""
    return examine(_bytes_of(path), path, is_users=True)


def _bytes_of(path: str) -> bytes:
    if SCHEMES.match(path):
        raise InvalidParams(
            f"{path} is an address. A pack says what to press, so it is read from a file only.",
            next_step="Save it, read it, and name the file.",
        )
    try:
        seen = os.stat(path)
        if not stat.S_ISREG(seen.st_mode):
            raise refuse(path, Fault(1, "is not a regular file"))
        if os.name == "posix" and (
            seen.st_mode & stat.S_IWOTH or seen.st_uid not in (0, os.geteuid())
        ):
            raise refuse(path, Fault(1, "can be changed by other users"))
        with Path(path).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise refuse(path, Fault(1, f"cannot be read ({error.strerror})")) from error


def examine(
    data: bytes, source: str, *, is_users: bool = False
) -> tuple[Draft | None, list[Fault]]:
    """A pack from the bytes of a file and all that is wrong with it."""
    try:
        table, lines = _table(data)
    except (ValueError, RecursionError) as error:
        return None, [_unreadable(error, data.count(b"\n") + 1)]
    try:
        pack = msgspec.convert(table, Pack)
    except msgspec.ValidationError as error:
        return None, [_explain(str(error), table, lines)]
    digest = hashlib.sha256(data).hexdigest()
    draft = Draft(pack, source, digest, lines, is_users)
    return draft, sorted(_faults(draft, table))


def _table(data: bytes) -> tuple[dict[str, object], Mapping[positions.Path, int]]:
    if len(data) > MOST_BYTES:
        raise _At(1, f"is larger than {MOST_BYTES // 1024} kB")
    for number, line in enumerate(data.split(b"\n"), 1):
        if len(line) > LONGEST_LINE:
            raise _At(number, f"has a line of more than {LONGEST_LINE} characters")
    text = data.decode("utf-8").replace("\r\n", "\n")
    return tomllib.loads(text), positions.lines_of(text)


class _At(ValueError):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def _unreadable(error: ValueError | RecursionError, last: int) -> Fault:
    match error:
        case _At():
            return Fault(error.line, str(error))
        case RecursionError():
            return Fault(1, "is nested too deeply")
        case UnicodeDecodeError():
            return Fault(1, "is not UTF-8 text")
        case tomllib.TOMLDecodeError():
            found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            reason = str(error).partition(" (at ")[0]
            return Fault(int(found[1]) if found else last, f"is not valid TOML: {reason}")
        case _:
            return Fault(1, f"is not valid TOML: {str(error)[:100]}")


def _explain(words: str, table: dict[str, object], lines: Mapping[positions.Path, int]) -> Fault:
    """A complaint of msgspec with its line. It leaves out which key of a mapping it means."""
    what, _, where = words.partition(" - at ")
    place = _place(where, table)
    if unknown := re.search(r"unknown field `(.+)`", what):
        known = _fields(place)
        close = difflib.get_close_matches(unknown[1], known, n=1)
        advice = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
        line = positions.line_at(lines, (*place, unknown[1]))
        return Fault(line, f"unknown field {unknown[1]!r}; {advice}")
    shown = ".".join(str(part) for part in place)
    reason = what.replace("`", "").replace("Object missing", "is missing the")
    return Fault(positions.line_at(lines, place), f"{shown}: {reason}" if shown else reason)


def _place(where: str, table: dict[str, object]) -> positions.Path:
    place: list[str | int] = []
    for name, number, gap in _PLACE.findall(where):
        if gap:
            place.append(_culprit(str(place[0]), table))
        else:
            place.append(int(number) if number else name)
    if "`key` in" in where:
        place.append(_bad_key(str(place[0]), table))
    return tuple(place)


def _culprit(field: str, table: dict[str, object]) -> str:
    entries = cast(dict[str, object], table[field])
    return next(key for key, value in entries.items() if not _converts(value, _MAPS[field]))


def _bad_key(field: str, table: dict[str, object]) -> str:
    kind = model.Stage if field == "states" else model.Phrase
    return next(key for key in cast(dict[str, object], table[field]) if not _converts(key, kind))


def _converts(value: object, kind: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _fields(place: positions.Path) -> list[str]:
    kinds: dict[str | int, type[Struct]] = {
        "checkpoint": model.Clue,
        "success": model.Clue,
        "failure": model.Clue,
        "already_cancelled": model.Clue,
        "auth": model.AuthClue,
        "states": model.Signs,
        "actions": model.Actions,
        "losses": model.Loss,
        "proof": model.Proof,
        "offline": model.Offline,
        "example": model.Example,
    }
    kind = kinds.get(place[0], Pack) if place else Pack
    return [field.encode_name for field in msgspec.structs.fields(kind)]


def _faults(draft: Draft, table: dict[str, object]) -> Iterator[Fault]:
    pack = draft.pack
    stem = Path(draft.source).stem
    if stem != pack.id:
        yield Fault(draft.line("id"), f"the id is {pack.id!r} but the file is called {stem!r}")
    for place, text in _strings(table):
        if place[-1] not in _LONG and any(ord(sign) < 32 or ord(sign) == 127 for sign in text):
            yield Fault(draft.line(*place), "a control character or a line break in a short text")
    yield from _phrase_faults(draft)
    yield from _address_faults(draft)
    yield from _pattern_faults(draft)
    for field, text in (("goal", pack.goal), ("offline", pack.offline.letter)):
        for unknown in unknown_gaps(text):
            known = ", ".join(GAPS)
            yield Fault(draft.line(field), f"unknown gap {{{unknown}}}; known: {known}")
    if not pack.sources and not pack.confidence.startswith("?"):
        yield Fault(draft.line("confidence"), 'without sources the confidence can only be "?"')


def _strings(value: object, place: positions.Path = ()) -> Iterator[tuple[positions.Path, str]]:
    match value:
        case str():
            yield place, value
        case dict():
            for key, below in value.items():
                yield (*place, key), key
                yield from _strings(below, (*place, key))
        case list():
            for number, below in enumerate(value):
                yield from _strings(below, (*place, number))


def _phrase_faults(draft: Draft) -> Iterator[Fault]:
    pack = draft.pack
    seen: dict[tuple[object, ...], int] = {}
    for place, phrase in pack.phrases():
        line = draft.line(*place)
        if not form(phrase).pieces:
            yield Fault(line, f"{phrase!r} has no word in it")
        elif phrase.count("*") > MOST_GAPS:
            yield Fault(line, f"{phrase!r} has more than {MOST_GAPS} gaps (*)")
        elif isinstance(place[-1], int):
            same = (*place[:-1], form(phrase))
            if first := seen.get(same):
                yield Fault(line, f"{phrase!r} is there twice (line {first})")
            seen.setdefault(same, line)
    never = {form(phrase) for phrase in pack.never}
    for purpose in ("decline", "advance", "final"):
        for number, phrase in enumerate(getattr(pack.actions, purpose)):
            if form(phrase) in never:
                line = draft.line("actions", purpose, number)
                yield Fault(line, f"{phrase!r} is in never and in {purpose}")


def _address_faults(draft: Draft) -> Iterator[Fault]:
    pack = draft.pack
    places: list[tuple[positions.Path, str]] = [
        (("start_urls", number), address) for number, address in enumerate(pack.start_urls)
    ]
    if pack.proof.recheck_url:
        places.append((("proof", "recheck_url"), pack.proof.recheck_url))
    for place, address in places:
        if reason := _address_fault(address, pack.sites):
            yield Fault(draft.line(*place), f"{address}: {reason}")


def _address_fault(address: str, sites: tuple[str, ...]) -> str:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "is not an address"
    if parts.username is not None or parts.password is not None:
        return "an address with a user name hides where it leads"
    if parts.scheme != "https" and host not in LOOPBACK:
        return "only https, but on this computer itself"
    if not any(host in (site, f"www.{site}") or site == f"www.{host}" for site in sites):
        return f"its host is not one of the sites ({', '.join(sites) or 'none'})"
    return ""


def _pattern_faults(draft: Draft) -> Iterator[Fault]:
    for field in ("date_regex", "ref_regex"):
        try:
            compiled(getattr(draft.pack.proof, field))
        except Unsafe as fault:
            yield Fault(draft.line("proof", field), f"proof.{field} {fault}")

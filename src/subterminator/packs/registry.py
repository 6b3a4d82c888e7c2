"""All packs of this computer: built in, and the user's own, which may only tighten them."""

from __future__ import annotations

import difflib
import ntpath
import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from msgspec import Struct

from subterminator.config import config_file
from subterminator.errors import InvalidParams
from subterminator.machine import Machine
from subterminator.packs.inheritance import check_extends, loosened, merge, weakened
from subterminator.packs.loader import Draft, Fault, examine, read_file, refuse
from subterminator.packs.matcher import PageWords
from subterminator.packs.model import Pack
from subterminator.packs.phrase import Names, Text, fold_name, is_called, is_exact, key

MOST_USER_PACKS = 500
FALLBACK = "generic-en"
# How much alike a name must be to be the one that was meant; `nope` is not `openai`.
NEAR = 0.75
KINDS = ("service", "store", "portal", "generic")


class Entry(Struct, frozen=True):
    """A pack ready for use, with all that it extends, and the file it comes from."""

    pack: Pack
    draft: Draft


class Registry:
    """Packs by id, name, host and language."""

    def __init__(self, drafts: Iterable[Draft]) -> None:
        self._drafts = {draft.pack.id: draft for draft in drafts}
        self._whole: dict[str, Pack] = {}
        self._ids = _ids_by_name(self._drafts.values())
        for draft in self._drafts.values():
            check_extends(draft, self._drafts)
        for draft in self._drafts.values():
            if draft.is_users:
                _stop_at(draft, loosened(draft, self.pack(draft.pack.id)))

    def ids(self) -> tuple[str, ...]:
        return tuple(sorted(self._drafts))

    def entries(self) -> Iterator[Entry]:
        for pack_id in self.ids():
            yield self.entry(pack_id)

    def entry(self, pack_id: str) -> Entry:
        return Entry(self.pack(pack_id), self._drafts[pack_id])

    def pack(self, pack_id: str) -> Pack:
        """The pack of this id with all that it extends."""
        if pack_id not in self._whole:
            own = self._drafts[pack_id].pack
            self._whole[pack_id] = merge(own, [self.pack(parent) for parent in own.extends])
        return self._whole[pack_id]

    def find(self, name: str) -> Pack:
        """The pack that a person means. Raises InvalidParams with the nearest name."""
        found = self._ids.get(key(name))
        if found is None:
            raise InvalidParams(f"There is no pack for {name!r}.", next_step=self._advise(name))
        return self.pack(found)

    def _advise(self, name: str) -> str:
        close = difflib.get_close_matches(key(name), self._ids, n=1, cutoff=NEAR)
        if close:
            return f"Did you mean {self._ids[close[0]]}?"
        return "`subterminator services list` shows all, `services new` begins another."

    def at(self, address: str) -> tuple[Pack, ...]:
        """Packs for the host of an address, services first.

        A portal is recognised on any host below its own. That a page was recognised gives no leave
        to act on it: the sites of a task do.
        """
        host = (urlsplit(address).hostname or "").removeprefix("www.")
        found = [self.pack(pack_id) for pack_id in self.ids() if self._is_at(pack_id, host)]
        return tuple(sorted(found, key=lambda pack: (KINDS.index(pack.kind), pack.id)))

    def _is_at(self, pack_id: str, host: str) -> bool:
        pack = self._drafts[pack_id].pack
        return any(
            host == site.removeprefix("www.") or pack.kind == "portal" and host.endswith(f".{site}")
            for site in pack.sites
        )

    def generic(self, language: str = "", words: PageWords | None = None) -> Pack:
        """The words of a language: of the one named, or of the one that the page speaks."""
        named = f"generic-{language.lower()[:2]}"
        if words is None:
            return self.pack(named if named in self._drafts else FALLBACK)
        text = Text(f"{words.title}\n{words.text}")
        names = Names(fold_name(control.name) for control in words.controls)
        scores = {
            pack_id: _fluency(self.pack(pack_id), text, names) + (1 if pack_id == named else 0)
            for pack_id in self.ids()
            if pack_id.startswith("generic-")
        }
        best = max(scores, key=lambda pack_id: (scores[pack_id], pack_id == FALLBACK))
        return self.pack(best)

    def never_pressed(self, pack_id: str) -> tuple[str, ...]:
        """The names that a pack itself says are never pressed, as far as they are plain words."""
        draft = self._drafts.get(pack_id)
        return tuple(filter(is_exact, draft.pack.never)) if draft else ()

    def payer(self, statement: str) -> str:
        """Who took the money, by a line of a bank statement. Empty: the merchant itself."""
        line = fold_name(statement)
        for draft in self._drafts.values():
            if draft.pack.kind == "store":
                for phrase, payer in draft.pack.billing_probe.items():
                    if is_called(line, phrase.rstrip("* ") + " *"):
                        return payer
        return ""

    def store(self, payer: str) -> Pack | None:
        """The pack to go on with when somebody else bills."""
        pack_id = f"store-{payer}"
        return self.pack(pack_id) if pack_id in self._drafts else None


def load(machine: Machine) -> Registry:
    """All packs. An unreadable one stops here: it is never taken for a missing one."""
    return assemble(read_file(path) for path in user_files(machine))


def assemble(users: Iterable[Draft]) -> Registry:
    """The built-in packs with the user's, each of which was checked against the one it replaces."""
    built_in = built_in_drafts()
    own = {draft.pack.id: draft for draft in users}
    for pack_id, draft in own.items():
        if original := built_in.get(pack_id):
            _stop_at(draft, weakened(draft, original))
    return Registry((built_in | own).values())


@cache
def built_in_drafts() -> dict[str, Draft]:
    found: dict[str, Draft] = {}
    folder = files("subterminator.packs").joinpath("data")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            draft, faults = examine(file.read_bytes(), file.name)
            if draft is None or faults:
                raise refuse(file.name, faults[0], more=len(faults) - 1)
            found[draft.pack.id] = draft
    return found


def user_folder(machine: Machine) -> str:
    """Where the user's own packs are looked for. It need not be there."""
    flavour = ntpath if machine.platform == "win32" else posixpath
    return machine.join(flavour.dirname(config_file(machine)), "packs")


def user_files(machine: Machine) -> list[str]:
    folder = user_folder(machine)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InvalidParams(f"The folder {folder} cannot be read ({error.strerror}).") from error
    wanted = [name for name in sorted(names) if name.endswith(".toml") and name[0] != "."]
    if len(wanted) > MOST_USER_PACKS:
        raise InvalidParams(f"The folder {folder} has more than {MOST_USER_PACKS} packs.")
    return [machine.join(folder, name) for name in wanted]


def _stop_at(draft: Draft, faults: Iterable[Fault]) -> None:
    found = sorted(faults)
    if found:
        raise refuse(draft.source, found[0], more=len(found) - 1)


def _ids_by_name(drafts: Iterable[Draft]) -> Mapping[str, str]:
    """Every name people may use. Two packs of one name would make it chance which is meant."""
    ids: dict[str, str] = {}
    ordered = sorted(drafts, key=lambda draft: draft.is_users)
    for draft in ordered:
        ids[key(draft.pack.id)] = draft.pack.id
    for draft in ordered:
        for number, name in enumerate(draft.pack.names):
            taken = ids.setdefault(key(name), draft.pack.id)
            if taken != draft.pack.id:
                line = draft.line("names", number)
                raise refuse(draft.source, Fault(line, f"the name {name!r} belongs to {taken}"))
    return ids


def _fluency(pack: Pack, text: Text, names: Names) -> int:
    """How many phrases of a pack a page uses."""
    return sum(text.says(phrase) or names.has(phrase) for _, phrase in pack.phrases())

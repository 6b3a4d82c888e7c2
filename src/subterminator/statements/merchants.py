"""Who stands behind a line of a statement: the service, who bills it, which pack knows it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from msgspec import Struct, convert

from subterminator.packs.phrase import fold_name
from subterminator.packs.registry import Registry
from subterminator.statements import descriptors, masks
from subterminator.statements.model import PAYERS, Merchant, Payer, Transaction

# A line that names the shop behind PayPal only in its purpose.
_BEHIND = re.compile(
    r"(?:ihr einkauf bei|your purchase at|votre achat chez|su compra en|acquisto presso|"
    r"aankoop bij)\s+([^,/]{2,40})",
    re.IGNORECASE,
)
_BEHIND_NUMBER = re.compile(r"PP\.\d+\.PP\s*[/.]?\s*\.?\s*([^,/]{2,40})", re.IGNORECASE)
SHORTEST_JOINED = 6
SHORTEST_ANYWHERE = 6
SHORTEST_PACK_NAME = 5
CONTRACT = "contract: "
STORE_NAMES: dict[Payer, str] = {
    "apple": "Apple (App Store)",
    "google": "Google Play",
    "paypal": "PayPal",
    "roku": "Roku",
    "amazon": "Amazon",
    "carrier": "Phone bill",
}


class Service(Struct, frozen=True):
    """A service that renews, by the words that statements use for it."""

    name: str
    words: tuple[str, ...]
    pack: str = ""
    own: Payer | None = None


class Words(Struct, frozen=True):
    words: tuple[str, ...]
    standing: tuple[str, ...] = ()


class Book(Struct, frozen=True, forbid_unknown_fields=True):
    """merchants.toml."""

    payers: dict[Payer, tuple[str, ...]]
    shops: Words
    moved: Words
    contracts: dict[str, tuple[str, ...]]
    marks: Words
    service: tuple[Service, ...]


@lru_cache(maxsize=16_384)
def _fold(text: str) -> str:
    return fold_name(text[: descriptors.LONGEST])


@cache
def book() -> Book:
    text = files("subterminator.statements").joinpath("merchants.toml").read_text("utf-8")
    return convert(tomllib.loads(text), Book)


class _Hit(NamedTuple):
    length: int
    meaning: str


class _Phrases:
    """Phrases of whole words, each with a meaning; the longest that is there counts."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        self._joined: dict[str, list[tuple[str, str]]] = {}
        for phrase, meaning in phrases:
            folded = _fold(phrase)
            if words := folded.split():
                self._by_word.setdefault(words[0], []).append((folded, meaning))
            joined = folded.replace(" ", "")
            if len(joined) >= SHORTEST_JOINED:
                self._joined.setdefault(joined[:SHORTEST_JOINED], []).append((joined, meaning))

    def first(self, folded: str) -> _Hit | None:
        """The meaning of how a line begins, also where its words are written together."""
        words = folded.split()
        found = [
            _Hit(len(phrase), meaning)
            for phrase, meaning in self._by_word.get(words[0] if words else "", ())
            if folded.startswith(phrase)
        ]
        joined = folded.replace(" ", "")
        found += [
            _Hit(len(phrase), meaning)
            for phrase, meaning in self._joined.get(joined[:SHORTEST_JOINED], ())
            if joined.startswith(phrase)
        ]
        return max(found, key=lambda hit: hit.length, default=None)

    def within(self, folded: str, shortest: int = 0) -> list[_Hit]:
        """The meanings of all phrases in a line, the longest first."""
        found = [
            _Hit(len(phrase), meaning)
            for word in set(folded.split())
            for phrase, meaning in self._by_word.get(word, ())
            if len(phrase) - 2 >= shortest and phrase in folded
        ]
        return sorted(found, reverse=True)


class Merchants:
    """Merchants by line, with what the packs of this computer know."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        known = book()
        self._services = {service.name: service for service in known.service}
        taken = {service.pack for service in known.service}
        for entry in registry.entries():
            if entry.pack.kind == "service" and entry.pack.id not in taken:
                service = Service(
                    entry.pack.names[0], tuple(_pack_words(entry.pack.names)), entry.pack.id
                )
                self._services.setdefault(service.name, service)
        self._by_service = _Phrases(
            (word, service.name) for service in self._services.values() for word in service.words
        )
        self._by_payer = _Phrases(
            (word, payer) for payer, words in known.payers.items() for word in words
        )
        self._by_kind = _Phrases(_kinds(known))
        self._own_payers = {
            _fold(phrase).split()[0]
            for entry in registry.entries()
            if entry.pack.kind == "store"
            for phrase in entry.pack.billing_probe
            if _fold(phrase).strip()
        }
        self._seen: dict[tuple[str, str], Merchant | None] = {}

    def of(self, transaction: Transaction) -> Merchant | None:
        """The merchant of a line; None if the line names nobody."""
        line = transaction.payee, transaction.text
        if line not in self._seen:
            self._seen[line] = self._identify(*line)
        return self._seen[line]

    def _identify(self, payee: str, text: str) -> Merchant | None:
        payer, rest = self._payer(payee, text)
        folded = _fold(text)
        service = self._service(rest, folded)
        if service:
            sold_by = service.own if payer == "direct" and service.own else payer
            return Merchant(
                key=_fold(service.name).strip(),
                name=service.name,
                payer=sold_by,
                kind="subscription",
                pack=service.pack,
                own=service.own == sold_by,
                marked=True,
            )
        name = descriptors.clean(rest) if rest else ""
        if not any(map(str.isalpha, name)):
            name = STORE_NAMES.get(payer, "")
        if not name:
            return None
        return self._unknown(name, payer, folded)

    def _unknown(self, name: str, payer: Payer, folded: str) -> Merchant | None:
        key = "".join(_fold(name).split()[:3])
        shown = masks.words(name.title() if name.isupper() or name.islower() else name)
        said = [hit.meaning for hit in self._by_kind.within(folded)]
        if contract := next((one for one in said if one.startswith(CONTRACT)), ""):
            why = contract.removeprefix(CONTRACT)
            return Merchant(key, shown, payer, "contract", why=why, marked=True)
        if "moved" in said:
            return Merchant(key, shown, payer, "moved")
        if "shop" in said and "mark" not in said and payer == "direct":
            return Merchant(key, shown, payer, "shop")
        if "dauerauftrag" in folded or "standing order" in folded:
            return Merchant(key, shown, payer, "contract", why="standing order", marked=True)
        marked = "mark" in said or "standing" in said
        return Merchant(key, shown, payer, marked=marked) if key else None

    def _payer(self, payee: str, text: str) -> tuple[Payer, str]:
        """Who takes the money, and what the line says of the service then."""
        for words in filter(None, dict.fromkeys((payee, text))):
            line = descriptors.bare(words)
            folded = _fold(line)
            hit = self._by_payer.first(folded) or self._by_pack(line, folded)
            if hit:
                payer = _payer_named(hit.meaning)
                return payer, self._behind(payer, line, payee, text, hit.length)
        if any(hit.meaning == "carrier" for hit in self._by_kind.within(_fold(text))):
            return "carrier", payee or text
        return "direct", payee or text

    def _by_pack(self, line: str, folded: str) -> _Hit | None:
        """The payer that a store's pack knows by this line."""
        first = next(iter(folded.split()), "")
        payer = self._registry.payer(line) if first in self._own_payers else ""
        return _Hit(len(first) + 2, payer) if payer else None

    def _behind(self, payer: Payer, line: str, payee: str, text: str, length: int) -> str:
        if payer == "paypal":
            for pattern in (_BEHIND, _BEHIND_NUMBER):
                if match := pattern.search(text):
                    return match[1]
        if payer == "amazon":
            return line
        if payee and not self._by_payer.first(_fold(descriptors.bare(payee))):
            return payee
        # A bank's line says nothing of what was bought at Apple; its number and state follow.
        return "" if payer == "apple" else _without_numbers(_fold(line)[length - 1 :])

    def _service(self, rest: str, folded: str) -> Service | None:
        head = _fold(descriptors.bare(rest)) if rest else " "
        hit = self._by_service.first(head) or next(
            iter(self._by_service.within(folded, SHORTEST_ANYWHERE)), None
        )
        return self._services[hit.meaning] if hit else None


def _kinds(known: Book) -> Iterator[tuple[str, str]]:
    """Words that say what a line is, whoever it is from."""
    lists = {
        "carrier": known.payers["carrier"],
        "moved": known.moved.words,
        "shop": known.shops.words,
        "mark": known.marks.words,
        "standing": known.marks.standing,
    }
    lists.update({f"{CONTRACT}{why}": words for why, words in known.contracts.items()})
    for meaning, words in lists.items():
        yield from ((word, meaning) for word in words)


def _pack_words(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if len(_fold(name).replace(" ", "")) >= SHORTEST_PACK_NAME:
            yield name


def _payer_named(name: str) -> Payer:
    return next((payer for payer in PAYERS if payer == name), "direct")


def _without_numbers(folded: str) -> str:
    """`1234 netflix` is netflix: payers put numbers of their own before the name."""
    words = folded.split()
    while words and any(map(str.isdigit, words[0])):
        words.pop(0)
    return " ".join(words)

"""Looks at one pack file as it would be if it were in the user's folder. Changes nothing."""

from __future__ import annotations

from typing import NamedTuple

from subterminator.errors import InvalidParams
from subterminator.packs.example import disagreements
from subterminator.packs.inheritance import weakened
from subterminator.packs.loader import Draft, Fault, examine_file
from subterminator.packs.registry import Registry, built_in_drafts


class Report(NamedTuple):
    """All that is wrong with a pack, in the order of its lines, and how much was tried."""

    faults: list[Fault]
    examples: int


def inspect(path: str) -> Report:
    """Check a file: form, words, what it extends, what it may not loosen, and its examples."""
    draft, faults = examine_file(path)
    if draft is None:
        return Report(faults, 0)
    built_in = built_in_drafts()
    if original := built_in.get(draft.pack.id):
        faults += weakened(draft, original)
    try:
        registry = Registry((built_in | {draft.pack.id: draft}).values())
    except InvalidParams as error:
        faults.append(Fault(int(str(error.details["line"])), str(error.details["reason"])))
        return Report(sorted(set(faults)), 0)
    faults += _example_faults(draft, registry)
    return Report(sorted(set(faults)), len(draft.pack.example))


def _example_faults(draft: Draft, registry: Registry) -> list[Fault]:
    whole = registry.pack(draft.pack.id)
    return [
        Fault(draft.line("example", one.number), one.reason)
        for one in disagreements(whole, draft.pack.example)
    ]

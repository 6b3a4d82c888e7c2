"""What a pack takes over from those it extends, and what a user's pack may not take away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from subterminator.packs.loader import Draft, Fault, refuse
from subterminator.packs.matcher import tell
from subterminator.packs.model import Actions, Clue, Pack, Proof, Signs, Stage
from subterminator.packs.phrase import fold_name, form, is_called, is_exact

DEEPEST = 3
T = TypeVar("T")


def merge(own: Pack, parents: Sequence[Pack]) -> Pack:
    """A pack with the words of those it extends, its own first.

    Names, sites, addresses, provenance and examples are never taken over.
    """
    for parent in parents:
        own = _merge_one(own, parent)
    return own


def _merge_one(own: Pack, parent: Pack) -> Pack:
    return msgspec.structs.replace(
        own,
        goal=own.goal or parent.goal,
        hint=own.hint or parent.hint,
        checkpoint=_joined(own.checkpoint, parent.checkpoint),
        success=_joined(own.success, parent.success),
        failure=_joined(own.failure, parent.failure),
        auth=_joined(own.auth, parent.auth),
        already_cancelled=_joined(own.already_cancelled, parent.already_cancelled),
        billing_probe={**parent.billing_probe, **own.billing_probe},
        states=_states(own.states, parent.states),
        actions=Actions(
            decline=_phrases(own.actions.decline, parent.actions.decline),
            advance=_phrases(own.actions.advance, parent.actions.advance),
            final=_phrases(own.actions.final, parent.actions.final),
        ),
        never=_phrases(own.never, parent.never),
        losses=_joined(own.losses, parent.losses),
        proof=_proof(own.proof, parent.proof),
        offline=msgspec.structs.replace(
            own.offline,
            how=own.offline.how or parent.offline.how,
            letter=own.offline.letter or parent.offline.letter,
        ),
    )


def _joined(own: tuple[T, ...], more: tuple[T, ...]) -> tuple[T, ...]:
    return (*own, *(one for one in more if one not in own))


def _phrases(own: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    known = {form(phrase) for phrase in own}
    return (*own, *(phrase for phrase in more if form(phrase) not in known))


def _states(own: Mapping[Stage, Signs], parent: Mapping[Stage, Signs]) -> dict[Stage, Signs]:
    none = Signs()
    return {
        stage: Signs(
            url=_phrases(own.get(stage, none).url, parent.get(stage, none).url),
            text=_phrases(own.get(stage, none).text, parent.get(stage, none).text),
            roles=_joined(own.get(stage, none).roles, parent.get(stage, none).roles),
        )
        for stage in {**own, **parent}
    }


def _proof(own: Proof, parent: Proof) -> Proof:
    return Proof(
        text=_phrases(own.text, parent.text),
        date_regex=own.date_regex or parent.date_regex,
        ref_regex=own.ref_regex or parent.ref_regex,
        recheck_url=own.recheck_url,
    )


def check_extends(draft: Draft, drafts: Mapping[str, Draft]) -> None:
    """Everything it extends is there, not too far away, and does not lead back."""
    for number, parent in enumerate(draft.pack.extends):
        if reason := _extends_fault(parent, (draft.pack.id,), drafts):
            raise refuse(draft.source, Fault(draft.line("extends", number), reason))


def _extends_fault(pack_id: str, path: tuple[str, ...], drafts: Mapping[str, Draft]) -> str:
    if pack_id in path:
        return f"extends itself ({' > '.join((*path, pack_id))})"
    if pack_id not in drafts:
        return f"extends {pack_id!r}, which is not there"
    if len(path) > DEEPEST:
        return f"extends over more than {DEEPEST} levels ({' > '.join(path)})"
    below = (_extends_fault(p, (*path, pack_id), drafts) for p in drafts[pack_id].pack.extends)
    return next((reason for reason in below if reason), "")


def loosened(draft: Draft, whole: Pack) -> Iterator[Fault]:
    """Names to press that what it extends says must never be pressed."""
    for purpose in ("decline", "advance", "final"):
        for number, phrase in enumerate(getattr(draft.pack.actions, purpose)):
            name = fold_name(phrase)
            if is_exact(phrase) and any(is_called(name, never) for never in whole.never):
                line = draft.line("actions", purpose, number)
                yield Fault(line, f"{phrase!r} is never pressed by a pack that it extends")


def weakened(draft: Draft, original: Draft) -> Iterator[Fault]:
    """What a user's pack takes away from the built-in one of the same id, or adds to its reach."""
    own, built_in = draft.pack, original.pack
    for number, site in enumerate(own.sites):
        if site not in built_in.sites:
            yield Fault(draft.line("sites", number), f"adds the site {site} to a built-in pack")
    for field in ("checkpoint", "failure", "auth"):
        for clue in _missing(getattr(own, field), getattr(built_in, field)):
            yield Fault(draft.line(field), f"removes from {field}: {tell(clue)}")
    lists = {
        "never": (own.never, built_in.never),
        "actions.final": (own.actions.final, built_in.actions.final),
        "extends": (own.extends, built_in.extends),
        "losses": ([loss.says for loss in own.losses], [loss.says for loss in built_in.losses]),
    }
    for field, (have, need) in lists.items():
        known = {form(phrase) for phrase in have}
        for phrase in (phrase for phrase in need if form(phrase) not in known):
            yield Fault(draft.line(*field.split(".")), f"removes from {field}: {phrase!r}")
    yield from _moved(draft, built_in)


def _missing(have: tuple[Clue, ...], need: tuple[Clue, ...]) -> Iterable[Clue]:
    return (clue for clue in need if clue not in have)


def _moved(draft: Draft, built_in: Pack) -> Iterator[Fault]:
    """Names that the built-in pack guards and this one would press on the way."""
    guarded = (*built_in.actions.final, *built_in.never)
    before = {form(p) for p in (*built_in.actions.decline, *built_in.actions.advance)}
    for purpose in ("decline", "advance"):
        for number, phrase in enumerate(getattr(draft.pack.actions, purpose)):
            if form(phrase) in before:
                continue
            name = fold_name(phrase)
            if any(is_called(fold_name(g), phrase) or is_called(name, g) for g in guarded):
                line = draft.line("actions", purpose, number)
                yield Fault(line, f"{phrase!r} is guarded by the built-in pack")

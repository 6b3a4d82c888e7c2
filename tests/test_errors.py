"""The error tree: every error says what to do next."""

from __future__ import annotations

from subterminator import errors
from subterminator.errors import SubTerminatorError


def _all(kind: type[SubTerminatorError]) -> list[type[SubTerminatorError]]:
    return [kind, *(deeper for below in kind.__subclasses__() for deeper in _all(below))]


def test_every_error_has_a_next_step_of_its_own_or_inherited() -> None:
    silent = [kind.__name__ for kind in _all(SubTerminatorError) if not kind.next_step]
    assert silent == ["SubTerminatorError"]


def test_the_tree_at_the_top_of_the_module_names_every_error() -> None:
    drawn = errors.__doc__ or ""
    ours = [kind for kind in _all(SubTerminatorError) if kind.__module__ == errors.__name__]
    assert [kind.__name__ for kind in ours if kind.__name__ not in drawn] == []

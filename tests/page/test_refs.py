"""Refs mean one element with one role and name, for ever."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.errors import InvalidParams, RefInvalid
from subterminator.page.refs import RefTable

WORLDS = st.sampled_from(["w1", "w2", "w3"])
NAMES = st.sampled_from(["Save", "Saved", ""])
ROLES = st.sampled_from(["button", "link"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("bind"), WORLDS, st.integers(1, 4), ROLES, NAMES),
        st.tuples(st.just("forget"), WORLDS),
    ),
    max_size=60,
)


def test_the_first_ref_is_e1_and_the_counter_goes_on() -> None:
    refs = RefTable()
    assert refs.bind("w", 7, "button", "Save") == "@e1"
    assert refs.bind("w", 8, "button", "Save") == "@e2"


def test_the_same_element_role_and_name_keep_their_ref() -> None:
    refs = RefTable()
    first = refs.bind("w", 7, "button", "Save")
    assert refs.bind("w", 7, "button", "Save") == first


def test_another_name_is_another_ref_and_the_old_name_gets_the_old_one_back() -> None:
    refs = RefTable()
    first = refs.bind("w", 7, "button", "Save")
    second = refs.bind("w", 7, "button", "Saved")
    assert second != first
    assert refs.bind("w", 7, "button", "Save") == first


def test_the_same_node_number_in_another_document_is_another_element() -> None:
    refs = RefTable()
    assert refs.bind("w1", 7, "button", "Save") != refs.bind("w2", 7, "button", "Save")


def test_get_tells_what_a_ref_is_bound_to_also_without_the_at_sign() -> None:
    refs = RefTable()
    refs.bind("w", 7, "button", "Save")
    assert refs.get("@e1") == refs.get("e1") == refs.get("1") == ("@e1", "w", 7, "button", "Save")


def test_a_ref_that_was_never_given_says_which_is_the_newest() -> None:
    refs = RefTable()
    refs.bind("w", 7, "button", "Save")
    with pytest.raises(RefInvalid, match="@e9 was never given out; the newest is @e1"):
        refs.get("@e9")
    with pytest.raises(RefInvalid, match="no ref has been given yet"):
        RefTable().get("@e1")


def test_what_is_no_ref_at_all_is_a_wrong_parameter() -> None:
    with pytest.raises(InvalidParams):
        RefTable().get("#save")


def test_current_tells_what_a_renamed_element_is_called_now() -> None:
    refs = RefTable()
    old = refs.bind("w", 7, "button", "Save")
    assert refs.current(old) is None
    new = refs.bind("w", 7, "button", "Saved")
    now = refs.current(old)
    assert now is not None and (now.ref, now.name) == (new, "Saved")
    assert refs.current(new) is None


def test_a_forgotten_document_leaves_the_names_of_its_refs() -> None:
    refs = RefTable()
    ref = refs.bind("w", 7, "button", "Save")
    refs.forget("w")
    assert refs.get(ref).name == "Save"
    assert refs.current(ref) is None
    assert refs.bind("w", 7, "button", "Save") != ref


def test_memory_is_bounded_and_the_oldest_unused_refs_go_first() -> None:
    refs = RefTable(remembered=100)
    kept = refs.bind("page", 1, "button", "Stay")
    for node in range(1_000):
        refs.bind(f"w{node}", node, "button", "Go")
        refs.forget(f"w{node}")
    assert len(refs._bounds) <= 101
    assert refs.get(kept).name == "Stay"
    assert refs.get("@e1001").name == "Go"
    with pytest.raises(RefInvalid, match="so long ago"):
        refs.get("@e2")


def test_a_name_that_changes_every_second_does_not_push_out_living_refs() -> None:
    refs = RefTable(remembered=50)
    living = [refs.bind("w", node, "button", f"B{node}") for node in range(40)]
    for second in range(500):
        refs.bind("w", 99, "button", f"{second} seconds left")
    assert [refs.bind("w", node, "button", f"B{node}") for node in range(40)] == living
    assert len(refs._bounds) <= 60


def test_more_living_refs_than_the_limit_are_all_kept() -> None:
    refs = RefTable(remembered=10)
    living = [refs.bind("w", node, "button", "B") for node in range(200)]
    assert [refs.get(ref).node for ref in living] == list(range(200))


@given(STEPS)
def test_a_ref_is_never_reused_and_the_same_identity_keeps_its_own(
    steps: list[tuple[str, str, int, str, str] | tuple[str, str]],
) -> None:
    refs = RefTable()
    ever: dict[str, tuple[str, int, str, str]] = {}
    now: dict[tuple[str, int, str, str], str] = {}
    for step in steps:
        if len(step) == 2:
            refs.forget(step[1])
            now = {key: ref for key, ref in now.items() if key[0] != step[1]}
            continue
        key = step[1:]
        ref = refs.bind(*key)
        assert now.setdefault(key, ref) == ref
        assert ever.setdefault(ref, key) == key
        assert refs.get(ref)[1:] == key


@given(STEPS)
def test_with_little_memory_a_ref_still_never_means_two_things(
    steps: list[tuple[str, str, int, str, str] | tuple[str, str]],
) -> None:
    refs = RefTable(remembered=3)
    ever: dict[str, tuple[str, int, str, str]] = {}
    for step in steps:
        if len(step) == 2:
            refs.forget(step[1])
        else:
            ref = refs.bind(*step[1:])
            assert ever.setdefault(ref, step[1:]) == step[1:]
            assert refs.get(ref).node == step[2]

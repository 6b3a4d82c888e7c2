"""Whose machine an address names."""

from __future__ import annotations

import pytest

from subterminator.agents.models.addresses import check, is_local


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://box.local/v1", True),
        ("http://host.docker.internal:8080", True),
        ("https://api.openai.com/v1", False),
        ("https://localhost.example/v1", False),
        ("https://8.8.8.8/v1", False),
        ("https://127.0.0.1.example/v1", False),
    ],
)
def test_own_machines_and_networks_are_local(address: str, local: bool) -> None:
    assert is_local(address) is local


def test_a_slash_at_the_end_makes_no_difference() -> None:
    assert check("https://models.example/v1/") == "https://models.example/v1"

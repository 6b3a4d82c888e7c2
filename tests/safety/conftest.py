"""Fixtures of everything that is tested in this folder."""

from __future__ import annotations

import pytest

from tests.safety.times import Time


@pytest.fixture
def time() -> Time:
    return Time()

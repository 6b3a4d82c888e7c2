"""Prices are data; what is not known is not guessed."""

from __future__ import annotations

import pytest

from subterminator.agents.models.base import Usage
from subterminator.agents.models.choice import DEFAULTS
from subterminator.agents.models.prices import PRICES, cost, price

USED = Usage(fresh=1_000, cached=10_000, written=2_000, output=500)


def test_each_kind_of_token_has_its_price() -> None:
    found = cost("claude-sonnet-5-5", USED)
    assert found == pytest.approx((1_000 * 2 + 10_000 * 0.1 + 2_000 * 2.5 + 500 * 10) / 1e6)


@pytest.mark.parametrize("name", ["claude-haiku-4-5-20251001", "gpt-6.1-terra-2026-10-26"])
def test_a_model_with_its_day_costs_what_the_model_costs(name: str) -> None:
    assert price(name) is not None


@pytest.mark.parametrize("name", ["claude-sonnet-9", "llama3.2:3b", "gpt-6", ""])
def test_the_price_of_an_unknown_model_is_unknown(name: str) -> None:
    assert cost(name, USED) is None


def test_tokens_that_nobody_counted_have_no_price() -> None:
    assert cost("claude-sonnet-5-5", Usage()) is None


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080/v1", "http://192.168.1.4/v1"])
def test_a_model_of_our_own_costs_nothing(address: str) -> None:
    assert cost("whatever", USED, address) == 0.0


def test_somebody_elses_server_has_the_price_of_the_model() -> None:
    assert cost("gpt-6-luna", USED, "https://api.openai.com/v1") == cost("gpt-6-luna", USED)


def test_long_prompts_cost_more() -> None:
    short, long = Usage(fresh=100_000), Usage(fresh=100_001)
    assert cost("claude-haiku-5-5", short) == pytest.approx(0.01)
    assert cost("claude-haiku-5-5", long) == pytest.approx(0.05, rel=0.01)


@pytest.mark.parametrize("name", PRICES)
def test_reading_the_cache_is_cheaper_than_writing_it_and_answers_are_dearest(name: str) -> None:
    it = PRICES[name]
    assert 0 < it.cached < it.fresh < it.written < it.output


def test_the_models_we_choose_have_a_price() -> None:
    assert all(price(name) for name in DEFAULTS.values())

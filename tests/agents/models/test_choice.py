"""Which model is meant: what was said, then the key that is there. Keys stay where they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from subterminator.agents.models.anthropic import Anthropic
from subterminator.agents.models.choice import Choice, NoModel, build, choose
from subterminator.agents.models.openai import OpenAI
from subterminator.agents.models.retries import LOCAL_PATIENCE, Patience
from subterminator.config import load
from subterminator.errors import InvalidParams
from tests.machines import Computer

CLAUDE = {"ANTHROPIC_API_KEY": "sk-ant-7Jd92kQmZx"}
GPT = {"OPENAI_API_KEY": "sk-proj-7Jd92kQmZx"}
LOCAL = "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize(
    ("model", "base_url", "expected"),
    [
        ("claude-opus-5-5", "", Choice("anthropic", "claude-opus-5-5")),
        ("gpt-6.1-terra", "", Choice("openai", "gpt-6.1-terra")),
        ("o4-mini", "", Choice("openai", "o4-mini")),
        ("openai:my/model", "", Choice("openai", "my/model")),
        ("anthropic:gpt-like", "", Choice("anthropic", "gpt-like")),
        ("llama3.2:3b", LOCAL, Choice("openai", "llama3.2:3b", LOCAL)),
        ("openai:qwen3:8b", f"{LOCAL}/", Choice("openai", "qwen3:8b", LOCAL)),
        (
            "claude-x",
            "https://gate.example",
            Choice("anthropic", "claude-x", "https://gate.example"),
        ),
        ("scripted:moves.json", "", Choice("scripted", "moves.json")),
    ],
)
def test_a_name_says_whose_model_it_is(model: str, base_url: str, expected: Choice) -> None:
    assert choose(model, base_url, {}) == expected


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        (CLAUDE, Choice("anthropic", "claude-sonnet-5-5")),
        (GPT, Choice("openai", "gpt-6.1-terra")),
        (GPT | CLAUDE, Choice("anthropic", "claude-sonnet-5-5")),
        (GPT | {"ANTHROPIC_API_KEY": " "}, Choice("openai", "gpt-6.1-terra")),
    ],
)
def test_without_a_name_the_key_decides(environ: dict[str, str], expected: Choice) -> None:
    assert choose("", "", environ) == expected


@pytest.mark.parametrize(
    ("flag", "variable", "name"),
    [("gpt-6-sol", "claude-opus-5-5", "gpt-6-sol"), (None, "claude-opus-5-5", "claude-opus-5-5")],
)
def test_the_flag_comes_before_the_variable(flag: str | None, variable: str, name: str) -> None:
    computer = Computer(environ={"SUBTERMINATOR_MODEL": variable, **GPT})
    settings = load(computer.machine(), {"model": flag})
    assert choose(settings.model, settings.base_url, computer.environ).name == name


def test_the_sdks_own_variables_name_an_address_too() -> None:
    environ = CLAUDE | {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    assert choose("", "", environ).base_url == "http://127.0.0.1:9"
    assert choose("", "", CLAUDE | {"OPENAI_BASE_URL": LOCAL}).base_url == ""


@pytest.mark.parametrize(
    ("model", "base_url", "words"),
    [
        ("", "", "neither ANTHROPIC_API_KEY nor OPENAI_API_KEY is set"),
        ("mistral", "", "Write openai:mistral or anthropic:mistral"),
        ("openai:", "", "names no model"),
        ("", LOCAL, "no model"),
        ("x", "127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("x", "ftp://127.0.0.1", "not an address"),
        ("x", "http://me:secret@127.0.0.1", "not an address"),
        ("x", "http://[::1", "not an address"),
        ("x", "http://models.example/v1", "not encrypted"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_next_step(
    model: str, base_url: str, words: str
) -> None:
    with pytest.raises(InvalidParams) as caught:
        choose(model, base_url, {})
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "variable"), [("claude-x", "ANTHROPIC_API_KEY"), ("gpt-x", "OPENAI_API_KEY")]
)
def test_a_missing_key_names_its_variable_and_the_planner_that_needs_none(
    model: str, variable: str
) -> None:
    with pytest.raises(NoModel, match=variable) as caught:
        build(choose(model, "", {}), {})
    assert "--planner heuristic" in caught.value.advice


def test_no_model_at_all_names_the_planner_that_needs_none() -> None:
    with pytest.raises(NoModel, match="--planner heuristic"):
        choose("", "", {})


@pytest.mark.parametrize("key", ["sk-ant 7Jd92kQmZx", "sk-ant-7Jd92\u00e9QmZx", "sk-ant-7J\nd92kQ"])
def test_what_is_no_key_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        build(Choice("anthropic", "claude-x"), {"ANTHROPIC_API_KEY": key})
    assert "7J" not in str(caught.value)


def test_a_local_server_needs_no_key_and_is_given_more_time() -> None:
    model = build(choose("qwen3", LOCAL, {}), {})
    assert isinstance(model, OpenAI)
    assert (model.name, model._key, model._patience) == ("qwen3", "none", LOCAL_PATIENCE)


def test_a_provider_gets_the_key_of_its_own() -> None:
    model = build(choose("claude-opus-5-5", "", CLAUDE | GPT), CLAUDE | GPT)
    assert isinstance(model, Anthropic)
    assert (model._key, model._patience) == (CLAUDE["ANTHROPIC_API_KEY"], Patience())


@pytest.mark.parametrize("package", ["anthropic", "openai"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(package: str) -> None:
    code = (
        f"import sys; sys.modules['{package}'] = None\n"
        "from subterminator.agents.models.choice import Choice, build\n"
        f"build(Choice('{package}', 'x', 'http://127.0.0.1:9'), {{}})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f'pip install "subterminator[{package}]"' in done.stderr


def test_choosing_a_model_imports_no_sdk() -> None:
    code = (
        "import sys\n"
        "from subterminator.agents.models.choice import choose\n"
        "choose('claude-x', '', {})\n"
        "sys.exit(any(name in sys.modules for name in ('anthropic', 'openai', 'httpx2')))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0

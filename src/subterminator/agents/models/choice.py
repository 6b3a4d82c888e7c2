"""Which model is meant, and the model itself. Keys come from the environment, and stay there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, assert_never

from msgspec import Struct

from subterminator.agents.models.addresses import check, is_local
from subterminator.agents.models.base import Model
from subterminator.agents.models.retries import LOCAL_PATIENCE, Patience, Retries
from subterminator.errors import InvalidParams

ProviderName = Literal["anthropic", "openai", "scripted"]

DEFAULTS: dict[ProviderName, str] = {
    "anthropic": "claude-sonnet-5-5",
    "openai": "gpt-6.1-terra",
}
KEYS: dict[ProviderName, str] = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
# Where the SDKs themselves look for another address.
ADDRESSES: dict[ProviderName, str] = {
    "anthropic": "ANTHROPIC_BASE_URL",
    "openai": "OPENAI_BASE_URL",
}
FAMILIES: tuple[tuple[re.Pattern[str], ProviderName], ...] = (
    (re.compile(r"claude-.+", re.IGNORECASE), "anthropic"),
    (re.compile(r"(?:gpt-|chatgpt-|o\d).*", re.IGNORECASE), "openai"),
)
WITHOUT = "Or use --planner heuristic, which needs no model and no key."
# Servers on this machine want something in the place of a key, and do not look at it.
NO_KEY = "none"


class NoModel(InvalidParams):
    """No model was named and no key is set."""


class Choice(Struct, frozen=True):
    """A model by name. `base_url` is empty where it is the provider's own address."""

    provider: ProviderName
    name: str
    base_url: str = ""


def choose(model: str, base_url: str, environ: Mapping[str, str]) -> Choice:
    """By what was asked for (`openai:NAME`, `claude-...`, `gpt-...`), else by the key there is."""
    model, base_url = model.strip(), base_url.strip()
    named = _named(model, base_url) if model else _by_key(base_url, environ)
    if named.provider == "scripted":
        return named
    # The SDKs would use their own variables too; taken here so that the address is checked.
    address = base_url or environ.get(ADDRESSES[named.provider], "")
    return Choice(named.provider, named.name, check(address) if address else "")


def _named(model: str, base_url: str) -> Choice:
    prefix, _, rest = model.partition(":")
    # Names of local models have colons too: only our own words are taken for a provider.
    match prefix:
        case "anthropic" | "openai" | "scripted" if rest.strip():
            return Choice(prefix, rest.strip())
        case "anthropic" | "openai" | "scripted":
            raise InvalidParams(
                f"{model} names no model.",
                next_step=f"Write it like openai:{DEFAULTS['openai']}.",
            )
    for family, provider in FAMILIES:
        if family.fullmatch(model):
            return Choice(provider, model)
    if base_url:
        return Choice("openai", model)
    raise InvalidParams(
        f"Whose model is {model}?",
        next_step=f"Write openai:{model} or anthropic:{model}, or give a --base-url.",
    )


def _by_key(base_url: str, environ: Mapping[str, str]) -> Choice:
    if base_url:
        raise InvalidParams(
            "A base URL was given, but no model.",
            next_step="Name it: --model openai:NAME, as the server there calls it.",
        )
    for provider, variable in KEYS.items():
        if environ.get(variable, "").strip():
            return Choice(provider, DEFAULTS[provider])
    raise NoModel(
        "There is no model: neither ANTHROPIC_API_KEY nor OPENAI_API_KEY is set.",
        next_step=f"Set one of them, or name a local model with --model and --base-url. {WITHOUT}",
    )


def build(
    choice: Choice,
    environ: Mapping[str, str],
    *,
    retries: Retries | None = None,
    patience: Patience | None = None,
) -> Model:
    """The model itself. Its SDK is imported now; nothing is sent yet."""
    local = bool(choice.base_url) and is_local(choice.base_url)
    patience = patience or (LOCAL_PATIENCE if local else Patience())
    match choice.provider:
        case "anthropic":
            from subterminator.agents.models.anthropic import Anthropic

            return Anthropic(
                choice.name,
                key=_key(choice, environ),
                base_url=choice.base_url,
                retries=retries,
                patience=patience,
            )
        case "openai":
            from subterminator.agents.models.openai import OpenAI

            return OpenAI(
                choice.name,
                key=_key(choice, environ),
                base_url=choice.base_url,
                retries=retries,
                patience=patience,
            )
        case "scripted":
            from subterminator.agents.models.scripted import load

            return load(choice.name)
        case _:
            assert_never(choice.provider)


def _key(choice: Choice, environ: Mapping[str, str]) -> str:
    variable = KEYS[choice.provider]
    key = environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InvalidParams(
            f"What {variable} holds is not a key.",
            next_step="Set it again: letters, digits and signs only, without blanks.",
        )
    if key or choice.base_url and is_local(choice.base_url):
        return key or NO_KEY
    raise NoModel(
        f"{choice.name} needs a key, and {variable} is not set.",
        next_step=f"Run: export {variable}=...  {WITHOUT}",
    )

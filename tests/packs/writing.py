"""Packs written down in tests: the least a pack has, and more of it as lines."""

from __future__ import annotations

from pathlib import Path

from subterminator.packs.loader import Draft, Fault, examine

LEAST = """
names = ["Some Service"]
locales = ["en"]
checked_on = "2026-11"
confidence = "?"
"""


def text_of(pack_id: str, more: str = "", name: str = "") -> str:
    least = LEAST.replace("Some Service", name) if name else LEAST
    return f'id = "{pack_id}"{least}{more}'


def faults_of(more: str, pack_id: str = "some") -> list[Fault]:
    return examine(text_of(pack_id, more).encode(), f"{pack_id}.toml")[1]


def draft_of(pack_id: str, more: str = "", name: str = "", *, is_users: bool = False) -> Draft:
    draft, faults = examine(
        text_of(pack_id, more, name).encode(), f"{pack_id}.toml", is_users=is_users
    )
    assert draft is not None and not faults, faults
    return draft


def put(folder: Path, pack_id: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{pack_id}.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path

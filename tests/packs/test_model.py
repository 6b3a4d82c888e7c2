"""What a pack may contain."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files

import jsonschema
import msgspec
import pytest

from subterminator.packs.model import STAGES, Clue, Pack, schema

FOLDER = files("subterminator.packs")
SCHEMA = json.loads(FOLDER.joinpath("pack_schema.json").read_text("utf-8"))
FILES = sorted(
    (file for file in FOLDER.joinpath("data").iterdir() if file.name.endswith(".toml")),
    key=lambda file: file.name,
)


def test_the_schema_file_is_the_one_of_the_model() -> None:
    assert json.loads(json.dumps(schema())) == SCHEMA


def test_the_schema_is_valid_and_refuses_what_the_model_refuses() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": "x"}, SCHEMA)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_built_in_pack_fits_the_schema_as_written(file: object) -> None:
    text = file.read_text("utf-8")  # type: ignore[attr-defined]
    jsonschema.validate(tomllib.loads(text), SCHEMA)


def test_there_are_twelve_stages() -> None:
    assert len(STAGES) == len(set(STAGES)) == 12


def test_the_fields_are_those_of_the_description() -> None:
    assert {field.name for field in msgspec.structs.fields(Pack)} == {
        *"id names locales sites start_urls goal hint checkpoint success failure auth".split(),
        *"billing_probe already_cancelled states actions never losses proof offline".split(),
        *"checked_on confidence sources example extends".split(),
    }


def test_a_condition_without_any_part_is_refused() -> None:
    with pytest.raises(ValueError, match="always hold"):
        Clue()


@pytest.mark.parametrize(
    ("pack_id", "kind"),
    [("generic-en", "generic"), ("portal-stripe", "portal"), ("store-apple", "store"), ("nyt", "service")],
)  # fmt: skip
def test_the_kind_of_a_pack_is_the_first_word_of_its_id(pack_id: str, kind: str) -> None:
    pack = Pack(id=pack_id, names=("X",), locales=("en",), checked_on="2026-11", confidence="?")
    assert pack.kind == kind

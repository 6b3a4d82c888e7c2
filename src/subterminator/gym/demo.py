"""A made-up subscription to cancel for practice: nothing real is touched, nothing stays behind.

The run is a real one: a real browser, the same gate, the same proof.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct
from msgspec.structs import replace

from subterminator.config import Settings
from subterminator.gym.flow import Flow
from subterminator.gym.server import gym
from subterminator.machine import Machine
from subterminator.runs.proofs import default_folder

FOLDER = "practice"


class Practice(Struct, frozen=True):
    """What to cancel, and settings for the run."""

    name: str
    url: str
    goal: str
    settings: Settings


@asynccontextmanager
async def practice(flow: Flow, settings: Settings, machine: Machine) -> AsyncIterator[Practice]:
    """Serve the site of a flow for as long as the block lasts.

    Ledger and record go with it, so that it can be done again; the proof stays, apart from others.
    """
    proofs = settings.output_dir or str(default_folder(machine).parent / FOLDER)
    with tempfile.TemporaryDirectory(prefix="subterminator-") as folder:
        own = replace(settings, state_dir=folder, output_dir=proofs)
        async with gym(flows=(flow,)) as addresses:
            start = addresses.start(flow, secrets.token_hex(4))
            yield Practice(flow.brand.name, start, flow.task, own)

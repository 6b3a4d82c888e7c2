"""A numbered list of services, for who starts without naming one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

from subterminator.doors.device import Device, opened
from subterminator.errors import InvalidParams
from subterminator.packs.model import Pack
from subterminator.packs.registry import Registry

GAP = 3


async def choose(packs: Registry, *, plain: bool) -> str:
    """The id of the service that the person at the terminal chooses, by number or by name."""
    known = [entry.pack for entry in packs.entries() if entry.pack.kind == "service"]
    with opened() as device:
        if device is None:
            raise InvalidParams(
                "Name the service: there is no terminal here to choose at.",
                next_step="`subterminator services list` shows all; --url is for any other.",
            )
        device.say("What do you want to cancel?")
        width = 0 if plain else shutil.get_terminal_size().columns
        for line in listed([pack.names[0] for pack in known], width):
            device.say(line)
        while True:
            if chosen := await _ask(device, packs, known):
                return chosen


async def _ask(device: Device, packs: Registry, known: Sequence[Pack]) -> str:
    typed = await device.ask("Number or name; Enter alone: nothing:")
    if device.interrupted:
        raise KeyboardInterrupt
    if not typed:
        raise InvalidParams("Nothing was chosen.", next_step="Nothing was done.")
    if typed.isdecimal():
        if 1 <= int(typed) <= len(known):
            return known[int(typed) - 1].id
        device.say(f"There are only {len(known)}.")
        return ""
    try:
        return packs.find(typed).id
    except InvalidParams as fault:
        device.say(f"{fault.message} {fault.advice}")
        return ""


def listed(names: Sequence[str], width: int) -> Iterator[str]:
    """Numbered, one below the other; side by side as far as the width allows."""
    cells = [f"{number:>3}  {name}" for number, name in enumerate(names, 1)]
    widest = max(map(len, cells)) + GAP
    columns = max(1, width // widest)
    rows = -(-len(cells) // columns)
    for row in range(rows):
        yield "".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip()

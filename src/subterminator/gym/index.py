"""The first page of a gym, for people who look around: all flows with their tasks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from subterminator.gym.flow import Flow

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.3rem .8rem .3rem 0}"
)


def index(flows: Iterable[Flow]) -> bytes:
    """A table with a link into every flow."""
    rows = "".join(
        f'<tr><td><a href="/{flow.id}/{flow.start}?sid=visitor">{flow.id}</a></td>'
        f"<td>{escape(flow.task)}</td><td>{flow.difficulty}</td></tr>"
        for flow in flows
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The gym</title>'
        f'<link rel="icon" href="data:,"><style>{STYLE}</style></head><body><main>'
        "<h1>The gym</h1><p>Made-up subscriptions to practise leaving on. Nothing here is real."
        '</p><table><thead><tr><th scope="col">Flow</th><th scope="col">Task</th>'
        f'<th scope="col">Difficulty</th></tr></thead><tbody>{rows}</tbody></table></main>'
        "</body></html>"
    ).encode()

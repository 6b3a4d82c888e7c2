"""What a host can read beside the tools: records and proofs of what was done here, and prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import mcp_types as types
from mcp.shared.exceptions import MCPError

from subterminator.doors.mcp.desk import Desk
from subterminator.errors import SubTerminatorError
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.runs.sentences import sentence
from subterminator.runs.store import Store

# No more may be told at once.
MOST = 100
RUN = "subterminator://run/"
PROOF = "subterminator://proof/"
CANCEL = (
    "Cancel my {service} subscription with the cancel_subscription tool{where}. Tell me when "
    "I have to sign in or to answer `subterminator approve` in a terminal, follow it with "
    "cancel_status until it is over, and then tell me in two sentences what happened, until "
    "when I can still use it, and where the proof is. Do not accept any offer."
)
CHECK = (
    "Look whether my {service} subscription has ended{where}: open the account page, use "
    "browser_verify about the subscription, and tell me what the page says. Press nothing "
    "that changes anything."
)
PROMPTS = {
    "cancel_subscription": ("Cancel a subscription and prove it.", CANCEL),
    "check_subscription": ("Look whether a subscription has ended.", CHECK),
}


def resources(desk: Desk) -> list[types.Resource]:
    """Only what was done for this client: other runs of the user are not for a model to read."""
    return [
        *(
            types.Resource(
                uri=f"{RUN}{run}",
                name=f"run {run}",
                description="What was decided, asked, answered and done, without secrets.",
                mime_type="text/plain",
            )
            for run in runs(desk)
        ),
        *(
            types.Resource(
                uri=f"{PROOF}{folder.name}",
                name=f"proof {folder.name}",
                description="The proof report of a cancellation.",
                mime_type="application/json",
            )
            for folder in proofs(desk)
        ),
    ]


def runs(desk: Desk) -> Iterator[str]:
    if (session := desk.workplace.current) and session.record.id:
        yield session.record.id
    yield from (each.run for each in desk.cancellations if each.run)


def proofs(desk: Desk) -> Iterator[Path]:
    yield from (Path(each.proof) for each in desk.cancellations if each.proof)


def read(desk: Desk, uri: str) -> types.TextResourceContents:
    """One of those that are listed. Raises an error of the protocol for every other."""
    try:
        if uri.startswith(RUN) and (run := uri[len(RUN) :]) in list(runs(desk)):
            lines = Store(desk.settings.state_dir).read(run).lines
            text = "\n".join(map(sentence, lines))
            return types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        for folder in proofs(desk):
            if uri == f"{PROOF}{folder.name}":
                text = (folder / "report.json").read_text(encoding="utf-8")
                return types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    except (OSError, SubTerminatorError) as fault:
        raise MCPError(types.INTERNAL_ERROR, f"{uri[:200]} cannot be read: {fault}") from fault
    raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri[:200]}.", {"uri": uri[:200]})


def prompts() -> list[types.Prompt]:
    arguments = [
        types.PromptArgument(name="service", description="Its name.", required=True),
        types.PromptArgument(name="url", description="Its account page, if it is not a known one."),
    ]
    return [
        types.Prompt(name=name, description=words, arguments=arguments)
        for name, (words, _) in PROMPTS.items()
    ]


def prompt(name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    if name not in PROMPTS:
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {name[:60]!r}.")
    if not given.get("service"):
        raise MCPError(types.INVALID_PARAMS, f"The prompt {name} needs the argument service.")
    description, text = PROMPTS[name]
    where = f" (its account page is {given['url']})" if given.get("url") else ""
    said = types.TextContent(text=text.format(service=given["service"], where=where))
    return types.GetPromptResult(
        description=description, messages=[types.PromptMessage(role="user", content=said)]
    )


def completions(reference: object, argument: types.CompletionArgument) -> types.Completion:
    """What a prompt's `service` may be: the services we know, as far as they are typed."""
    known: list[str] = []
    if isinstance(reference, types.PromptReference) and argument.name == "service":
        entries = registry.load(this_machine()).entries()
        names = (entry.pack.names[0] for entry in entries if entry.pack.kind == "service")
        typed = argument.value.casefold()
        known = sorted(name for name in names if name.casefold().startswith(typed))
    return types.Completion(values=known[:MOST], total=len(known), has_more=len(known) > MOST)

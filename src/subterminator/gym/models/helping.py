"""The good practice model in a team: how its planner gives a step away, how a member does it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from subterminator import actions as a
from subterminator.agents.models.base import Answer, Request, Text
from subterminator.agents.moves import Act, AskHuman, Complete, Misstep, Move, Nothing
from subterminator.agents.roles import TASK
from subterminator.gym.models.clues import calls
from subterminator.gym.models.replies import Asks, Reply

ERROR = re.compile(r'"error":"(\w+):')
STEP = re.compile(r"^Task: Do this: (\w+) (\{.*\})$", re.MULTILINE)


def delegating(move: Move | Reply) -> Reply:
    """A move of the planner as a task for the executor."""
    match move:
        case Reply():
            return move
        case Act(action=action, said=said):
            name, arguments = tool_for(action)
            if name == "get_accessibility_tree":
                return Reply(calls=(Asks(name, arguments),))
            step = f"Do this: {name} {msgspec.json.encode(arguments).decode()}"
            return Reply(text=said, calls=(Asks(TASK, {"agent": "executor", "prompt": step}),))
        case AskHuman(text=text):
            question = {"action": text, "reason": "Two readings remain."}
            return Reply(calls=(Asks("request_human_approval", question),))
        case Complete(status=status, reason=reason):
            return Reply(calls=(Asks("complete_task", {"status": status, "reason": reason}),))
        case Nothing() | Misstep():
            return Reply(text="There is nothing that I could do here.")


def helping(request: Request) -> Reply:
    """A member does what its task says, once, and reports."""
    told = "\n".join(p.text for p in request.messages[0].parts if isinstance(p, Text))
    step = STEP.search(told)
    if step is None:
        return Reply(text="I do not know what is meant.")
    if calls(request):
        answers = [p for p in request.messages[-1].parts if isinstance(p, Answer)]
        wrong = [ERROR.search(answer.text) for answer in answers if answer.failed]
        codes = ", ".join(found[1] for found in wrong if found)
        return Reply(text=f"It did not work ({codes})." if wrong else "It is done.")
    arguments = msgspec.json.decode(step[2], type=dict[str, Any])
    return Reply(calls=(Asks(step[1], arguments),))


def tool_for(action: a.Action | dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tool of a team for an action of the heuristic planner."""
    match action:
        case a.Click(target=ref, hold_ms=hold_ms):
            return "click", {"element_description": ref, "hold_ms": hold_ms}
        case a.Check(target=ref) | a.Uncheck(target=ref):
            return "click", {"element_description": ref}
        case a.Fill(target=ref, value=text):
            return "type_text", {"element_description": ref, "text": text}
        case a.Select(target=ref, values=(option, *_)):
            return "select_option", {"element_description": ref, "option": option}
        case a.Hover(target=ref):
            return "hover", {"element_description": ref}
        case a.Wait(target=ref, state=state):
            return "wait_for_selector", {"selector": ref, "state": state}
        case a.Navigate(url=url):
            return "navigate", {"url": url}
        case a.SelectTab(tab=tab):
            return "switch_to_tab", {"tab": tab}
        case a.Dialog(accept=accept, text=text):
            return "answer_dialog", {"accept": accept, "text": text}
        case _:
            return "get_accessibility_tree", {}

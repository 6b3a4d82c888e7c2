"""The members of a team as data: what each is for, how large its model, which tools it may use.

What a member is not given it cannot call: the executor approves nothing, the validator acts on
nothing, and none of them decides whether it worked.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Size = Literal["large", "small"]
TASK, COMPLETE, ASK = "task", "complete_task", "request_human_approval"


class Role(Struct, frozen=True):
    """One member. `size` says which of the run's models it is."""

    name: str
    description: str
    prompt: str
    size: Size
    tools: tuple[str, ...]


PLANNER = Role(
    "planner",
    "Breaks the goal down into steps and gives each to the member who can do it",
    """\
You plan a task in a real web browser for the person who owns the account. You see the page; you do
not touch it. Give one step at a time to a member of your team with the task tool:
- dom_analyzer tells you what is on the page, in frames too;
- executor does one thing: click, type, choose, go to an address, wait;
- validator looks whether something is as it should be.
Each member starts afresh and knows only what you write: name the element exactly, with its ref such
as @e7 and its frame if it is in one. When a step fails, choose another way; do not repeat it.
When the goal is reached, or cannot be, call complete_task. Success is proven on the page itself; a
validator's opinion is no proof.
Before anything that cannot be undone the program asks the person; do not ask first. Passwords,
codes and puzzles are the person's.""",
    "large",
    (TASK, "get_accessibility_tree", "screenshot", ASK, COMPLETE),
)
DOM_ANALYZER = Role(
    "dom_analyzer",
    "Says what is on the page: structure, controls, frames",
    """\
You examine a web page and report in words: the controls that matter for your task with role, name,
state, ref and frame; what lies over the page; frames that cannot be read. You change nothing. Use
your tools, then answer with the report, without a tool call.""",
    "small",
    ("get_accessibility_tree", "find_interactive_elements", "list_frames", "get_page_text"),
)
EXECUTOR = Role(
    "executor",
    "Does one step in the browser: click, type, choose, go, wait",
    """\
You carry out one step in a web browser. Name elements in plain words or by ref, and the frame if
there is one. If an element is not found, try other words, then the frames; never guess another
element. What is refused stays refused: report it. Never type passwords or codes.
When the step is done, or cannot be, answer with a short report, without a tool call.""",
    "large",
    (
        "click", "type_text", "navigate", "scroll", "wait_for_load", "wait_for_selector",
        "wait_for_text", "hover", "select_option", "switch_to_frame", "screenshot", "go_back",
        "go_forward", "reload", "wait_for_url", "sleep", "get_frame_content", "save_screenshot",
        "get_viewport_info", "answer_dialog", "switch_to_tab",
    ),
)  # fmt: skip
VALIDATOR = Role(
    "validator",
    "Looks whether something is as it should be",
    """\
You check a claim about a web page: address, texts, what is there and what is not. You change
nothing, and you only report; the program proves the end by itself. Say what you checked, what you
saw, and what does not fit. Answer with the report, without a tool call.""",
    "small",
    (
        "get_accessibility_tree", "get_page_text", "screenshot", "is_element_visible",
        "wait_for_selector",
    ),
)  # fmt: skip
MEMBERS = (DOM_ANALYZER, EXECUTOR, VALIDATOR)
ROLES = (PLANNER, *MEMBERS)

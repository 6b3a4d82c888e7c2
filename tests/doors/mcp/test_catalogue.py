from __future__ import annotations

import jsonschema
import msgspec
import pytest

from subterminator.agents.team_tools import BY_NAME
from subterminator.agents.tools import SEED_TOOLS
from subterminator.doors.mcp.catalogue import PROFILES, Profile, listed, offers
from subterminator.intake import NAMES
from subterminator.page.tokens import estimate

# What the contracts that other clients were written to call their tools.
SEEDS = {
    "get_snapshot", "browser_click", "browser_fill", "browser_select", "browser_scroll",
    "request_human_approval", "complete_task",
    "browser_navigate", "browser_type", "browser_snapshot", "browser_take_screenshot",
    "browser_execute",
    "navigate", "go_back", "go_forward", "reload", "click", "type_text", "scroll", "hover",
    "select_option", "list_frames", "get_frame_content", "switch_to_frame", "wait_for_load",
    "wait_for_selector", "wait_for_text", "wait_for_url", "sleep", "get_accessibility_tree",
    "find_interactive_elements", "get_page_text", "screenshot", "save_screenshot",
    "get_viewport_info", "is_element_visible",
}  # fmt: skip


def test_the_default_list_has_at_most_2000_tokens_in_all() -> None:
    tools = [listed(offer) for offer in offers("default").values()]
    assert estimate(msgspec.json.encode(tools).decode()) <= 2_000


@pytest.mark.parametrize("profile", PROFILES)
def test_every_tool_has_a_description_a_valid_schema_and_a_hint(profile: Profile) -> None:
    for offer in offers(profile).values():
        told = listed(offer)
        assert told["description"] and told["annotations"], offer.name
        jsonschema.Draft202012Validator.check_schema(told["inputSchema"])
        assert told["inputSchema"]["type"] == "object"
        if "outputSchema" in told:
            jsonschema.Draft202012Validator.check_schema(told["outputSchema"])
        msgspec.json.encode(told)


def test_the_seeds_profile_has_exactly_the_names_of_the_contracts() -> None:
    names = set(offers("seeds"))
    assert names >= SEEDS
    # Two of the team's are ours: for dialogs and tabs, which that contract does not know.
    assert names - SEEDS == {"answer_dialog", "switch_to_tab"}
    assert names >= {str(kind.__struct_config__.tag) for kind in SEED_TOOLS} | BY_NAME.keys()


def test_the_full_profile_has_the_default_tools_and_something_for_every_action() -> None:
    full = offers("full")
    assert offers("default").keys() <= full.keys()
    covered = {
        "navigate": "browser_navigate", "back": "browser_back", "forward": "browser_forward",
        "reload": "browser_reload", "click": "browser_click", "hover": "browser_hover",
        "fill": "browser_fill", "clear": "browser_clear", "type": "browser_type",
        "press": "browser_press", "select": "browser_select", "check": "browser_check",
        "uncheck": "browser_uncheck", "scroll": "browser_scroll", "drag": "browser_drag",
        "upload": "browser_upload", "wait": "browser_wait", "snapshot": "browser_snapshot",
        "find": "browser_find", "text": "browser_text", "screenshot": "browser_screenshot",
        "list_tabs": "browser_tabs", "select_tab": "browser_select_tab",
        "open_tab": "browser_open_tab", "close_tab": "browser_close_tab",
        "list_frames": "browser_frames", "select_frame": "browser_select_frame",
        "dialog": "browser_dialog", "execute": "browser_execute",
    }  # fmt: skip
    assert covered.keys() == set(NAMES)
    assert set(covered.values()) <= full.keys()


def test_what_only_looks_says_so_and_what_may_be_final_says_so() -> None:
    full = offers("full")
    looking = {offer.name for offer in full.values() if offer.read_only}
    final = {offer.name for offer in full.values() if offer.destructive}
    assert {"browser_snapshot", "browser_find", "browser_text", "browser_wait"} <= looking
    assert {"browser_click", "browser_press", "browser_execute", "cancel_subscription"} <= final
    assert not looking & final

"""The far end of the wire, written down: a server that says what a test tells it to say.

python far_end.py MODE     answers | dies | babbles | silent
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def say(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def main(mode: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "initialize":
            if mode == "refuses":
                print("nothing is here", file=sys.stderr)
                sys.exit(1)
            say({"id": message["id"], "result": {"protocolVersion": "2025-06-18"}})
        elif message.get("method") == "tools/call":
            answer(mode, message)


def answer(mode: str, message: dict[str, Any]) -> None:
    match mode:
        case "dies":
            os._exit(3)
        case "babbles":
            print("Debugger attached.", flush=True)
            say({"method": "notifications/tools/list_changed"})
            say({"id": "a", "method": "ping"})
            say({"id": 999, "result": {"late": True}})
            say({"id": message["id"], "result": {"content": [{"type": "text", "text": "ok"}]}})
        case "answers":
            say({"id": message["id"], "error": {"code": -32602, "message": "no such tool"}})
        case _:
            return


if __name__ == "__main__":
    main(sys.argv[1])

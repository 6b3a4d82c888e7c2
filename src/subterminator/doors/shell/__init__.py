"""One command a step: short-lived clients of a session that stays in the background."""

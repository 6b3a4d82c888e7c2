"""A browser that somebody else's MCP server drives: Playwright MCP behind the same `Driver`."""

from subterminator.engine.foreign.package import Wish as Wish
from subterminator.engine.foreign.playwright import BINDING as BINDING
from subterminator.engine.foreign.playwright import PlaywrightMcp as PlaywrightMcp

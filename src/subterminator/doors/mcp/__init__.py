"""A browser for AI hosts over MCP: few strong tools, replies that say what changed, one gate."""

"""The user's own browser, through our extension: who it is, the line to it, its panel."""

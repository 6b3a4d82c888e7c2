"""Data out of a snapshot by a schema. No model, no browser: the same page gives the same data."""

"""Service packs: what is known of a service, as data. Nothing here reaches a browser."""

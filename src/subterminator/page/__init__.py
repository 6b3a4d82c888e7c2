"""What a page holds: refs, snapshots, and their forms for models and programs. Reaches no browser."""

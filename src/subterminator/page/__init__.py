"""What a page holds: refs, snapshots, their forms for models and programs. Reaches no browser."""

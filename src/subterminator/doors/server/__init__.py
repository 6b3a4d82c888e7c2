"""The protocol server: everything that comes over a wire, behind one guard, through the gate."""

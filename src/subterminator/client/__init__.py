"""Talk to a protocol server from Python: the verbs of a session, over the wire."""

from subterminator.client.remote import Remote, connect, step
from subterminator.errors import ConnectionLost

__all__ = ["ConnectionLost", "Remote", "connect", "step"]

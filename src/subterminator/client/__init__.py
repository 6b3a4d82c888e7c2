"""Talk to a protocol server from Python: the verbs of a session, over the wire."""

from subterminator.client.connection import ConnectionLost
from subterminator.client.remote import Remote, connect, step

__all__ = ["ConnectionLost", "Remote", "connect", "step"]

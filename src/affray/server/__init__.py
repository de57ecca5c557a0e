"""The servers of a world: telnet and the web."""

FAREWELL = "The server is shutting down. Everything is saved; come back later."

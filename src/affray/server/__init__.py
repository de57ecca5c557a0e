"""The servers of a world: telnet and the web."""

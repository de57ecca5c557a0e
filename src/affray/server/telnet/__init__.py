"""The telnet server: the protocol, incoming lines, and connections."""

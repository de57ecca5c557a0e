"""The telnet server: the protocol, the lines that come in, and the connections that carry them."""

"""The connection of `affray connect` to a server, at a terminal or through pipes."""

"""Who decides: tactics and best play for the computer, persons through the terminal and the server."""

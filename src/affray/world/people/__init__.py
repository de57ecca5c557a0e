"""People in a world: logging in, connections, what is said, and the attributes of accounts."""

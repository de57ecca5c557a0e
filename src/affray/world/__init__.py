"""The world: accounts, places, attributes and fights, stored in a database."""

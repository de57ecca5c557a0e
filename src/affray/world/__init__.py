"""The world: accounts, places, attributes and the fights that are fought there, kept in a database."""

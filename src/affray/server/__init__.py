"""The doors to a world: servers that bring people's lines in and carry what they are told out."""

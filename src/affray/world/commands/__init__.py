"""What players type in a world: every command with its page of help."""

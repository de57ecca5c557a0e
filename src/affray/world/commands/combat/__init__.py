"""The `combat` command: one short function for each of its subcommands, with its page of help."""

"""The commands of `affray`: a module each, with `add_arguments` and `run`."""

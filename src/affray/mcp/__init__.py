"""The Model Context Protocol: language models run and play fights by the real rules."""

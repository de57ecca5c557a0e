"""Speed, measured: every claim as a ratio against a peer or a ceiling in the same run."""

"""For designers: variants of fights compared, tuned to a target, and reported on."""

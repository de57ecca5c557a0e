"""A fight at the keyboard: who plays, what they see, and what they can type."""

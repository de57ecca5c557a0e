"""Notifies players whose turn it is by Web Push, though no page of theirs is open."""

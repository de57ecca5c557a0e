"""Tests that `evennia test` runs inside a game to which the words to fight with have been added."""

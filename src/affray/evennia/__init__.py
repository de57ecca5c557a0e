"""Fights in any Evennia game: a script that holds a fight as its log, and the commands to fight with."""

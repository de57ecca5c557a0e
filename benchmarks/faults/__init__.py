"""Faults, made on purpose while fights go on: no move that was acknowledged may be lost."""

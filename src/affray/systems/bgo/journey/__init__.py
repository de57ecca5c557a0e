"""The journey of `bgo`: a board, its events and its loot, with a fight whenever an encounter is drawn."""

from affray.systems.bgo.journey.journey import Journey, Question

__all__ = ["Journey", "Question"]

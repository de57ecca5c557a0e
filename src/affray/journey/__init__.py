"""The journey of `bgo`: a board, its events and its loot, with a fight whenever an encounter is drawn."""

from affray.journey.travel import Journey, Question

__all__ = ["Journey", "Question"]

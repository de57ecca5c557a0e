"""Combats in places: who takes part, what they do, and how it is stored and told."""

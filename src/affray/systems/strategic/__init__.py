"""`strategic`: coins, highwaters and Life Coins, and at every step the question whether the fight is worth it."""

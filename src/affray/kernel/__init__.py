"""What lets a rule run in three ways: records, chance, rules and events, native compilation."""

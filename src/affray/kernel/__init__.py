"""What makes a rule run three ways: records, chance, rules and events, native compilation."""

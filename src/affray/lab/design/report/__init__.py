"""The report of a system: one page with what a designer wants to know about its fights."""

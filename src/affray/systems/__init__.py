"""The combat systems that come with Affray, one folder each, the same files in each."""

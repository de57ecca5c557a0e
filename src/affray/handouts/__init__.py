"""What is printed for a table: rules on a page, and character sheets."""

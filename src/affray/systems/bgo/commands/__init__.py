"""What bgo adds to the command line: `affray journey`."""

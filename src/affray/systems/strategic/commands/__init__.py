"""What strategic adds to the command line: `affray life`."""

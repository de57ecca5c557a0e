"""What people can do in a world, and who may do it; text commands and web requests are translated into these."""

"""Where fights live that models play: in memory, in a folder of files, or in a world on a server."""

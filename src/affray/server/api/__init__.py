"""What a page can ask for and is told, whatever brings its messages: a server, or Python inside the browser."""

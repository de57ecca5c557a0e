"""The web server: HTTP for single requests, a WebSocket for live updates."""

"""The server of the page: HTTP for what is asked once, a WebSocket for what goes on."""

"""The web edition: the page with all of Affray inside the browser, built into static files."""

"""The web server of the box: the page for phones, and its API."""

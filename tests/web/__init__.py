"""The tests of the web server: of its API, and of the page in a browser."""

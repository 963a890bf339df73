"""The tests of the page, most of them in a browser."""

"""The tests of the server and its API."""

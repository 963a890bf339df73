"""Simulate a hall: a broker, a database, the page of a club, and boxes with random players."""

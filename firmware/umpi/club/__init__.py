"""A club evening: keeps the results of many boxes in a database, and serves the page of the hall."""

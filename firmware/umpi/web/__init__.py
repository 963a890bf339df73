"""The desk: the table seen from a phone, as a page and as an API."""

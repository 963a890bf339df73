"""Draw every screen of the box, and compare it with the golden pictures."""

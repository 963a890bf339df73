"""Reviews: what each player got in a match by expectation, by luck, and by choices."""

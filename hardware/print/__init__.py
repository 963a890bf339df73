"""The printed pages: seat labels, the quick guide in each language, and the form for a Dohdles board."""

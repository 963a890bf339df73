"""Build the folder of a box in a browser's tab."""

"""The tests, a folder for each room of the package, and the kit that they share."""

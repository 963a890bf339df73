"""Try Umpi on other Debian systems: installed in a container, and on the processor of a Pi."""

"""The device drivers: small modules that do not depend on any game."""

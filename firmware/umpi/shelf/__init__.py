"""The shelf: games of other packages, published in a folder or at an address, and installed without root."""

"""The versions and hashes of the packages: `./scripts/dev lock`."""

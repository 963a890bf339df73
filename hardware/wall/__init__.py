"""The Battledodes wall: what can be built, its drawings and jigs, and its page."""

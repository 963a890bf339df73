"""The units of time, in nanoseconds."""

US = 1_000
MS = 1_000_000
S = 1_000_000_000

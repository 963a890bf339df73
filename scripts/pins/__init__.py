"""Measure pin factories on simulated lines in the guest."""

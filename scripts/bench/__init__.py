"""Measure speed, memory and load, beside other programs."""

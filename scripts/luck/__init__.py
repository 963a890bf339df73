"""Measure what reviews say: the evidence of luck-and-skill.md, figure by figure."""

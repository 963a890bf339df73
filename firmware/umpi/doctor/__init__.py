"""The doctor: check every device of a box and say what to do, automatically or step by step with its builder."""

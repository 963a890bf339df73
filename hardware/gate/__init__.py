"""The funnel's gate and queue rail: cubes slide past the beams one by one and stop in order."""

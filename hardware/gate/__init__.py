"""The funnel's gate and queue rail: cubes slide past the beams one by one and come to rest in order."""

"""What is well with a box, what is not, and what to do: device by device, or step by step with its builder."""

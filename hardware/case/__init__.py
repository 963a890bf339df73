"""The case: panels cut by a laser or printed, what has room in it, its drawings and its page."""

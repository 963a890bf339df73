"""Draw the pictures of the pages, the icons, and the parts of hardware/."""

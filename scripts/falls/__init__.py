"""Cubes that fall through the printed gate as rigid bodies."""

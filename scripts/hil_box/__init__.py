"""Umpi itself, as installed, played on in the guest: by fingers at its lines, on its buses and ports."""

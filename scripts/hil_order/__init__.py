"""Who was first, on a real kernel: lines pulled at true gaps in the guest, and what Umpi and its peers tell of it."""

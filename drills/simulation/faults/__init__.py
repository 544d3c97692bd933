"""Faults as patches of the package, each of a kind that happens, and whether the simulation finds them."""

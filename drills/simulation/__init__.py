"""Many tables, people, schedulers, crashes and clock jumps over the real store, in a time that is only a number.

One process and one thread: what happens, and in what order, follows from the seed alone.
"""

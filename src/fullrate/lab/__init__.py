"""Practice networks on this machine, and faults to break them with."""

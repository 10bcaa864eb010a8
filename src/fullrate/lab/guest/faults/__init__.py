"""The faults of the hardware lab, one a module."""

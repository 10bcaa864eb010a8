"""Faults of the lab: each module binds one FAULT."""

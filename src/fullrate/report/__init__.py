"""What to say of a run, as text."""

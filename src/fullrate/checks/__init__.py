"""Causes: facts to a finding. One file each, all pure."""

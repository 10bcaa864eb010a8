"""Trials between two snapshots: the stopping rule, statistics, steadiness."""

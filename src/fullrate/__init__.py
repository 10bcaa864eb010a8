"""Finds out why a Linux host does not fill its network link, and proves what would mend it."""

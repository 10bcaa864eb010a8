"""NIC driver recipes: what a driver's counters mean, its limits and habits. One file each, all data."""

"""Settings: how each is read, written and limited. One file each, all pure."""

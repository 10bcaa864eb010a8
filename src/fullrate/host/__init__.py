"""The only package that touches a machine."""

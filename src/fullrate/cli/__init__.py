"""The command line, one module per verb."""

from fullrate.cli.main import app, main

__all__ = ["app", "main"]

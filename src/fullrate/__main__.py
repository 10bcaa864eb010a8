"""`python -m fullrate`."""

import sys

from fullrate.cli import main

sys.exit(main())

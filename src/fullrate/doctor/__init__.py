"""What a machine lets fullrate see and do."""

from fullrate.doctor.examination import examine
from fullrate.doctor.tools import install_hint

__all__ = ["examine", "install_hint"]

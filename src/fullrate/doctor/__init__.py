"""What a machine lets fullrate see and do."""

from fullrate.doctor.examination import examine

__all__ = ["examine"]

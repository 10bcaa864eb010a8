"""The two ends of a job as the user named them, and the directions between them."""

from enum import StrEnum


class End(StrEnum):
    """One of the two hosts, as named on the command line."""

    NEAR = "near"
    FAR = "far"

    @property
    def other(self) -> "End":
        """The opposite end."""
        return End.FAR if self is End.NEAR else End.NEAR


class Direction(StrEnum):
    """Which way the payload flows."""

    NEAR_TO_FAR = "near_to_far"
    FAR_TO_NEAR = "far_to_near"
    BOTH = "both"

    @property
    def sender(self) -> End:
        """The end that sends the payload; of `both`, the near one."""
        return End.FAR if self is Direction.FAR_TO_NEAR else End.NEAR

    @property
    def receiver(self) -> End:
        """The end that receives the payload."""
        return self.sender.other

    @property
    def words(self) -> str:
        """How a sentence names it: `from near to far`."""
        return "both ways" if self is Direction.BOTH else f"from {self.sender} to {self.receiver}"


ONE_WAY = (Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR)

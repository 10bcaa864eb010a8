"""From what should be set to a plan: what is read, refused, ordered, undone. Pure."""

from fullrate.planning.document import decode_plan, encode_plan
from fullrate.planning.script import as_script
from fullrate.planning.steps import Wish, advice_of, plan_host, questions, wishes_of

__all__ = ["Wish", "advice_of", "as_script", "decode_plan", "encode_plan", "plan_host", "questions", "wishes_of"]

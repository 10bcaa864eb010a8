"""Frozen records that flow between the stages; everything else imports them, they import nothing of ours."""

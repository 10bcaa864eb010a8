"""Draws that depend on a secret and on what they are for: without the secret nobody can try a guess against them."""

import hashlib
import string

_ALPHABET = "abcdefghjkmnpqrstvwxyz23456789"  # no letter that is taken for another
_TOKEN = 6
_HEX = "0123456789abcdef"


class Draws:
    """The same question gives the same draw, as long as the secret is the same."""

    def __init__(self, secret: bytes) -> None:
        """Keep the secret, of at most 64 bytes; it stands in nothing that is drawn."""
        self._secret = secret

    def number(self, kind: str, of: str, below: int) -> int:
        """A whole number from 0 to `below`, without it."""
        text = f"{kind} {of}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(text, key=self._secret, digest_size=32).digest(), "big") % below

    def token(self, kind: str, of: str) -> str:
        """A word such as `host-k3q9xz`."""
        number = self.number(kind, of, len(_ALPHABET) ** _TOKEN)
        letters = (_ALPHABET[number // len(_ALPHABET) ** place % len(_ALPHABET)] for place in range(_TOKEN))
        return f"{kind}-{''.join(letters)}"

    def shaped(self, text: str) -> str:
        """Another text of the same form: digits for digits, letters for letters, the rest as it stands."""
        return "".join(self._like(letter, f"{place} {text.lower()}") for place, letter in enumerate(text))

    def hexadecimal(self, text: str) -> str:
        """Other digits for those of a hexadecimal number; zeros alone stay. A beginning in common stays in common."""
        if not text.strip("0"):
            return text
        drawn = (self.number("hex", text[: place + 1].lower(), len(_HEX)) for place in range(len(text)))
        made = "".join(_HEX[digit] for digit in drawn)
        return made.upper() if text.upper() == text and text.lower() != text else made

    def _like(self, letter: str, of: str) -> str:
        for letters in (string.digits, string.ascii_uppercase, string.ascii_lowercase):
            if letter in letters:
                return letters[self.number("letter", of, len(letters))]
        return letter

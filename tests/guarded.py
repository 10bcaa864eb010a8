"""Settings that are files in a folder, and a change of them, as the guard program on a machine has it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fullrate_guard

Answer = dict[str, Any]  # what the program prints
guard: Any = fullrate_guard  # it carries no types


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of settings, and the one that journals are kept in."""

    root: Path

    def set(self, name: str, value: str) -> None:
        """Somebody sets a setting."""
        (self.root / name).write_text(value)

    def now(self) -> dict[str, str]:
        """Every setting."""
        return {path.name: path.read_text() for path in self.root.iterdir() if path.is_file()}

    def item(self, name: str, found: str, wanted: str = "") -> Answer:
        """A setting of a change, as it was found; watched only where nothing is wanted."""
        path = str(self.root / name)
        step = {"expect": re.escape(wanted), "action": ["write", path, wanted]} if wanted else {}
        back = {"inverses": [["write", path, found]], "found": found, "pattern": "^(.+)$", "request": ["read", path]}
        return {"knob": "file", "subject": name, "link": "", **back, **step}

    def change(self, *steps: Answer, watched: tuple[Answer, ...] = (), name: str = "c1") -> Answer:
        """A change as it is asked for."""
        return {"id": name, "label": "here", "deadline": 60.0, "steps": list(steps), "watched": list(watched)}

    @property
    def folder(self) -> str:
        """Where journals are kept."""
        return str(self.root / "kept")

    def journal(self, name: str = "c1") -> Path:
        """The file of a change."""
        return Path(self.folder, "changes", f"{name}.journal")

    def apply(self, change: Answer) -> Answer:
        """Make a change."""
        return guard.apply(change, (self.folder,), self.folder)  # type: ignore[no-any-return]

    def confirm(self, name: str = "c1") -> Answer:
        """Keep it."""
        return guard.confirm(name, (self.folder,), self.folder)  # type: ignore[no-any-return]

    def revert(self, name: str = "c1") -> Answer:
        """Put it back."""
        return guard.revert(name, (self.folder,), self.folder)  # type: ignore[no-any-return]

    def recover(self) -> list[Answer]:
        """Put back what is left behind."""
        return guard.recover((self.folder,), self.folder)["changes"]  # type: ignore[no-any-return]

    def states(self) -> dict[str, str]:
        """Each change's state."""
        return {each["id"]: each["state"] for each in guard.listing((self.folder,))["changes"]}

"""The agent as one program to install on a host, and how its builds are told apart."""

import hashlib
import zipfile
from pathlib import Path

import fullrate_agent
import fullrate_guard
from fullrate.records.errors import BundleError
from fullrate.version import __version__

_SHEBANG = b"#!/usr/bin/env python3\n"
_MAIN = """import sys

import fullrate_agent

sys.exit(fullrate_agent.main({version!r}, {build!r}))
"""
_EPOCH = (1980, 1, 1, 0, 0, 0)  # so that one source makes one file


def build() -> str:
    """The name of the agent's code: two versions of fullrate with the same agent have the same."""
    return hashlib.sha256(b"".join(source for _, source in _sources())).hexdigest()[:12]


def write_agent(path: Path) -> str:
    """Write the agent as an executable zip (zipapp of the Python library); gives its version. Raises BundleError."""
    try:
        with path.open("wb") as file:
            file.write(_SHEBANG)
            with zipfile.ZipFile(file, "w") as archive:
                _add(archive, "__main__.py", _MAIN.format(version=__version__, build=build()).encode())
                for name, source in _sources():
                    _add(archive, name, source)
        path.chmod(0o755)
    except OSError as error:
        raise BundleError(f"cannot write {path}: {error.strerror}; name another file with -o") from error
    return f"the agent of fullrate {__version__} ({build()})"


def _sources() -> tuple[tuple[str, bytes], ...]:
    """The agent, and the guard program that it puts on the host when something is changed."""
    return tuple(
        (Path(str(one.__file__)).name, Path(str(one.__file__)).read_bytes()) for one in (fullrate_agent, fullrate_guard)
    )


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, content)

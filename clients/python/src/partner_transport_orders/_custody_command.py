"""The program `custody-verify`."""

from __future__ import annotations

import sys


def main() -> int:
    """Judges a proof file. Exit code: 0 proven, 3 consistent, 1 invalid, 2 wrong usage."""
    try:
        from . import _custody_verifier as verifier
    except ImportError as error:
        print(f"{error}: pip install cryptography rfc8785", file=sys.stderr)
        return 2
    return verifier.main()

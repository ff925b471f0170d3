"""Types of verifiers/custody-verifier/python/custody_verify.py, which the build copies here."""

from typing import Any

def verify(
    file: str,
    trusted: Any = (),
    witnesses: Any = None,
    quorum: int | None = None,
    seen_head: tuple[int, str] | None = None,
) -> tuple[str, str, str]: ...
def fault(error: BaseException) -> str: ...
def main() -> int: ...

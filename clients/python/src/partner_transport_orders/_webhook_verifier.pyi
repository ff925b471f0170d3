"""Types of verifiers/webhook-verifier/python/webhook_verify.py, which the build copies here."""

from typing import Any

class Refused(Exception):
    reason: str

def verify(
    raw_body: bytes | bytearray,
    header: str | None,
    secrets: list[str],
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> dict[str, Any]: ...

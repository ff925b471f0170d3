"""Limits of a call."""

from __future__ import annotations

from dataclasses import dataclass

from ._errors import NotSentError


@dataclass(frozen=True)
class Limits:
    """Limits of one call. The total exceeds 60 s, the longest `Retry-After` of a 429 (decision 57)."""

    attempts_max: int = 4
    """Maximum number of requests that one call sends."""
    attempt_timeout: float = 30.0
    """Seconds for one request; checked whenever data arrives, so twice as long in the worst case."""
    total_timeout: float = 90.0
    """Seconds for a call with all its attempts and waits."""

    def __post_init__(self) -> None:
        """Raises NotSentError, which is a ValueError."""
        for name in ("attempts_max", "attempt_timeout", "total_timeout"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not 0 < value < 2**31:
                raise NotSentError(f"{name}: {value!r} is not a positive number")

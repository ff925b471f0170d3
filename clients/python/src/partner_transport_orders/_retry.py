"""When a failed attempt is repeated: a pure decision."""

from __future__ import annotations

from ._errors import ApiError, ConnectionFailedError, TimedOutError, TransportOrdersError

_BASE, _CAP = 0.5, 20.0
_TRANSIENT = {408, 502, 503, 504}


def retry_delay(
    failed: TransportOrdersError,
    *,
    attempts: int,
    attempts_max: int,
    remaining: float,
    repeatable: bool,
    random: float,
) -> float | None:
    """Seconds to wait before the next attempt; None: give up.

    `Retry-After` is the wait where the response has it. Otherwise full jitter: a random part of
    0.5, 1, 2 ... 20 s. A wait that exceeds the remaining time is not begun. `random` is in [0, 1).
    """
    if attempts >= attempts_max or not _is_temporary(failed, repeatable):
        return None
    retry_after = failed.retry_after if isinstance(failed, ApiError) else None
    if retry_after is None:
        wait = random * min(_CAP, _BASE * 2 ** min(attempts - 1, 16))
    else:
        wait = float(retry_after)
    return wait if wait < remaining else None


def _is_temporary(failed: TransportOrdersError, repeatable: bool) -> bool:
    """A 429 was rejected before it was executed; a concurrent request with the same key still runs."""
    if isinstance(failed, (ConnectionFailedError, TimedOutError)):
        return repeatable
    if not isinstance(failed, ApiError):
        return False
    transient = failed.status in _TRANSIENT or failed.code == "IDEMPOTENCY_IN_PROGRESS"
    return failed.status == 429 or (repeatable and transient)

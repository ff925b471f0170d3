"""Verification of webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ._webhook_verifier import Refused as WebhookRefused
from ._webhook_verifier import verify
from .models import WebhookEvent

__all__ = ["WebhookRefused", "verify_webhook"]


def verify_webhook(
    raw_body: bytes,
    header: str | None,
    secrets: Sequence[str],
    *,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> WebhookEvent:
    """The event of a delivery that one of the secrets signed (contract 6.4).

    `raw_body` is the body as it came, before anything parsed it; `header` is `X-Service-Signature`.
    `now` is in Unix seconds. Raises WebhookRefused, whose `reason` is `no_header`,
    `malformed_header`, `no_v1`, `no_signature_matches`, `stale`, `from_the_future` or
    `not_an_event`; TypeError if the call itself is wrong, for example without a secret.
    """
    given = secrets if isinstance(secrets, str) else list(secrets)
    event = verify(raw_body, header, cast("list[str]", given), now, tolerance_seconds)
    return cast(WebhookEvent, event)

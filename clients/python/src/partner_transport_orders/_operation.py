"""One call of the API, before it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote
from uuid import uuid4


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    """Relative to the base URL, with a slash in front."""
    repeatable: bool
    """Whether a request that may have been executed can be sent again: reads, and writes that the
    service executes once however often they come. Without it only a 429 is repeated."""
    query: Mapping[str, str | int | None] | None = None
    body: Mapping[str, Any] | None = None
    idempotency_key: str | None = None

    @property
    def given_query(self) -> dict[str, str]:
        return {name: str(value) for name, value in (self.query or {}).items() if value is not None}


def creation(path: str, body: Mapping[str, Any], key: str | None) -> Operation:
    """A POST that the service executes once for a key, a new UUID by default."""
    key = str(uuid4()) if key is None else key
    return Operation("POST", path, repeatable=True, body=body, idempotency_key=key)


def path(*parts: str) -> str:
    """A path of these segments, encoded."""
    return "".join("/" + quote(part, safe="") for part in parts)


def time_text(time: str | datetime) -> str:
    """ISO 8601. Raises ValueError for a datetime without a time zone."""
    if isinstance(time, str):
        return time
    if time.tzinfo is None:
        raise ValueError("expected a datetime with a time zone, such as datetime.now(timezone.utc)")
    return time.isoformat()

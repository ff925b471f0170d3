"""One call of the API, before it is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from ._errors import NotSentError


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
    headers: Mapping[str, str | None] | None = None
    """Headers of this operation alone; one that is None is not sent."""

    def given_query(self) -> dict[str, str]:
        """Raises NotSentError for a value that is no text."""
        given = {name: str(value) for name, value in (self.query or {}).items() if value is not None}
        try:
            "".join(given.values()).encode()
        except UnicodeEncodeError as error:
            raise NotSentError("a filter has a lone surrogate, which is no text") from error
        return given

    def body_bytes(self) -> bytes | None:
        """The body as JSON; a datetime is ISO 8601. Raises NotSentError for what JSON cannot hold."""
        if self.body is None:
            return None
        try:
            text = json.dumps(self.body, default=_json_of, allow_nan=False, ensure_ascii=False)
            return text.encode()
        except NotSentError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise NotSentError(f"the body is not JSON: {error}") from error


def creation(path: str, body: Mapping[str, Any], key: str | None) -> Operation:
    """A POST that the service executes once for a key, a new UUID by default."""
    key = str(uuid4()) if key is None else key
    return Operation("POST", path, repeatable=True, body=body, idempotency_key=key)


def path(template: str, *ids: str) -> str:
    """The path with an id at each `{}`.

    Raises NotSentError for a parameter that is no id: `..` would name another path.
    """
    return "/" + template.format(*map(_id_text, ids))


_GROUPED = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ID = re.compile(f"[0-9a-f]{{64}}|[0-9a-f]{{32}}|(urn:uuid:)?{_GROUPED}|\\{{{_GROUPED}\\}}", re.ASCII | re.IGNORECASE)
"""A SHA-256, or a UUID in the forms that the API reads: with hyphens, without, in braces or as a
URN (decision 1)."""


def _id_text(id: object) -> str:
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise NotSentError("an id is a UUID, that of an artifact a SHA-256, as text")
    return quote(id, safe="")


def time_text(time: str | datetime) -> str:
    """ISO 8601. Raises NotSentError for a datetime without a time zone."""
    if isinstance(time, str):
        return time
    if not isinstance(time, datetime) or time.utcoffset() is None:
        raise NotSentError("expected a datetime with a time zone, such as datetime.now(timezone.utc)")
    return time.isoformat()


def _json_of(value: object) -> str:
    if isinstance(value, datetime):
        return time_text(value)
    raise TypeError(f"{type(value).__name__} has no form in it")

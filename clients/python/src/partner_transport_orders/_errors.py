"""What a call raises."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any


class TransportOrdersError(Exception):
    """Base class of everything that a call of this package raises."""


class NotSentError(TransportOrdersError, ValueError):
    """The client's options or the arguments of a call are wrong. Nothing was sent."""


class ConnectionFailedError(TransportOrdersError):
    """No response was received: the connection failed or ended early."""


class TimedOutError(TransportOrdersError):
    """The attempt or the call exceeded its time; the server may have executed the request."""


class ApiError(TransportOrdersError):
    """The server rejected the request, or failed. Subclasses follow the status; decide by `code`."""

    status: int
    code: str
    """Stable. Codes may be added."""
    message: str
    details: Mapping[str, Any]
    request_id: str | None
    """Quote it to support; None if the response has none."""
    retry_after: int | None
    """Seconds to wait before the request is repeated; None if the response does not say."""
    errors: list[Mapping[str, Any]]
    """Entries of a validation error, with `loc`, `msg` and `type`; empty for every other error."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: int | None = None,
        errors: list[Mapping[str, Any]] | None = None,
    ) -> None:
        quoted = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status} {code}: {message}{quoted}")
        self.status = status
        self.code = code
        self.message = message
        self.details = details or {}
        self.request_id = request_id
        self.retry_after = retry_after
        self.errors = errors or []


class AuthenticationError(ApiError):
    """401: the key is missing, invalid, revoked, expired, or of the other environment."""


class PermissionDeniedError(ApiError):
    """403: the key lacks a scope, or the organization is not enabled."""


class NotFoundError(ApiError):
    """404: your organization has no such resource."""


class ConflictError(ApiError):
    """409: the request contradicts an earlier one or the state of the resource."""


class ValidationError(ApiError):
    """422 with `errors`: the request has the wrong form. `code` is `VALIDATION`."""


class BeyondFeedError(ValidationError):
    """422 of a position that the feed of events does not have (decision 77).

    The number is of another organization, environment or installation. Begin again with 0, or with
    `newest` for events to come.
    """

    newest: int
    """Number of the feed's newest event; 0 without one."""


class RequestRejectedError(ApiError):
    """Any other 4xx: the form is right, and a rule forbids the request."""


class RateLimitError(ApiError):
    """429: a rate limit is exceeded; `retry_after` says for how long."""


class ServerError(ApiError):
    """408, 5xx, or a response that is not one of the API's. The request may have been executed."""


_CLASSES: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    408: ServerError,
    409: ConflictError,
    429: RateLimitError,
}


def _newest(entries: list[Mapping[str, Any]]) -> int | None:
    """The newest number that a validation error of `after` names; None for any other."""
    for entry in entries:
        context = entry.get("ctx")
        if entry.get("loc") == ["query", "after"] and isinstance(context, dict):
            newest = context.get("newest")
            return newest if isinstance(newest, int) else None
    return None


_FOREIGN = "the response is not one of the API; check the base URL and proxies"


def api_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Returns the error of a response whose status is not 2xx (contract 7)."""
    content = _content(body)
    if content is None:
        return foreign_response(status, headers)
    code, message, details, errors = content
    newest = _newest(errors)
    if newest is not None:
        message += f"; the newest event is {newest}; begin after 0 for all events, or after {newest}"
        beyond = BeyondFeedError(status, code, message, errors=errors, **_head(headers))
        beyond.newest = newest
        return beyond
    usual = RequestRejectedError if 400 <= status < 500 else ServerError
    kind = ValidationError if code == "VALIDATION" else _CLASSES.get(status, usual)
    return kind(status, code, message, details=details, errors=errors, **_head(headers))


def foreign_response(status: int, headers: Mapping[str, str], message: str = _FOREIGN) -> ServerError:
    """The error of a response that is not one of the API, whatever its status: a 404 of a proxy does
    not say that there is no such order."""
    return ServerError(status, "UNEXPECTED_RESPONSE", message, **_head(headers))


def _head(headers: Mapping[str, str]) -> dict[str, Any]:
    return {
        "request_id": headers.get("x-request-id"),
        "retry_after": retry_after_seconds(headers.get("retry-after")),
    }


def _content(body: bytes) -> tuple[str, str, Mapping[str, Any], list[Mapping[str, Any]]] | None:
    """The content of the envelope or of a validation error; None for any other body."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if isinstance(parsed, dict):
        error, entries = parsed.get("error"), parsed.get("detail")
        if isinstance(error, dict) and isinstance(error.get("code"), str):
            details = error.get("details")
            known = details if isinstance(details, dict) else {}
            return error["code"], str(error.get("message")), known, []
        if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
            texts = [f"{'.'.join(map(str, e.get('loc', [])))}: {e.get('msg')}" for e in entries]
            return "VALIDATION", "; ".join(texts), {}, entries
    return None


def retry_after_seconds(header: str | None) -> int | None:
    """Seconds of a `Retry-After` header, delay or date (RFC 9110, 10.2.3)."""
    if header is None:
        return None
    if re.fullmatch("[0-9]{1,9}", header):
        return int(header)
    try:
        at = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0, math.ceil((at - datetime.now(timezone.utc)).total_seconds()))

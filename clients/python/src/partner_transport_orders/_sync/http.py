# Made from _async/http.py by `npm run generate`.
"""Sends operations with the key, within their limits, and again where a repetition is safe."""

from __future__ import annotations

from random import random
from time import monotonic
from typing import Any

import httpx

from .._environment import wrong_setting
from .._errors import (
    ConnectionFailedError,
    TimedOutError,
    TransportOrdersError,
    api_error,
    foreign_response,
)
from .._limits import Limits
from .._operation import Operation
from .._retry import retry_delay
from .._settings import Settings
from .._sleep import sleep
from .._success import BYTES_MAX, Success


def _own_client(settings: Settings) -> httpx.Client:
    """A client with the proxies of the environment; without one for this machine, whose key a proxy
    would read. Raises NotSentError for a setting of the environment that httpx cannot read."""
    try:
        if settings.is_loopback:
            return httpx.Client(transport=httpx.HTTPTransport())
        return httpx.Client()
    except Exception as error:
        raise wrong_setting(error) from None  # the cause can have a proxy's password


class Http:
    def __init__(self, settings: Settings, client: httpx.Client | None) -> None:
        self._settings = settings
        self._owns_client = client is None
        self._client = client or _own_client(settings)

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def call(self, operation: Operation, limits: Limits | None = None) -> Any:
        """The parsed body of the success; None for the 204 of a DELETE."""
        success = self._send(operation, limits)
        return None if success.status == 204 and operation.method == "DELETE" else success.json()

    def page(self, operation: Operation, limits: Limits | None = None) -> dict[str, Any]:
        """A page of a list."""
        return (self._send(operation, limits)).page()

    def document(self, operation: Operation, limits: Limits | None = None) -> bytes:
        """The JSON document of the success, as it came."""
        return (self._send(operation, limits)).document()

    def file(self, operation: Operation, limits: Limits | None = None) -> bytes:
        """The file of the success, as it came."""
        return (self._send(operation, limits)).file()

    def _send(self, operation: Operation, limits: Limits | None) -> Success:
        limits = limits or self._settings.limits
        end = monotonic() + limits.total_timeout
        prepared = self._prepared(operation)
        attempts = 0
        while True:
            attempts += 1
            try:
                timeout = min(limits.attempt_timeout, end - monotonic())
                return self._attempt(prepared, timeout)
            except TransportOrdersError as failed:
                delay = retry_delay(
                    failed,
                    attempts=attempts,
                    attempts_max=limits.attempts_max,
                    remaining=end - monotonic(),
                    repeatable=operation.repeatable,
                    random=random(),
                )
                if delay is None:
                    raise
            sleep(delay)

    def _prepared(self, operation: Operation) -> dict[str, Any]:
        """The request of all attempts. Raises NotSentError for what HTTP or JSON cannot hold."""
        return {
            "method": operation.method,
            "url": self._settings.url(operation),
            "params": operation.given_query() or None,
            "content": operation.body_bytes(),
            "headers": self._settings.headers(operation),
        }

    def _attempt(self, prepared: dict[str, Any], timeout: float) -> Success:
        end = monotonic() + timeout
        request = self._client.build_request(**prepared, timeout=timeout)
        late = f"no complete response within {timeout:.3f} s"
        try:
            response = self._client.send(request, stream=True, follow_redirects=False)
            try:
                parts = bytearray()
                for part in response.iter_bytes():
                    parts += part
                    if monotonic() > end:
                        raise TimedOutError(late)
                    if len(parts) > BYTES_MAX:
                        large = f"the response is larger than {BYTES_MAX} bytes"
                        raise foreign_response(response.status_code, response.headers, large)
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise TimedOutError(late) from error
        except httpx.RequestError as error:
            hint = self._settings.connection_hint(error) if self._owns_client else ""
            raise ConnectionFailedError(f"the connection failed or ended early{hint}") from error
        if not response.is_success:
            raise api_error(response.status_code, response.headers, bytes(parts))
        return Success(response.status_code, response.headers, bytes(parts))

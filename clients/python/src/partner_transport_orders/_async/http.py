"""Sends operations with the key, within their limits, and again where a repetition is safe."""

from __future__ import annotations

import json
from random import random
from time import monotonic
from typing import Any

import httpx

from .._environment import wrong_setting
from .._errors import ConnectionFailedError, TimedOutError, TransportOrdersError, api_error
from .._limits import Limits
from .._operation import Operation
from .._retry import retry_delay
from .._settings import Settings
from .._sleep import async_sleep


def _own_client(settings: Settings) -> httpx.AsyncClient:
    """A client with the proxies of the environment; without one for this machine, whose key a proxy
    would read. Raises NotSentError for a setting of the environment that httpx cannot read."""
    try:
        if settings.is_loopback:
            return httpx.AsyncClient(transport=httpx.AsyncHTTPTransport())
        return httpx.AsyncClient()
    except Exception as error:
        raise wrong_setting(error) from None  # the cause can have a proxy's password


class AsyncHttp:
    def __init__(self, settings: Settings, client: httpx.AsyncClient | None) -> None:
        self._settings = settings
        self._owns_client = client is None
        self._client = client or _own_client(settings)

    async def close(self) -> None:
        if self._owns_client:
            await self._client.aclose()

    async def call(self, operation: Operation, limits: Limits | None = None) -> Any:
        """The parsed body of the success; None for a 204."""
        body = await self.call_raw(operation, limits)
        if not body:
            return None
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise TransportOrdersError(f"{operation.path}: the response is not JSON") from error

    async def call_raw(self, operation: Operation, limits: Limits | None = None) -> bytes:
        """The body of the success, as it came."""
        limits = limits or self._settings.limits
        end = monotonic() + limits.total_timeout
        prepared = self._prepared(operation)
        attempts = 0
        while True:
            attempts += 1
            try:
                timeout = min(limits.attempt_timeout, end - monotonic())
                return await self._attempt(prepared, timeout)
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
            await async_sleep(delay)

    def _prepared(self, operation: Operation) -> dict[str, Any]:
        """The request of all attempts. Raises NotSentError for what HTTP or JSON cannot hold."""
        return {
            "method": operation.method,
            "url": self._settings.url(operation),
            "params": operation.given_query() or None,
            "content": operation.body_bytes(),
            "headers": self._settings.headers(operation),
        }

    async def _attempt(self, prepared: dict[str, Any], timeout: float) -> bytes:
        end = monotonic() + timeout
        request = self._client.build_request(**prepared, timeout=timeout)
        late = f"no complete response within {timeout:.3f} s"
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            try:
                parts = []
                async for part in response.aiter_bytes():
                    parts.append(part)
                    if monotonic() > end:
                        raise TimedOutError(late)
            finally:
                await response.aclose()
        except httpx.TimeoutException as error:
            raise TimedOutError(late) from error
        except httpx.RequestError as error:
            hint = self._settings.connection_hint(error) if self._owns_client else ""
            raise ConnectionFailedError(f"the connection failed or ended early{hint}") from error
        body = b"".join(parts)
        if not response.is_success:
            raise api_error(response.status_code, response.headers, body)
        return body

"""Webhook endpoints."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from .._limits import Limits
from .._operation import Operation, creation, path, time_text
from ..models import (
    Recovery,
    RotatedSecret,
    TestResult,
    VerifyResult,
    WebhookEndpoint,
    WebhookEndpointCreate,
    WebhookEndpointCreated,
    WebhookEndpointUpdate,
    WebhookEndpointUpdated,
)
from .deliveries import AsyncDeliveries
from .http import AsyncHttp


class AsyncWebhooks:
    deliveries: AsyncDeliveries

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http
        self.deliveries = AsyncDeliveries(http)

    async def list(self, *, limits: Limits | None = None) -> builtins.list[WebhookEndpoint]:
        webhooks = Operation("GET", "/webhooks", repeatable=True)
        return cast("builtins.list[WebhookEndpoint]", await self._http.call(webhooks, limits))

    async def create(
        self,
        endpoint: WebhookEndpointCreate,
        *,
        idempotency_key: str | None = None,
        limits: Limits | None = None,
    ) -> WebhookEndpointCreated:
        """Registers an endpoint, once, however often the request has to be sent.

        Store `secret`: no other response has it. `idempotency_key` is as for an order.
        """
        create = creation(path("webhooks"), endpoint, idempotency_key)
        return cast(WebhookEndpointCreated, await self._http.call(create, limits))

    async def get(self, id: str, *, limits: Limits | None = None) -> WebhookEndpoint:
        get = Operation("GET", path("webhooks/{}", id), repeatable=True)
        return cast(WebhookEndpoint, await self._http.call(get, limits))

    async def update(
        self, id: str, change: WebhookEndpointUpdate, *, limits: Limits | None = None
    ) -> WebhookEndpointUpdated:
        updated = await self._write("PATCH", path("webhooks/{}", id), change, limits)
        return cast(WebhookEndpointUpdated, updated)

    async def delete(self, id: str, *, limits: Limits | None = None) -> None:
        await self._write("DELETE", path("webhooks/{}", id), None, limits)

    async def verify(self, id: str, *, limits: Limits | None = None) -> VerifyResult:
        """Repeats the handshake."""
        return cast(VerifyResult, await self._write("POST", path("webhooks/{}/verify", id), None, limits))

    async def test(self, id: str, *, limits: Limits | None = None) -> TestResult:
        """Sends a signed sample event."""
        return cast(TestResult, await self._write("POST", path("webhooks/{}/test", id), None, limits))

    async def rotate_secret(
        self, id: str, *, overlap: int | None = None, limits: Limits | None = None
    ) -> RotatedSecret:
        """Returns a new secret. Both secrets sign for `overlap` seconds, a day by default."""
        rotate = path("webhooks/{}/secret/rotate", id)
        body = {} if overlap is None else {"overlap": overlap}
        return cast(RotatedSecret, await self._write("POST", rotate, body, limits))

    async def recover(
        self,
        id: str,
        *,
        since: str | datetime,
        until: str | datetime | None = None,
        include_pending: bool = False,
        order_id: str | None = None,
        limits: Limits | None = None,
    ) -> Recovery:
        """Queues the undelivered events of a time span, at most 1,000; `next_since` begins the next call.

        `include_pending` also attempts now what waits for a retry, under the same id.
        `order_id`: only the events of this order.
        """
        body = {
            "since": time_text(since),
            "until": None if until is None else time_text(until),
            "include_pending": include_pending,
            "order_id": order_id,
        }
        recover = path("webhooks/{}/recover", id)
        # a repetition would use up another attempt of the pending deliveries
        operation = Operation("POST", recover, repeatable=not include_pending, body=body)
        return cast(Recovery, await self._http.call(operation, limits))

    async def _write(
        self, method: str, path: str, body: Mapping[str, Any] | None, limits: Limits | None
    ) -> Any:
        """A write that could have an effect twice."""
        return await self._http.call(Operation(method, path, repeatable=False, body=body), limits)

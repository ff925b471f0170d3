# Made from _async/webhooks.py by `npm run generate`.
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
from .deliveries import Deliveries
from .http import Http


class Webhooks:
    deliveries: Deliveries

    def __init__(self, http: Http) -> None:
        self._http = http
        self.deliveries = Deliveries(http)

    def list(self, *, limits: Limits | None = None) -> builtins.list[WebhookEndpoint]:
        webhooks = Operation("GET", "/webhooks", repeatable=True)
        return cast("builtins.list[WebhookEndpoint]", self._http.call(webhooks, limits))

    def create(
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
        return cast(WebhookEndpointCreated, self._http.call(create, limits))

    def get(self, id: str, *, limits: Limits | None = None) -> WebhookEndpoint:
        get = Operation("GET", path("webhooks/{}", id), repeatable=True)
        return cast(WebhookEndpoint, self._http.call(get, limits))

    def update(
        self, id: str, change: WebhookEndpointUpdate, *, limits: Limits | None = None
    ) -> WebhookEndpointUpdated:
        updated = self._write("PATCH", path("webhooks/{}", id), change, limits)
        return cast(WebhookEndpointUpdated, updated)

    def delete(self, id: str, *, limits: Limits | None = None) -> None:
        self._write("DELETE", path("webhooks/{}", id), None, limits)

    def verify(self, id: str, *, limits: Limits | None = None) -> VerifyResult:
        """Repeats the handshake."""
        return cast(VerifyResult, self._write("POST", path("webhooks/{}/verify", id), None, limits))

    def test(self, id: str, *, limits: Limits | None = None) -> TestResult:
        """Sends a signed sample event."""
        return cast(TestResult, self._write("POST", path("webhooks/{}/test", id), None, limits))

    def rotate_secret(
        self, id: str, *, overlap: int | None = None, limits: Limits | None = None
    ) -> RotatedSecret:
        """Returns a new secret. Both secrets sign for `overlap` seconds, a day by default."""
        rotate = path("webhooks/{}/secret/rotate", id)
        body = {} if overlap is None else {"overlap": overlap}
        return cast(RotatedSecret, self._write("POST", rotate, body, limits))

    def recover(
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
        return cast(Recovery, self._http.call(operation, limits))

    def _write(
        self, method: str, path: str, body: Mapping[str, Any] | None, limits: Limits | None
    ) -> Any:
        """A write that could have an effect twice."""
        return self._http.call(Operation(method, path, repeatable=False, body=body), limits)

# Made from _async/deliveries.py by `npm run generate`.
"""Deliveries of a webhook endpoint."""

from __future__ import annotations

from typing import cast

from .._limits import Limits
from .._operation import Operation, path
from ..models import Delivery, KnownDeliveryState, KnownEventName, OrderDeliveries
from .http import Http
from .pages import Pages


class Deliveries:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        endpoint_id: str,
        *,
        state: KnownDeliveryState | None = None,
        event: KnownEventName | None = None,
        order_id: str | None = None,
        limit: int | None = None,
        limits: Limits | None = None,
    ) -> Pages[Delivery]:
        """All deliveries of an endpoint, newest first; `limit` is the size of a page, 1 to 100."""
        query = {"state": state, "event": event, "order_id": order_id, "limit": limit}
        deliveries = path("webhooks/{}/deliveries", endpoint_id)
        return Pages(self._http, Operation("GET", deliveries, repeatable=True, query=query), limits)

    def of_order(self, order_id: str, *, limits: Limits | None = None) -> OrderDeliveries:
        """The deliveries of an order to all endpoints, the deleted ones included, oldest first."""
        deliveries = Operation("GET", path("orders/{}/deliveries", order_id), repeatable=True)
        return cast(OrderDeliveries, self._http.call(deliveries, limits))

    def get(self, endpoint_id: str, id: str, *, limits: Limits | None = None) -> Delivery:
        delivery = path("webhooks/{}/deliveries/{}", endpoint_id, id)
        return cast(Delivery, self._http.call(Operation("GET", delivery, repeatable=True), limits))

    def replay(self, endpoint_id: str, id: str, *, limits: Limits | None = None) -> Delivery:
        """Sends a delivery again, under a new delivery id."""
        replay = path("webhooks/{}/deliveries/{}/replay", endpoint_id, id)
        return cast(Delivery, self._http.call(Operation("POST", replay, repeatable=False), limits))

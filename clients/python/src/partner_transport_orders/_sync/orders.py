# Made from _async/orders.py by `npm run generate`.
"""Orders and their custody history."""

from __future__ import annotations

import builtins
from dataclasses import replace
from datetime import datetime
from typing import Literal, cast

from .._limits import Limits
from .._operation import Operation, creation, path, time_text
from ..models import (
    Condition,
    ConditionCreate,
    CustodyEntry,
    KnownOrderStatus,
    Order,
    OrderCreate,
    OrderCustody,
    SandboxScenario,
)
from .changes import Changes
from .http import Http
from .pages import Pages


class Orders:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        order: OrderCreate,
        *,
        idempotency_key: str | None = None,
        sandbox_courier: SandboxScenario | None = None,
        sandbox_step: str | None = None,
        limits: Limits | None = None,
    ) -> Order:
        """Creates an order, once, however often the request has to be sent.

        `idempotency_key` is the same for every attempt of this call; a new UUID by default. The
        service stores it for 24 h. In the sandbox, the courier moves the order by the scenario
        `sandbox_courier`, a step each `sandbox_step`, such as `1s`. `sandbox.steps` shows its run; the
        run is None if the courier was unavailable. Production ignores both.
        """
        headers = {"X-Sandbox-Courier": sandbox_courier, "X-Sandbox-Step": sandbox_step}
        create = replace(creation("/orders", order, idempotency_key), headers=headers)
        return cast(Order, self._http.call(create, limits))

    def get(self, id: str, *, limits: Limits | None = None) -> Order:
        get = Operation("GET", path("orders/{}", id), repeatable=True)
        return cast(Order, self._http.call(get, limits))

    def list(
        self,
        *,
        status: KnownOrderStatus | None = None,
        external_id: str | None = None,
        updated_since: str | datetime | None = None,
        search: str | None = None,
        limit: int | None = None,
        limits: Limits | None = None,
    ) -> Pages[Order]:
        """Orders, newest first, with a part of the reference; `limit` is the size of a page, 1 to 100."""
        query = {
            "status": status,
            "external_id": external_id,
            "updated_since": None if updated_since is None else time_text(updated_since),
            "search": search,
            "limit": limit,
        }
        return Pages(self._http, Operation("GET", "/orders", repeatable=True, query=query), limits)

    def changes(
        self,
        updated_since: str | datetime,
        *,
        status: KnownOrderStatus | None = None,
        external_id: str | None = None,
        limit: int | None = None,
        limits: Limits | None = None,
    ) -> Changes:
        """The orders that changed at this time or later; `next_updated_since` is for the next poll."""
        since = time_text(updated_since)
        pages = self.list(
            status=status, external_id=external_id, updated_since=since, limit=limit, limits=limits
        )
        return Changes(since, pages)

    def cancel(self, id: str, *, reason: str, limits: Limits | None = None) -> Order:
        """Repeated with the same reason, a cancellation returns the unchanged order."""
        cancel = path("orders/{}/cancel", id)
        operation = Operation("POST", cancel, repeatable=True, body={"reason": reason})
        return cast(Order, self._http.call(operation, limits))

    def submit(self, id: str, *, limits: Limits | None = None) -> Order:
        """Submits a draft."""
        submit = Operation("POST", path("orders/{}/submit", id), repeatable=False)
        return cast(Order, self._http.call(submit, limits))

    def record_condition(
        self,
        id: str,
        condition: ConditionCreate,
        *,
        idempotency_key: str | None = None,
        limits: Limits | None = None,
    ) -> Condition:
        """Records temperature readings of an order, once for the idempotency key."""
        record = creation(path("orders/{}/conditions", id), condition, idempotency_key)
        return cast(Condition, self._http.call(record, limits))

    def artifact(self, id: str, sha256: str, *, limits: Limits | None = None) -> bytes:
        """A handover's file or readings, by the SHA-256 in the custody entry."""
        artifact = Operation("GET", path("orders/{}/artifacts/{}", id, sha256), repeatable=True)
        return self._http.file(artifact, limits)

    def events(self, id: str, *, limits: Limits | None = None) -> builtins.list[CustodyEntry]:
        """The custody history, oldest entry first."""
        events = Operation("GET", path("orders/{}/events", id), repeatable=True)
        return cast("list[CustodyEntry]", self._http.call(events, limits))

    def custody(self, id: str, *, limits: Limits | None = None) -> OrderCustody:
        """The state of the custody chain, and the checkpoint that covers it."""
        custody = Operation("GET", path("orders/{}/custody", id), repeatable=True)
        return cast(OrderCustody, self._http.call(custody, limits))

    def certificate(
        self, id: str, *, language: Literal["en", "de"] = "en", limits: Limits | None = None
    ) -> bytes:
        """The certificate of the custody, as PDF."""
        certificate = path("orders/{}/custody/certificate", id)
        operation = Operation("GET", certificate, repeatable=True, query={"lang": language})
        return self._http.file(operation, limits)

    def epcis(self, id: str, *, limits: Limits | None = None) -> bytes:
        """The custody history as an EPCIS 2.0 document (JSON-LD)."""
        epcis = Operation("GET", path("orders/{}/custody/epcis", id), repeatable=True)
        return self._http.document(epcis, limits)

    def fhir(self, id: str, *, limits: Limits | None = None) -> bytes:
        """The order and its custody history as a FHIR R4 bundle."""
        fhir = Operation("GET", path("orders/{}/custody/fhir", id), repeatable=True)
        return self._http.document(fhir, limits)

    def custody_proof(self, id: str, *, limits: Limits | None = None) -> bytes:
        """The proof file: store it unchanged, and judge it with `verify_proof`."""
        proof = Operation("GET", path("orders/{}/custody/proof", id), repeatable=True)
        return self._http.document(proof, limits)

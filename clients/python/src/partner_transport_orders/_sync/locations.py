# Made from _async/locations.py by `npm run generate`.
"""Saved pickup and drop-off addresses."""

from __future__ import annotations

import builtins
from typing import cast

from .._limits import Limits
from .._operation import Operation, creation
from ..models import Location, LocationCreate
from .http import Http


class Locations:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limits: Limits | None = None) -> builtins.list[Location]:
        locations = Operation("GET", "/locations", repeatable=True)
        return cast("builtins.list[Location]", self._http.call(locations, limits))

    def create(
        self,
        location: LocationCreate,
        *,
        idempotency_key: str | None = None,
        limits: Limits | None = None,
    ) -> Location:
        """Creates a location, or returns the one that your organization has at this address (decision 12).

        `idempotency_key` is as for an order.
        """
        create = creation("/locations", location, idempotency_key)
        return cast(Location, self._http.call(create, limits))

# Made from _async/locations.py by `npm run generate:clients`.
"""Saved pickup and drop-off addresses."""

from __future__ import annotations

import builtins
from typing import cast

from .._limits import Limits
from .._operation import Operation
from ..models import Location, LocationCreate
from .http import Http


class Locations:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, limits: Limits | None = None) -> builtins.list[Location]:
        locations = Operation("GET", "/locations", repeatable=True)
        return cast("builtins.list[Location]", self._http.call(locations, limits))

    def create(self, location: LocationCreate, *, limits: Limits | None = None) -> Location:
        """Creates a location, or returns the one that your organization has at this address (decision 12)."""
        create = Operation("POST", "/locations", repeatable=True, body=location)
        return cast(Location, self._http.call(create, limits))

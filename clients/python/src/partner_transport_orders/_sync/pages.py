# Made from _async/pages.py by `npm run generate`.
"""Iterators over lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar, cast

from .._errors import TransportOrdersError
from .._limits import Limits
from .._operation import Operation
from .http import Http

Item = TypeVar("Item")


class Pages(Generic[Item]):
    """All items of a list, newest first.

    Iteration requests a page when it gets there. Items created meanwhile do not shift the pages.
    It raises TransportOrdersError for a cursor that came before: the list would never end.
    """

    def __init__(self, http: Http, operation: Operation, limits: Limits | None) -> None:
        self._http = http
        self._operation = operation
        self._limits = limits

    def _raw_pages(self) -> Iterator[dict[str, Any]]:
        cursor: str | None = None
        given: set[str] = set()
        while True:
            query = {**(self._operation.query or {}), "cursor": cursor}
            operation = Operation("GET", self._operation.path, repeatable=True, query=query)
            page = self._http.page(operation, self._limits)
            yield page
            cursor = page.get("next_cursor")
            if not cursor:
                return
            if cursor in given:
                raise TransportOrdersError("the list does not end: the server repeats next_cursor")
            given.add(cursor)

    def pages(self) -> Iterator[list[Item]]:
        """The items page by page."""
        for page in self._raw_pages():
            yield cast("list[Item]", page["data"])

    def __iter__(self) -> Iterator[Item]:
        for items in self.pages():
            for item in items:
                yield item

# Made from _async/changes.py by `npm run generate`.
"""Iterators over changed orders."""

from __future__ import annotations

from collections.abc import Iterator

from ..models import Order
from .pages import Pages


class Changes:
    """The orders that changed at a time or later, each in its newest state (contract 4.3).

    An order that changes during the iteration may be missing; the next poll then returns it. An
    order may come in two polls: process it again, or compare `updated_at`.
    """

    next_updated_since: str
    """`updated_since` of the next poll: `as_of` of the first page once the iteration has reached
    its end, and the start of this poll before. Store it after you processed the orders, and no
    change is missed, wherever the program stops."""

    def __init__(self, updated_since: str, pages: Pages[Order]) -> None:
        self.next_updated_since = updated_since
        self._pages = pages

    def __iter__(self) -> Iterator[Order]:
        as_of: str | None = None
        for page in self._pages._raw_pages():
            as_of = as_of or page.get("as_of")
            for order in page["data"]:
                yield order
        self.next_updated_since = as_of or self.next_updated_since

"""Iterators over changed orders."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ..models import Order
from .pages import AsyncPages


class AsyncChanges:
    """The orders that changed at a time or later, each in its newest state (contract 4.3).

    An order that changes during the iteration may be missing; the next poll then returns it. An
    order may come in two polls: process it again, or compare `updated_at`.
    """

    next_updated_since: str
    """`updated_since` of the next poll: `as_of` of the first page once the iteration has reached
    its end, and the start of this poll before. Store it after you processed the orders, and no
    change is missed, wherever the program stops."""

    def __init__(self, updated_since: str, pages: AsyncPages[Order]) -> None:
        self.next_updated_since = updated_since
        self._pages = pages

    async def __aiter__(self) -> AsyncIterator[Order]:
        as_of: str | None = None
        async for page in self._pages._raw_pages():
            as_of = as_of or page.get("as_of")
            for order in page["data"]:
                yield order
        self.next_updated_since = as_of or self.next_updated_since

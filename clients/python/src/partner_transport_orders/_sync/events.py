# Made from _async/events.py by `npm run generate`.
"""The events of all orders, in the order of the ledger's log."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import cast

from .._errors import TransportOrdersError
from .._limits import Limits
from .._operation import Operation
from .._sleep import sleep
from ..models import EventPage, FeedEvent
from .http import Http

_WAIT = 25
_EARLY_PAUSE = 1.0
_WAITING_LIMITS = Limits(attempt_timeout=50.0, total_timeout=150.0)


def list_events(
    http: Http,
    *,
    after: int,
    feed: str | None,
    limit: int | None,
    wait: int | None,
    limits: Limits | None,
) -> EventPage:
    query = {"after": after, "feed": feed, "limit": limit, "wait": wait}
    operation = Operation("GET", "/events", repeatable=True, query=query)
    return cast(EventPage, http.page(operation, limits))


def follow_events(
    http: Http, *, after: int, feed: str | None, limits: Limits | None
) -> Iterator[FeedEvent]:
    """Iterates over the events after `after`, and waits for new ones.

    Each call has the retries of all calls. Its default limits permit it to wait; those of the client
    may be shorter and do not apply. Raises BeyondFeedError at once for an `after` that the feed does
    not have, and ValidationError for a `feed` that is not the key's.
    """
    while True:
        begun = monotonic()
        own = limits or _WAITING_LIMITS
        page = list_events(http, after=after, feed=feed, limit=100, wait=_WAIT, limits=own)
        for event in page["data"]:
            if event["number"] != after + 1:
                raise TransportOrdersError(f"event {after + 1} is missing before {event['number']}")
            after = event["number"]
            yield event
        if not page["data"] and monotonic() - begun < _WAIT - _EARLY_PAUSE:
            sleep(_EARLY_PAUSE)

# Made from _async/client.py by `npm run generate`.
"""The API, with one key."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import cast

import httpx

from .._limits import Limits
from .._operation import Operation
from .._settings import Settings
from ..models import EventPage, FeedEvent, KnownRequestMethod, LoggedRequest, Ping
from .events import follow_events, list_events
from .http import Http
from .locations import Locations
from .orders import Orders
from .portal_links import PortalLinks
from .pages import Pages
from .sandbox import Sandbox
from .webhooks import Webhooks


class Client:
    """The Partner Transport Orders API, with one key. Close it, or use it in a `with` statement.

    `base_url` ends in `/api/partner/v1`. `http_client` sends the requests, for example through a
    proxy; its owner closes it. `user_agent` is added to the header: the name and version of your
    program. `allow_insecure` permits `http:` to hosts other than this one, where every network in
    between can read the key: for tests within a cluster. No error and no representation of this class contains the key.
    """

    orders: Orders
    locations: Locations
    webhooks: Webhooks
    portal_links: PortalLinks
    sandbox: Sandbox

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        limits: Limits | None = None,
        user_agent: str | None = None,
        allow_insecure: bool = False,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = Settings(base_url, api_key, limits or Limits(), user_agent, allow_insecure)
        self._http = Http(settings, http_client)
        self.orders = Orders(self._http)
        self.locations = Locations(self._http)
        self.webhooks = Webhooks(self._http)
        self.portal_links = PortalLinks(self._http)
        self.sandbox = Sandbox(self._http)

    def ping(self, *, limits: Limits | None = None) -> Ping:
        """Checks that the key is valid."""
        return cast(Ping, self._http.call(Operation("GET", "/ping", repeatable=True), limits))

    def list_events(
        self,
        *,
        after: int = 0,
        feed: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
        limits: Limits | None = None,
    ) -> EventPage:
        """A page of the events of all orders, in the order of the ledger's log.

        The next page begins at its `next_after`. Store its `feed` beside this number and send both: a
        number of another organization or environment is then a ValidationError. `limit` is the size of a page, 1 to 100; `wait` the
        seconds that the request waits for an event, 0 to 25.
        """
        return list_events(
            self._http, after=after, feed=feed, limit=limit, wait=wait, limits=limits
        )

    def follow_events(
        self, *, after: int = 0, feed: str | None = None, limits: Limits | None = None
    ) -> Iterator[FeedEvent]:
        """Iterates over the events of all orders after `after`, and waits for new ones.

        No event is missing and none comes twice. Store the `number` of each event after you processed
        it, and begin with that number after an error or a restart. `feed` is that of `list_events`. `limits` are those of each call;
        the defaults permit it to wait for 25 s.
        """
        return follow_events(self._http, after=after, feed=feed, limits=limits)

    def list_requests(
        self,
        *,
        status: str | None = None,
        method: KnownRequestMethod | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        limits: Limits | None = None,
    ) -> Pages[LoggedRequest]:
        """The requests of your organization in the last 7 days, newest first.

        `status` is a status or a class of statuses, such as `4xx`; `limit` the size of a page, 1 to 100.
        """
        query = {"status": status, "method": method, "request_id": request_id, "limit": limit}
        return Pages(self._http, Operation("GET", "/requests", repeatable=True, query=query), limits)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

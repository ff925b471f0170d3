# Made from _async/portal_links.py by `npm run generate`.
"""Links to the portal."""

from __future__ import annotations

from typing import cast

from .._limits import Limits
from .._operation import Operation
from ..models import PortalLink, PortalLinkCreate
from .http import Http


class PortalLinks:
    """Links that open the portal in a browser, for the people of your organization."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self, rights: PortalLinkCreate | None = None, *, limits: Limits | None = None
    ) -> PortalLink:
        """Creates a link for one person, who opens it once.

        Its session has at most the scopes of your key.
        """
        operation = Operation("POST", "/portal-links", repeatable=False, body=rights or {})
        return cast(PortalLink, self._http.call(operation, limits))

    def end_all(self, *, limits: Limits | None = None) -> None:
        """Ends all links of your key and their sessions, within 5 s."""
        self._http.call(Operation("DELETE", "/portal-links", repeatable=True), limits)

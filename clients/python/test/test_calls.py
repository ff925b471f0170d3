"""Calls against scripted responses; run by a test of the repository with the installed wheel."""

import json
import time
import unittest
from typing import Any

import anyio
import httpx
from partner_transport_orders import (
    ApiError,
    AsyncClient,
    AuthenticationError,
    Client,
    ConflictError,
    ConnectionFailedError,
    Limits,
    RateLimitError,
    ServerError,
    TimedOutError,
    TransportOrdersError,
    ValidationError,
)
from partner_transport_orders.models import LocationCreate, OrderCreate

BASE_URL = "https://a.example/api/partner/v1"
KEY = "svc_test_canary"
ORDER: OrderCreate = {
    "pickup": {"address_text": "Charitéplatz 1, 10117 Berlin"},
    "dropoff": {"address_text": "Marienplatz 1, 80331 München"},
    "pickup_window_start": "2030-01-01T08:00:00Z",
}
CUT = httpx.ReadError("cut")


def reply(status: int, body: Any, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=named)


def failure(status: int, code: str, **headers: str) -> httpx.Response:
    return reply(status, {"error": {"code": code, "message": "because"}}, **headers)


class Server:
    """Each request gets the next reply; the last one is repeated."""

    def __init__(self, *replies: "httpx.Response | Exception") -> None:
        self.replies = replies
        self.seen: "list[httpx.Request]" = []

    def respond(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        found = self.replies[min(len(self.seen), len(self.replies)) - 1]
        if isinstance(found, Exception):
            raise found
        return httpx.Response(found.status_code, headers=found.headers, content=found.content)

    async def respond_later(self, request: httpx.Request) -> httpx.Response:
        return self.respond(request)

    def client(self, **options: Any) -> Client:
        http = httpx.Client(transport=httpx.MockTransport(self.respond))
        return Client(BASE_URL, KEY, http_client=http, **options)


class Calls(unittest.TestCase):
    def test_a_create_is_repeated_with_the_same_key_and_body(self) -> None:
        server = Server(CUT, failure(409, "IDEMPOTENCY_IN_PROGRESS"), reply(201, {"id": "o1"}))
        self.assertEqual(server.client().orders.create(ORDER)["id"], "o1")
        self.assertEqual(len(server.seen), 3)
        sent = {(one.headers["idempotency-key"], one.content) for one in server.seen}
        self.assertEqual(len(sent), 1)

    def test_the_asynchronous_client_does_the_same(self) -> None:
        server = Server(CUT, reply(201, {"id": "o1"}))

        async def create() -> str:
            http = httpx.AsyncClient(transport=httpx.MockTransport(server.respond_later))
            async with AsyncClient(BASE_URL, KEY, http_client=http) as client:
                return (await client.orders.create(ORDER))["id"]

        self.assertEqual(anyio.run(create), "o1")
        self.assertEqual(len({one.headers["idempotency-key"] for one in server.seen}), 1)

    def test_locations_and_endpoints_are_created_with_a_key_too(self) -> None:
        created = reply(201, {"id": "o1"})
        server = Server(CUT, created, created, CUT, created, created)
        client = server.client()
        place: LocationCreate = {"label": "Ward 1", "street": "S 1", "zip": "10117", "city": "Berlin"}
        client.locations.create(place)
        client.locations.create(place, idempotency_key="LAB-1")
        client.webhooks.create({"url": "https://a.example"})
        client.webhooks.create({"url": "https://a.example"}, idempotency_key="LAB-1")
        keys = [one.headers["idempotency-key"] for one in server.seen]
        self.assertEqual(keys, [keys[0], keys[0], "LAB-1", keys[3], keys[3], "LAB-1"])
        self.assertEqual(len(set(keys)), 3)

    def test_two_creates_have_two_keys_and_a_given_key_is_sent(self) -> None:
        server = Server(reply(201, {"id": "o1"}))
        orders = server.client().orders
        for key in (None, None, "LAB-1"):
            orders.create(ORDER, idempotency_key=key)
        keys = [one.headers["idempotency-key"] for one in server.seen]
        self.assertEqual([len(set(keys)), keys[2]], [3, "LAB-1"])

    def test_retry_after_is_waited_for_also_by_a_write_that_is_not_repeated_otherwise(self) -> None:
        limited = failure(429, "RATE_LIMITED", retry_after="1")
        server = Server(limited, reply(200, {"id": "o1"}))
        begin = time.monotonic()
        server.client().orders.submit("o1")
        self.assertGreaterEqual(time.monotonic() - begin, 0.99)

    def test_a_write_that_could_have_an_effect_twice_is_sent_once(self) -> None:
        server = Server(CUT)
        with self.assertRaises(ConnectionFailedError):
            server.client().orders.submit("o1")
        self.assertEqual(len(server.seen), 1)

    def test_a_call_gives_up_after_its_attempts(self) -> None:
        server = Server(failure(503, "SERVICE_UNAVAILABLE", retry_after="0"))
        with self.assertRaises(ServerError):
            server.client().ping()
        self.assertEqual(len(server.seen), 4)

    def test_a_call_does_not_begin_a_wait_that_exceeds_its_total_time(self) -> None:
        server = Server(failure(429, "RATE_LIMITED", retry_after="60"))
        with self.assertRaises(RateLimitError) as caught:
            server.client(limits=Limits(total_timeout=5)).ping()
        self.assertEqual([caught.exception.retry_after, len(server.seen)], [60, 1])

    def test_a_timeout_is_an_error_of_its_own(self) -> None:
        with self.assertRaises(TimedOutError):
            Server(httpx.ReadTimeout("slow")).client(limits=Limits(attempts_max=1)).ping()

    def test_errors_have_the_class_of_their_status(self) -> None:
        details = {"order_id": "o7"}
        envelope = {"error": {"code": "DUPLICATE_EXTERNAL_ID", "message": "", "details": details}}
        with self.assertRaises(ConflictError) as caught:
            Server(reply(409, envelope, x_request_id="r1")).client().orders.create(ORDER)
        error = caught.exception
        self.assertEqual((error.code, error.details, error.request_id), ("DUPLICATE_EXTERNAL_ID", details, "r1"))
        entries = [{"loc": ["body", "sla"], "msg": "wrong", "type": "enum"}]
        with self.assertRaises(ValidationError) as invalid:
            Server(reply(422, {"detail": entries})).client().orders.create(ORDER)
        self.assertEqual(invalid.exception.errors, entries)
        html = httpx.Response(502, content=b"<html>")
        with self.assertRaises(ApiError) as foreign:
            Server(html).client(limits=Limits(attempts_max=1)).ping()
        self.assertEqual(foreign.exception.code, "UNEXPECTED_RESPONSE")
        with self.assertRaises(TransportOrdersError):
            Server(httpx.Response(200, content=b"<html>")).client().ping()

    def test_the_key_is_sent_and_never_shown(self) -> None:
        server = Server(failure(401, "INVALID_API_KEY"))
        client = server.client(user_agent="clinic/2.1")
        with self.assertRaises(AuthenticationError) as caught:
            client.orders.get("a/b?c")
        [request] = server.seen
        self.assertEqual(request.headers["authorization"], f"Bearer {KEY}")
        self.assertTrue(request.headers["user-agent"].endswith(" clinic/2.1"))
        self.assertEqual(request.url.raw_path, b"/api/partner/v1/orders/a%2Fb%3Fc")
        shown = repr(client) + repr(vars(client._http)) + repr(caught.exception)
        self.assertNotIn(KEY, shown)

    def test_a_key_that_cannot_be_sent_is_rejected(self) -> None:
        for key in ("", "svc_test_a\n"):
            with self.assertRaisesRegex(ValueError, "api_key"):
                Client(BASE_URL, key)


class Lists(unittest.TestCase):
    def test_a_poll_that_ends_early_is_repeated_from_its_start(self) -> None:
        first = {"data": [{"id": "a"}], "next_cursor": "c1", "as_of": "2026-03-02T08:00:00.000Z"}
        last = {"data": [{"id": "b"}], "next_cursor": None, "as_of": None}
        start = "2026-01-01T00:00:00Z"
        server = Server(reply(200, first), reply(200, last))
        changes = server.client().orders.changes(start)
        iterator = iter(changes)
        next(iterator)
        self.assertEqual(changes.next_updated_since, start)
        self.assertEqual([one["id"] for one in iterator], ["b"])
        self.assertEqual(changes.next_updated_since, first["as_of"])
        self.assertEqual(server.seen[1].url.params["cursor"], "c1")
        self.assertEqual(server.seen[1].url.params["updated_since"], start)


if __name__ == "__main__":
    unittest.main()

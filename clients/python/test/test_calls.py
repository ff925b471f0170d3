"""Calls against scripted responses; run by a test of the repository with the installed wheel."""

import json
import time
import unittest
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from typing import Any, cast

import anyio
import httpx
from partner_transport_orders import (
    ApiError,
    AsyncClient,
    AuthenticationError,
    BeyondFeedError,
    Client,
    ConflictError,
    ConnectionFailedError,
    Limits,
    NotSentError,
    RateLimitError,
    ServerError,
    TimedOutError,
    TransportOrdersError,
    ValidationError,
)
from partner_transport_orders.models import LocationCreate, OrderCreate

BASE_URL = "https://a.example/api/partner/v1"
ID = "01900000-0000-7000-8000-00000000000A"
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
        server.client().orders.submit(ID)
        self.assertGreaterEqual(time.monotonic() - begin, 0.99)

    def test_a_write_that_could_have_an_effect_twice_is_sent_once(self) -> None:
        server = Server(CUT)
        with self.assertRaises(ConnectionFailedError):
            server.client().orders.submit(ID)
        self.assertEqual(len(server.seen), 1)

    def test_an_advance_to_a_status_is_repeated_and_one_step_or_a_script_is_not(self) -> None:
        server = Server(CUT, reply(200, {"id": "o1"}))
        server.client().sandbox.advance(ID, to="SEALED")
        lost = Server(CUT)
        with self.assertRaises(ConnectionFailedError):
            lost.client().sandbox.advance(ID)
        with self.assertRaises(ConnectionFailedError):
            lost.client().sandbox.run_script(ID, [{"to": "SEALED", "after": "5s"}])
        sent = [(one.method, one.url.path, json.loads(one.content)) for one in server.seen + lost.seen]
        advance = f"/api/partner/v1/sandbox/orders/{ID}/advance"
        bodies = [{"to": "SEALED"}, {"to": "SEALED"}, {}, {"script": [{"to": "SEALED", "after": "5s"}]}]
        self.assertEqual(sent, [("POST", advance, body) for body in bodies])

    def test_a_link_is_created_once_and_the_end_of_all_links_is_repeated(self) -> None:
        lost = Server(CUT, reply(201, {"id": ID, "url": "https://portal.test/#ptl_x"}))
        with self.assertRaises(ConnectionFailedError):
            lost.client().portal_links.create({"read_only": True})
        self.assertEqual(lost.client().portal_links.create()["id"], ID)
        self.assertEqual([json.loads(seen.content) for seen in lost.seen], [{"read_only": True}, {}])
        ended = Server(CUT, httpx.Response(204))
        ended.client().portal_links.end_all()
        self.assertEqual([seen.method for seen in ended.seen], ["DELETE", "DELETE"])

    def test_an_order_is_created_with_the_headers_of_the_sandbox_and_without_them(self) -> None:
        server = Server(CUT, reply(201, {"id": "o1"}))
        orders = server.client().orders
        orders.create(ORDER, sandbox_courier="decline", sandbox_step="1s")
        orders.create(ORDER)
        names = ("x-sandbox-courier", "x-sandbox-step")
        sent = [tuple(one.headers.get(name) for name in names) for one in server.seen]
        self.assertEqual(sent, [("decline", "1s"), ("decline", "1s"), (None, None)])
        for step in ("", "1 s", "1s\r\nx: y", "ä"):
            with self.assertRaises(NotSentError):
                orders.create(ORDER, sandbox_step=step)
        self.assertEqual(len(server.seen), 3)

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
            client.orders.get("urn:uuid:" + ID)
        [request] = server.seen
        self.assertEqual(request.headers["authorization"], f"Bearer {KEY}")
        self.assertTrue(request.headers["user-agent"].endswith(" clinic/2.1"))
        self.assertEqual(request.url.raw_path, f"/api/partner/v1/orders/urn%3Auuid%3A{ID}".encode())
        shown = repr(client) + repr(vars(client._http)) + repr(caught.exception)
        self.assertNotIn(KEY, shown)

    def test_a_redirect_is_not_followed_so_the_key_goes_to_the_base_url_alone(self) -> None:
        for location in ("/elsewhere", "https://b.example/api/partner/v1/ping"):
            server = Server(httpx.Response(307, headers={"Location": location}), reply(200, {}))
            transport = httpx.MockTransport(server.respond)
            http = httpx.Client(transport=transport, follow_redirects=True)
            with self.assertRaises(ServerError):
                Client(BASE_URL, KEY, http_client=http).ping()
            self.assertEqual([one.url.host for one in server.seen], ["a.example"])


class NothingIsSentThatCannotArrive(unittest.TestCase):
    def refuses(self, call: Callable[[Client], object]) -> None:
        server = Server(reply(200, {"id": "o1", "data": []}))
        with self.assertRaises(NotSentError):
            call(server.client())
        self.assertEqual(server.seen, [])

    def test_options_that_no_header_can_hold_are_refused(self) -> None:
        for key in ("", "svc_test_a\n", "svc_test_ä"):
            with self.assertRaisesRegex(NotSentError, "api_key"):
                Client(BASE_URL, key)
        for agent in ("a\r\nx: y", "Universitätsklinikum", "clinic "):
            with self.assertRaisesRegex(NotSentError, "user_agent"):
                Client(BASE_URL, KEY, user_agent=agent)
        for idempotency_key in ("", "a b", "a\n", "é", "a" * 256):
            self.refuses(lambda client: client.orders.create(ORDER, idempotency_key=idempotency_key))

    def test_http_is_for_this_machine_unless_the_options_permit_more(self) -> None:
        for host in ("a.example", "127.0.0.1.evil.example", "localhost.evil.example", "[::2]", "10.0.0.1:8080"):
            with self.assertRaisesRegex(NotSentError, "base_url"):
                Client(f"http://{host}/api", KEY)
            Client(f"http://{host}/api", KEY, allow_insecure=True).close()
        for url in ("file:///etc", "a.example", "https://a:b@a.example", "http://localhost@a.example", "https://a.example?x"):
            with self.assertRaisesRegex(NotSentError, "base_url"):
                Client(url, KEY, allow_insecure=True)
        for host in ("localhost:8080", "127.0.0.1:8080", "127.9.8.7", "[::1]:8080"):
            Client(f"http://{host}/api", KEY).close()

    def test_only_uuids_are_ids(self) -> None:
        other = ID.replace("A", "b")
        wrong = ("..", ".", "", "a/b?c", "o1", ID[1:], ID + "0", ID + "\n", "{" + ID, "{urn:uuid:" + ID + "}", None)
        right = (ID, ID.lower(), ID.replace("-", ""), "{" + ID + "}", "urn:uuid:" + ID)
        server = Server(reply(200, {"id": "o1", "data": []}))
        for given in (*wrong, *right):
            id = cast(str, given)
            calls: "list[Callable[[Client], object]]" = [
                lambda client: client.orders.get(id),
                lambda client: client.orders.cancel(id, reason="because"),
                lambda client: client.orders.submit(id),
                lambda client: client.orders.events(id),
                lambda client: client.orders.custody(id),
                lambda client: client.orders.custody_proof(id),
                lambda client: client.orders.certificate(id),
                lambda client: client.orders.epcis(id),
                lambda client: client.orders.fhir(id),
                lambda client: client.orders.artifact(id, "ab" * 32),
                lambda client: client.orders.record_condition(id, cast(Any, {})),
                lambda client: client.sandbox.advance(id, to="SEALED"),
                lambda client: client.sandbox.run_script(id, []),
                lambda client: client.sandbox.steps(id),
                lambda client: client.webhooks.get(id),
                lambda client: client.webhooks.update(id, {}),
                lambda client: client.webhooks.delete(id),
                lambda client: client.webhooks.verify(id),
                lambda client: client.webhooks.test(id),
                lambda client: client.webhooks.rotate_secret(id),
                lambda client: client.webhooks.recover(id, since="2026-01-01T00:00:00Z"),
                lambda client: list(client.webhooks.deliveries.list(id)),
                lambda client: client.webhooks.deliveries.get(id, other),
                lambda client: client.webhooks.deliveries.get(other, id),
                lambda client: client.webhooks.deliveries.replay(id, other),
                lambda client: client.webhooks.deliveries.replay(other, id),
            ]
            for call in calls:
                if given in right:
                    call(server.client())
                else:
                    self.refuses(call)
        self.assertEqual(len(server.seen), len(right) * len(calls))

    def test_a_body_that_json_cannot_hold_is_refused(self) -> None:
        cyclic: "dict[str, Any]" = {}
        cyclic["self"] = cyclic
        deep: "list[Any]" = []
        for _ in range(100_000):
            deep = [deep]
        values = (float("nan"), float("inf"), {1}, b"a", object(), date(2030, 1, 1), datetime(2030, 1, 1), cyclic, deep, "\ud800")
        for value in values:
            self.refuses(lambda client: client.orders.create(cast(OrderCreate, {**ORDER, "notes": value})))

    def test_a_datetime_with_an_offset_is_sent_as_iso_8601(self) -> None:
        server = Server(reply(201, {"id": "o1"}))
        start = datetime(2030, 1, 1, 9, tzinfo=timezone(timedelta(hours=1)))
        server.client().orders.create(cast(OrderCreate, {**ORDER, "pickup_window_start": start}))
        sent = json.loads(server.seen[0].content)
        self.assertEqual(sent, {**ORDER, "pickup_window_start": "2030-01-01T09:00:00+01:00"})
        self.assertEqual(server.seen[0].headers["content-type"], "application/json")

    def test_a_filter_that_is_no_text_and_a_time_without_an_offset_are_refused(self) -> None:
        self.refuses(lambda client: list(client.orders.list(external_id="\ud800")))
        self.refuses(lambda client: client.orders.changes(datetime(2030, 1, 1)))
        self.refuses(lambda client: client.webhooks.recover(ID, since=cast(str, date(2030, 1, 1))))


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

    def test_a_list_ends_with_an_error_when_the_server_repeats_a_cursor(self) -> None:
        lists: "list[Callable[[Client], Any]]" = [
            lambda client: client.orders.list(),
            lambda client: client.orders.list().pages(),
            lambda client: client.orders.changes("2026-01-01T00:00:00Z"),
            lambda client: client.webhooks.deliveries.list(ID),
        ]
        for cursors in (["c1", "c1"], ["c1", "c2", "c3", "c1"]):
            pages = [reply(200, {"data": [{"id": "a"}], "next_cursor": cursor}) for cursor in cursors]
            for listed in lists:
                server = Server(*pages, failure(500, "INTERNAL"))
                with self.assertRaisesRegex(TransportOrdersError, "repeats next_cursor"):
                    list(listed(server.client()))
                self.assertEqual(len(server.seen), len(cursors))


def events(*numbers: int) -> httpx.Response:
    data = [{"number": number} for number in numbers]
    return reply(200, {"data": data, "next_after": 0, "has_more": False, "as_of": "", "checkpoint": None})


class Events(unittest.TestCase):
    def follow(self, server: Server, most: int, after: int = 0, **options: Any) -> "list[int]":
        numbers: "list[int]" = []
        for event in server.client().follow_events(after=after, **options):
            numbers.append(event["number"])
            if len(numbers) == most:
                break
        return numbers

    def afters(self, server: Server) -> "list[str]":
        return [one.url.params["after"] for one in server.seen]

    def test_follows_from_the_stored_number_and_asks_to_wait(self) -> None:
        server = Server(events(8, 9), events(10), events(11))
        self.assertEqual(self.follow(server, 4, after=7), [8, 9, 10, 11])
        self.assertEqual(self.afters(server), ["7", "9", "10"])
        self.assertEqual(server.seen[0].url.params["wait"], "25")

    def test_sends_the_feed_of_the_stored_number_with_each_page(self) -> None:
        server = Server(events(8), events(9), events())
        self.assertEqual(self.follow(server, 2, after=7, feed="f00"), [8, 9])
        server.client().list_events(after=9, feed="f00")
        self.assertEqual([one.url.params["feed"] for one in server.seen], ["f00"] * 3)

    def test_the_asynchronous_client_does_the_same(self) -> None:
        server = Server(events(1), CUT, events(2))

        async def follow() -> "list[int]":
            http = httpx.AsyncClient(transport=httpx.MockTransport(server.respond_later))
            numbers: "list[int]" = []
            async with AsyncClient(BASE_URL, KEY, http_client=http) as client:
                async for event in client.follow_events():
                    numbers.append(event["number"])
                    if len(numbers) == 2:
                        break
            return numbers

        self.assertEqual(anyio.run(follow), [1, 2])
        self.assertEqual(self.afters(server), ["0", "1", "1"])

    def test_continues_at_its_position_after_errors(self) -> None:
        away = failure(503, "SERVICE_UNAVAILABLE", retry_after="0")
        server = Server(events(1, 2), CUT, away, events(3), CUT, events(4))
        self.assertEqual(self.follow(server, 4), [1, 2, 3, 4])
        self.assertEqual(self.afters(server), ["0", "2", "2", "2", "3", "3"])

    def test_ends_with_an_error_and_a_new_iteration_resumes(self) -> None:
        server = Server(events(1, 2), CUT, events(3))
        numbers: "list[int]" = []
        with self.assertRaises(ConnectionFailedError):
            for event in server.client().follow_events(limits=Limits(attempts_max=1)):
                numbers.append(event["number"])
        self.assertEqual(numbers + self.follow(server, 1, after=numbers[-1]), [1, 2, 3])

    def test_pauses_after_an_early_empty_page(self) -> None:
        server = Server(events(), events(1))
        begin = time.monotonic()
        self.assertEqual(self.follow(server, 1), [1])
        self.assertGreaterEqual(time.monotonic() - begin, 0.99)

    def test_a_position_beyond_the_feed_is_an_error_at_once_with_the_newest_number(self) -> None:
        entry = {"loc": ["query", "after"], "msg": "beyond the feed", "type": "x"}
        for read in (lambda api: list(api.follow_events(after=9)), lambda api: api.list_events(after=9)):
            server = Server(reply(422, {"detail": [{**entry, "ctx": {"newest": 5}}]}), events(1))
            with self.assertRaisesRegex(BeyondFeedError, "begin after 0 for all events, or after 5") as caught:
                read(server.client())
            self.assertEqual((caught.exception.newest, len(server.seen)), (5, 1))
        for ctx in ({"ge": 0}, {"le": 2**53 - 1}):
            with self.assertRaises(ValidationError) as other:
                Server(reply(422, {"detail": [{**entry, "ctx": ctx}]})).client().list_events()
            self.assertNotIsInstance(other.exception, BeyondFeedError)

    def test_a_gap_and_a_repetition_are_errors(self) -> None:
        for numbers in ((1, 3), (2,), (1, 1)):
            with self.assertRaises(TransportOrdersError):
                self.follow(Server(events(*numbers)), 3)


if __name__ == "__main__":
    unittest.main()

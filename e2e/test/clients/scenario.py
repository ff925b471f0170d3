"""What a partner does with the Python client; prints what a test compares, as JSON."""

import json
import os
import threading
import time
from typing import Any

import anyio
from partner_transport_orders import (
    ApiError,
    AsyncClient,
    Client,
    Limits,
)
from partner_transport_orders.models import OrderCreate

API, KEY = os.environ["API"], os.environ["KEY"]


def order(external_id: str) -> OrderCreate:
    return {
        "external_id": external_id,
        "pickup": {"address_text": "Charitéplatz 1, 10117 Berlin"},
        "dropoff": {"address_text": "Marienplatz 1, 80331 München"},
        "pickup_window_start": "2030-01-01T08:00:00Z",
    }


def fault(call: Any) -> "dict[str, Any]":
    try:
        call()
    except ApiError as error:
        return {"class": type(error).__name__, "code": error.code, "id": bool(error.request_id)}
    return {}


def moved_by_the_courier(client: Client) -> "dict[str, Any]":
    plain = client.orders.create(order("PY-ADVANCED"))["id"]
    one = client.sandbox.advance(plain)["status"]
    sealed = client.sandbox.advance(plain, to="SEALED")["status"]
    client.sandbox.run_script(plain, [{"incident": "The box was dropped."}, {"to": "DELIVERED"}])
    auto = client.orders.create(order("PY-AUTO"), sandbox_courier="decline", sandbox_step="0s")["id"]
    states = []
    for id in (plain, auto):
        end = time.monotonic() + 60
        while True:
            steps = client.sandbox.steps(id)
            run = steps["run"]
            if run is None or run["state"] != "running" or time.monotonic() > end:
                break
            time.sleep(0.1)
        states.append([steps["status"], run and [run["plan"], run["state"]]])
    return {"one": one, "sealed": sealed, "states": states}


async def listed_asynchronously() -> "list[str]":
    async with AsyncClient(API, KEY) as client:
        return [one["id"] async for one in client.orders.list(limit=2)]


with Client(os.environ["LOSSY_API"], KEY) as lossy:
    lost = lossy.orders.create(order("PY-LOST"))

with Client(API, KEY) as client, Client(API, os.environ["SLOW_KEY"], limits=Limits(attempts_max=1)) as slow:
    start = client.orders.changes(lost["created_at"])
    seen = {one["id"] for one in start}
    created: "list[str]" = []

    def create_some() -> None:
        for n in range(6):
            created.append(client.orders.create(order(f"PY-{n}"))["id"])

    creating = threading.Thread(target=create_some)
    creating.start()
    since = start.next_updated_since
    while True:
        done = not creating.is_alive()
        changes = client.orders.changes(since, limit=2)
        seen |= {one["id"] for one in changes}
        since = changes.next_updated_since
        if done:
            break
    moved = moved_by_the_courier(client)
    # one write a minute: of two at least one, and not the second if the key wrote 59 s ago
    limited = [fault(lambda: slow.orders.submit(lost["id"])) for _ in range(2)]
    pages = [len(page) for page in client.orders.list(limit=2).pages()]
    print(json.dumps({
        "one_order": [one["id"] for one in client.orders.list(external_id="PY-LOST")] == [lost["id"]],
        "missed": sorted(set(created) - seen),
        "created": len(created),
        "listed": sorted(one["id"] for one in client.orders.list(limit=2)),
        "listed_asynchronously": sorted(anyio.run(listed_asynchronously)),
        "moved": moved,
        "full_pages": all(size == 2 for size in pages[:-1]),
        "cancelled": client.orders.cancel(lost["id"], reason="Not needed")["status"],
        "not_found": fault(lambda: client.orders.get("01900000-0000-7000-8000-000000000000")),
        "invalid": fault(lambda: client.orders.create(order(""))),
        "conflict": fault(lambda: client.orders.create(order("PY-0"))),
        "limited": next((one for one in limited if one["code"] == "RATE_LIMITED"), limited),
    }))

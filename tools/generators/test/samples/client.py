"""Uses a client of openapi-python-client; executed by a test."""
from transport.api.orders import create_order
from transport.models import ApiError, CustodyEntry, KnownOrderStatus, Order, OrderCreate, ValidationError

order = OrderCreate.from_dict({
    "pickup": {"location_id": "018f4e90-1c5d-7a2e-b6f4-3d8e9a0b1c11"},
    "dropoff": {"address": {"street": "Am Kanal 5", "zip": "14467", "city": "Potsdam"}},
    "pickup_window_start": "2026-03-02T08:00:00Z",
})
assert "sla" not in order.to_dict()  # members with a default may be absent
assert order.dropoff.address.city == "Potsdam"

def reaction(found):
    if isinstance(found, ValidationError):
        return f"{found.detail[0].loc}: {found.detail[0].ctx['error']}"
    if isinstance(found, ApiError):
        if found.error.code == "DUPLICATE_EXTERNAL_ID":
            return "use order " + found.error.details["order_id"]
        return "unknown code " + found.error.code
    return found.id

def parsed(status, body):
    import httpx
    from transport import Client
    client = Client(base_url="https://a.example", headers={"Authorization": "Bearer key"})
    client.set_httpx_client(httpx.Client(
        base_url="https://a.example",
        transport=httpx.MockTransport(lambda _: httpx.Response(status, json=body)),
    ))
    return create_order.sync(client=client, body=order)

duplicate = {"code": "DUPLICATE_EXTERNAL_ID", "message": "", "details": {"order_id": "o1"}}
assert reaction(parsed(409, {"error": duplicate})) == "use order o1"
assert reaction(parsed(409, {"error": {"code": "NEW_CODE", "message": ""}})) == "unknown code NEW_CODE"
invalid = {"loc": ["body", "sla"], "msg": "", "type": "enum", "ctx": {"error": "e"}}
assert reaction(parsed(422, {"detail": [invalid]})) == "['body', 'sla']: e"

common = {"id": "018f4e9c-2b7a-7c31-9d55-4a1e0f6b8c22", "sla": "NIGHT", "created_at": "2026-03-02T08:00:00Z"}
assert Order.from_dict({**common, "status": "PAUSED"}).status == "PAUSED"  # an unknown value
assert Order.from_dict({**common, "status": "SEALED"}).status == KnownOrderStatus.SEALED

entry = CustodyEntry.from_dict({
    "id": common["id"], "type": "order.sealed", "internal_type": "SEAL_APPLIED",
    "ts_utc": "2026-01-15T09:30:00.000Z", "prev_event_hash": "", "event_hash": "",
    "payload": {"seal_ids": ["S-1"]},
})
assert entry.payload["seal_ids"] == ["S-1"]

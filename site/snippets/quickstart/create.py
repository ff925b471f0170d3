import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

order = {
    "external_id": "LAB-2026-000101",
    "pickup": {"address_text": "Charitéplatz 1, 10117 Berlin"},
    "dropoff": {"address_text": "Marienplatz 1, 80331 München"},
    "pickup_window_start": "2030-01-01T08:00:00Z",
    "sla": "EXPRESS",
    "items": [{"goods_type": "blood"}],
}
request = Request(
    os.environ["API"] + "/orders",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "LAB-2026-000101",
    },
)
try:
    with urlopen(request) as response:
        created = json.load(response)
        replayed = response.headers.get("Idempotency-Replayed", "false")
except HTTPError as error:
    raise SystemExit(f"{error.code}: {error.read().decode()}")
print(created["id"], created["status"], "replayed: " + replayed)

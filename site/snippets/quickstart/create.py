import json, os
from urllib.request import Request, urlopen

order = {
    "external_id": "LAB-2026-000417",
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
        "Idempotency-Key": "LAB-2026-000417",
    },
)
with urlopen(request) as response:  # raises HTTPError if the response is an error
    created = json.load(response)
print(created["id"], created["status"])

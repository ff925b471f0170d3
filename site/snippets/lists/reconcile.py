import json, os
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

STATE_FILE = Path("last-poll.txt")


def page(**parameters):
    """Returns a page of orders."""
    url = os.environ["API"] + "/orders?" + urlencode(parameters)
    request = Request(url, headers={"Authorization": "Bearer " + os.environ["KEY"]})
    with urlopen(request, timeout=10) as response:
        return json.load(response)


since = (STATE_FILE.read_text() if STATE_FILE.exists() else "") or "2026-01-01T00:00:00Z"
first = current = page(updated_since=since, limit=100)
changed = {}  # your own record of the orders, by id
while True:
    for order in current["data"]:
        changed[order["id"]] = order  # an order can come again
    if current["next_cursor"] is None:
        break
    current = page(updated_since=since, limit=100, cursor=current["next_cursor"])
NEXT_FILE = STATE_FILE.with_suffix(".next")
NEXT_FILE.write_text(first["as_of"])  # only after every page was processed
NEXT_FILE.replace(STATE_FILE)  # complete or not at all
print(f"{len(changed)} orders changed; the next poll starts at {first['as_of']}")

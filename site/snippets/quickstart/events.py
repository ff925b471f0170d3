import json, os
from urllib.request import Request, urlopen

url = f"{os.environ['API']}/orders/{os.environ['ORDER_ID']}/events"
with urlopen(Request(url, headers={"Authorization": "Bearer " + os.environ["KEY"]})) as response:
    for entry in json.load(response):
        print(entry["ts_utc"], entry["type"], entry["event_hash"][:12])

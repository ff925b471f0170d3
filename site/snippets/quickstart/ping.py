import json, os
from urllib.request import Request, urlopen

headers = {"Authorization": "Bearer " + os.environ["KEY"]}
with urlopen(Request(os.environ["API"] + "/ping", headers=headers)) as response:
    print(response.status, json.load(response))

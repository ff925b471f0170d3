"""Judges vectors on its input by the installed package; prints the names of wrong verdicts."""

import base64
import json
import sys
from typing import Any

from partner_transport_orders import WebhookRefused, verify_proof, verify_webhook


def delivery(vector: "dict[str, Any]") -> bool:
    given, wanted = vector["input"], vector["expect"]
    body = given["body"]
    raw = body.encode() if isinstance(body, str) else base64.b64decode(body["base64"])
    try:
        verify_webhook(raw, given["header"], given["secrets"], now=given["now"])
    except WebhookRefused as refused:
        return bool(refused.reason == wanted.get("reason"))
    return bool(wanted["valid"])


def proof(vector: "dict[str, Any]") -> bool:
    given, wanted = vector["input"], vector["expect"]
    file, witnesses = given["file"], given.get("witnesses") or {}
    text = file if isinstance(file, str) else json.dumps(file)
    verdict = verify_proof(
        text,
        trusted_keys=given.get("trusted_keys") or [],
        witnesses=witnesses.get("vkeys"),
        quorum=witnesses.get("quorum"),
    )
    return bool(verdict.verdict == wanted["verdict"])


asked = json.load(sys.stdin)
wrong = [one["name"] for one in asked["deliveries"] if not delivery(one)]
wrong += [one["name"] for one in asked["proofs"] if not proof(one)]
print(json.dumps(wrong))

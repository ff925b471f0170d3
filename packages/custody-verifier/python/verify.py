"""Checks a custody-proof/1: python3 verify.py proof.json. Needs the package rfc8785, and
cryptography for the signature. Of the file's form it checks only what the proof rests on."""
import base64, hashlib, json, sys
import rfc8785

RULE = 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))'
sha = lambda data: hashlib.sha256(data).digest()
jcs_hash = lambda value: sha(rfc8785.dumps(value)).hex()
number = lambda text: int(text) if abs(int(text)) < 2**53 else float(text)

def check(what, holds):
    if not holds:
        raise ValueError(what)

def unbase64(text):
    data = base64.b64decode(text, validate=True)
    check("base64 in another spelling", base64.b64encode(data).decode() == text)
    return data

def verify(text):
    proof = json.loads(text, parse_int=number)
    order, entries, log = proof["order_id"], proof["entries"], proof["log"]
    head = jcs_hash({"v": "custody-genesis/1", "order_id": order})
    check("genesis", proof["v"] == "custody-proof/1" and proof["genesis"] == {"rule": RULE, "hash": head})
    for n, entry in enumerate(entries, 1):
        check(f"entry {n} does not follow", entry["prev_event_hash"] == head)
        head = entry.pop("event_hash")
        check(f"entry {n}", head == jcs_hash({**entry, "v": "custody-event/1", "order_id": order}))
    check("an id twice, or no entries", 0 < len(entries) == len({entry["id"] for entry in entries}))
    check("count", proof["count"] == len(entries))
    check("head_hash", proof["head_hash"] == head)
    if log is None:
        return ["chain", "not in the log yet"]
    node, last, root = log["leaf_index"], log["tree_size"] - 1, sha(b"\0" + bytes.fromhex(head))
    check("log.inclusion: no such leaf", 0 <= node <= last)
    for beside in map(unbase64, log["inclusion"]):
        check("log.inclusion: too long", last > 0)
        left = node % 2 == 1 or node == last
        root = sha(b"\1" + beside + root) if left else sha(b"\1" + root + beside)
        while left and node % 2 == 0 and node > 0:
            node, last = node // 2, last // 2
        node, last = node // 2, last // 2
    text, signatures = log["checkpoint"].rsplit("\n\n", 1)
    origin, size, signed_root = text.split("\n")[:3]
    check("log.inclusion: another root", last == 0 and unbase64(signed_root) == root)
    check("log.checkpoint: another log", [origin, size] == [log["origin"], str(log["tree_size"])])
    return ["chain", "inclusion", signature(text + "\n", signatures, origin, proof["keys"])]

def signature(text, lines, origin, keys):
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return "signature not checked: the package cryptography is missing"
    for name, key_id, key in (key["vkey"].split("+", 2) for key in keys):
        key = unbase64(key)
        if name == origin and sha(name.encode() + b"\n" + key)[:4].hex() == key_id and key[0] == 1:
            for _, signer, signed in (line.split(" ") for line in lines.splitlines()):
                if signer == name and unbase64(signed)[:4].hex() == key_id:
                    Ed25519PublicKey.from_public_bytes(key[1:]).verify(unbase64(signed)[4:], text.encode())
                    return "signature, by a key that the file itself brings"
    raise ValueError("log.checkpoint: no signature by a known key")

if __name__ == "__main__":
    try:
        print("valid:", "; ".join(verify(open(sys.argv[1], encoding="utf-8").read())))
    except Exception as error:
        sys.exit(f"not valid: {type(error).__name__} {error}")

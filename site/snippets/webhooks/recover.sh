set -eu
since=${SINCE:-2026-03-01T00:00:00Z} # before the outage began
while [ "$since" != null ]; do
  curl -sS --fail-with-body -o recovery.json -X POST "$API/webhooks/$ENDPOINT_ID/recover" \
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
    -d "{\"since\":\"$since\"}" || { echo "continue from $since:"; cat recovery.json; exit 1; }
  jq -r '"\(.queued) queued, up to \(.until)"' recovery.json
  since=$(jq -r .next_since recovery.json)
done

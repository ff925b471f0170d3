since=${SINCE:-2026-03-01T00:00:00Z} # before the outage began
while [ "$since" != null ]; do
  body=$(curl -sS --fail-with-body -X POST "$API/webhooks/$ENDPOINT_ID/recover" \
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
    -d "{\"since\":\"$since\"}") || { echo "continue from $since: $body"; break; }
  echo "$body" | jq -r '"\(.queued) queued, up to \(.until)"'
  since=$(echo "$body" | jq -r .next_since)
done

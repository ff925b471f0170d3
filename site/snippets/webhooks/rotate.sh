curl --fail-with-body -X POST "$API/webhooks/$ENDPOINT_ID/secret/rotate" \
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"overlap": 86400}'

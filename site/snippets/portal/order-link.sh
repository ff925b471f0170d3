curl --fail-with-body -X POST "$API/orders/$ORDER_ID/links" \
  -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: application/json' \
  -d '{"side": "dropoff"}'

curl --fail-with-body -X POST "$API/orders/$ORDER_ID/cancel" \
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"reason": "The donor was not available."}'

curl --fail-with-body -X POST "$API/sandbox/orders/$ORDER_ID/advance" \
  -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "script": [
      { "to": "SEALED", "after": "1s" },
      { "incident": "The box was dropped." },
      { "to": "CLOSED", "after": "10s" }
    ]
  }'

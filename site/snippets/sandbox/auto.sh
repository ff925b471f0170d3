curl -i --fail-with-body -X POST "$API/orders" \
  -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: application/json' \
  -H 'X-Sandbox-Courier: auto' \
  -H 'X-Sandbox-Step: 1s' \
  -d '{
    "pickup": {"address_text": "Charitéplatz 1, 10117 Berlin"},
    "dropoff": {"address_text": "Marienplatz 1, 80331 München"},
    "pickup_window_start": "2030-01-01T08:00:00Z",
    "items": [{"goods_type": "blood"}]
  }'

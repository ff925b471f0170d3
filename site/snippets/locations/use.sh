curl --fail-with-body -X POST "$API/orders" \
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{
    "pickup": {"location_id": "'"$LOCATION_ID"'"},
    "dropoff": {"address_text": "Marienplatz 1, 80331 München"},
    "pickup_window_start": "2030-01-01T08:00:00Z"
  }'

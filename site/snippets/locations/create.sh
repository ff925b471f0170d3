curl --fail-with-body -X POST "$API/locations" \
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{
    "label": "Blood bank, gate 2",
    "street": "Lindenallee 12",
    "zip": "10117",
    "city": "Berlin",
    "contact_name": "Reception"
  }'

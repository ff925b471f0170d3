curl --fail-with-body -i "$API/ping" -H "Authorization: Bearer $KEY"

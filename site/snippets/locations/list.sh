curl --fail-with-body "$API/locations" -H "Authorization: Bearer $KEY"

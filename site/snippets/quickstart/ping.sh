curl --fail-with-body "$API/ping" -H "Authorization: Bearer $KEY"

curl --fail-with-body "$API/requests?status=4xx&limit=20" -H "Authorization: Bearer $KEY"

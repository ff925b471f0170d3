curl --fail-with-body "$API/orders?status=SUBMITTED&limit=20" -H "Authorization: Bearer $KEY"

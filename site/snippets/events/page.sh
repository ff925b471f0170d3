curl --fail-with-body "$API/events?after=0&limit=10" -H "Authorization: Bearer $KEY"

curl --fail-with-body "$API/orders/$ORDER_ID/events" -H "Authorization: Bearer $KEY"

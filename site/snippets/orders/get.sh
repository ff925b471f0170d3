curl --fail-with-body "$API/orders/$ORDER_ID" -H "Authorization: Bearer $KEY"

curl --fail-with-body "$API/sandbox/orders/$ORDER_ID/steps" -H "Authorization: Bearer $KEY"

curl --fail-with-body "$API/requests?request_id=$REQUEST_ID" -H "Authorization: Bearer $KEY"

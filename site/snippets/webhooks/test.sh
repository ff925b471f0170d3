curl --fail-with-body -X POST "$API/webhooks/$ENDPOINT_ID/test" -H "Authorization: Bearer $KEY"

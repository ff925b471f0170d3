curl --fail-with-body -X POST "$API/webhooks/$ENDPOINT_ID/verify" -H "Authorization: Bearer $KEY"

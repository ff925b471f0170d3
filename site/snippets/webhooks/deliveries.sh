curl --fail-with-body "$API/webhooks/$ENDPOINT_ID/deliveries?state=EXHAUSTED" \
  -H "Authorization: Bearer $KEY"

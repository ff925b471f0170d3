curl --fail-with-body -X POST "$API/webhooks" \
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"url": "'"$RECEIVER_URL"'"}'

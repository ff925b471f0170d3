curl --fail-with-body "$API/orders?updated_since=2026-03-01T00:00:00Z" \
  -H "Authorization: Bearer $KEY"

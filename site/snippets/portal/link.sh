curl --fail-with-body -X POST "$API/portal-links" \
  -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: application/json' \
  -d '{"scopes": ["orders:read"], "read_only": true, "expires_in": 3600}'

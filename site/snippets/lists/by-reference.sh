curl --fail-with-body "$API/orders?external_id=LAB-2026-000101" -H "Authorization: Bearer $KEY"

curl --fail-with-body "$API/orders?external_id=LAB-2026-000417" -H "Authorization: Bearer $KEY"

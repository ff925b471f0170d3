curl --fail-with-body -X POST "$API/orders/$DRAFT_ID/submit" -H "Authorization: Bearer $KEY"

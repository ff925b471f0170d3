curl --fail-with-body -i -X DELETE "$API/portal-links" -H "Authorization: Bearer $KEY"

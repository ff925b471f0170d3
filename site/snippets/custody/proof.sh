curl --fail-with-body -o proof.json "$API/orders/$ORDER_ID/custody/proof" -H "Authorization: Bearer $KEY"

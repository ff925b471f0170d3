npx --no pto proof "$ORDER_ID" --keys keys.json

npx --no-install pto proof "$ORDER_ID" --keys keys.json

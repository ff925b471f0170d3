printf '%s' "$KEY" | npx pto login --base-url "$API"
npx pto ping

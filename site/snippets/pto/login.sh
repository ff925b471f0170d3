printf '%s' "$KEY" | npx --no pto login --base-url "$API"
npx --no pto ping

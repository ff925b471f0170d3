printf '%s' "$KEY" | npx --no-install pto login --base-url "$API"
npx --no-install pto ping

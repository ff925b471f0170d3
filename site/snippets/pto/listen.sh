npx --no-install pto listen --forward-to "$RECEIVER_URL" --expect order.sealed,order.closed --timeout 2m

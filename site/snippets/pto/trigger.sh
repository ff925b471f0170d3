npx --no-install pto trigger order.closed

npx --no pto trigger order.closed

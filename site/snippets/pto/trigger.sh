npx pto trigger order.closed

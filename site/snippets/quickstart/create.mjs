const response = await fetch(`${process.env.API}/orders`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${process.env.KEY}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'LAB-2026-000101',
  },
  body: JSON.stringify({
    external_id: 'LAB-2026-000101',
    pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
    dropoff: { address_text: 'Marienplatz 1, 80331 München' },
    pickup_window_start: '2030-01-01T08:00:00Z',
    sla: 'EXPRESS',
    items: [{ goods_type: 'blood' }],
  }),
});
const order = await response.json();
if (!response.ok) throw new Error(JSON.stringify(order));
const replayed = response.headers.get('Idempotency-Replayed') ?? 'false';
console.log(order.id, order.status, `replayed: ${replayed}`);

const { API, KEY, ENDPOINT_ID } = process.env;

let since = new Date(Date.now() - 24 * 3_600_000).toISOString(); // begin before the outage
let queued = 0;
while (since !== null) {
  const response = await fetch(`${API}/webhooks/${ENDPOINT_ID}/recover`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ since }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`continue from ${since}: ${JSON.stringify(body)}`);
  queued += body.queued;
  since = body.next_since;
}
console.log(`${queued} events are sent again`);

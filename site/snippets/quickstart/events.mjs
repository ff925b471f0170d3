const { API, KEY, ORDER_ID } = process.env;
const response = await fetch(`${API}/orders/${ORDER_ID}/events`, {
  headers: { Authorization: `Bearer ${KEY}` },
});
for (const entry of await response.json())
  console.log(entry.ts_utc, entry.type, entry.event_hash.slice(0, 12));

import { readFile, rename, writeFile } from 'node:fs/promises';

const stateFile = 'last-poll.txt';

/** Returns a page of orders. */
const page = async (parameters) => {
  const response = await fetch(`${process.env.API}/orders?${new URLSearchParams(parameters)}`, {
    headers: { Authorization: `Bearer ${process.env.KEY}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
};

const stored = await readFile(stateFile, 'utf8').catch(() => '');
const since = stored || '2026-01-01T00:00:00Z';
const first = await page({ updated_since: since, limit: '100' });
let { data, next_cursor: cursor } = first;
const changed = new Map(); // your own record of the orders, by id
while (true) {
  for (const order of data) changed.set(order.id, order); // an order can come again
  if (cursor === null) break;
  ({ data, next_cursor: cursor } = await page({ updated_since: since, limit: '100', cursor }));
}
await writeFile(`${stateFile}.next`, first.as_of); // only after every page was processed
await rename(`${stateFile}.next`, stateFile); // complete or not at all
console.log(`${changed.size} orders changed; the next poll starts at ${first.as_of}`);

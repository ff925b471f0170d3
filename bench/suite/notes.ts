/** What one side of a ratio does and the other does not, and what is missing. */
const express = 'Express checks no key, limits nothing, calls no other process and logs nothing.';

export const notes: Readonly<Record<string, string>> = {
  R1: express,
  R2: 'pgbench sends its statements without HTTP and publishes no event.',
  R3: 'BullMQ has no order for each order and endpoint, no slots, no judged addresses and no health. Unsynced, its Redis loses what it acknowledged when it dies: no goal is set for that. graphile-worker, Outpost and Convoy are not measured.',
  R4: 'From the request to the received webhook. The other side is measured with OUTPOST=FOLDER: Outpost publishes an event where ours creates an order, and keeps no ledger; the ratio is that of the p95, to reach 0.5. Convoy is not measured.',
  R5: 'The registries of this project do not offer immudb. PostgreSQL stands in for it: it inserts a row in a synced commit, and does not hash, chain, sign, log or announce it. The goal of 4 is set against immudb and does not apply.',
  R6: 'The other side only hashes.',
  R7: 'Both gateways run from the sources on one local stack. The limits of bytes and of concurrent requests stay on both sides.',
  R9: 'kafkajs reads no rows, marks none as sent and holds no lease.',
  R10: '1,000,000 orders by default instead of the 10,000,000 of the rule (ROWS=10000000), and shorter samples. The log does not contain the filled entries, and the auditor is suspended.',
  R11: 'Both sides are the local stack. The response bodies are equal. One key is replayed: orders has its response in the cache, and reads the order of a GET each time.',
  R12: `${express} Its page has no cursor.`,
};

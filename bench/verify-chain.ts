/**
 * R6: verification of 100,000 entries against SHA-256 over the same bytes, one core.
 * `node bench/verify-chain.ts`
 */
import { hash, randomUUID } from 'node:crypto';
import {
  type ChainEntry,
  entryHash,
  entryText,
  genesisHash,
  verifyChain,
} from '@pto/custody-verifier';
import { compare } from './measuring/ratio.ts';

const [chains, perChain] = [1000, 100];

/** Entries as an order's life leaves them, positions and payloads included. */
const chainOf = (orderId: string): ChainEntry[] => {
  const entries: ChainEntry[] = [];
  let head = genesisHash(orderId);
  for (let n = 0; n < perChain; n++) {
    const entry = {
      id: randomUUID(),
      type: 'order.sealed',
      internal_type: 'SEAL_APPLIED',
      ts_utc: new Date(Date.UTC(2026, 0, 15, 9, 30, n)).toISOString(),
      gps_lat: n % 2 ? 52.520008 : null,
      gps_lng: n % 2 ? 13.404954 : null,
      payload: n % 3 ? { seal_ids: [`S-${n}`, `S-${n}-b`], temperature: 4.5 } : null,
      prev_event_hash: head,
    };
    head = entryHash(orderId, entry);
    entries.push({ ...entry, event_hash: head });
  }
  return entries;
};

const held = Array.from({ length: chains }, () => {
  const orderId = randomUUID();
  return { orderId, entries: chainOf(orderId) };
});
// as bytes, so that nobody has to make them
const texts = held.flatMap(({ orderId, entries }) =>
  entries.map((entry) => Buffer.from(entryText(orderId, entry))),
);
await compare(
  'R6: verification of chains against SHA-256 over the same bytes',
  {
    name: 'verifyChain',
    round: () => {
      for (const { orderId, entries } of held) verifyChain(orderId, entries);
      return { operations: texts.length };
    },
  },
  {
    name: 'SHA-256',
    round: () => {
      for (const text of texts) hash('sha256', text, 'buffer');
      return { operations: texts.length };
    },
  },
);

/** `ledger verify --order`: one order's entries against the signed log and the anchor. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  checkpointText,
  entryLeafHash,
  entryText,
  genesisHash,
  sha256Hex,
} from '@pto/custody-verifier';
import { until } from '@pto/testing';
import type { Client } from 'pg';
import { readEntries, toChainEntry } from '../../src/chain/read-chain.ts';
import { noteSigner } from '../../src/log/note-signer.ts';
import { CompactRange } from '../../src/verification/compact-range.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  connectAttacker,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';

let under: CustodyUnderTest;
let attacker: Client;
const organizationId = anOrganization();
const signer = noteSigner('log.test/custody', [Buffer.alloc(32, 5)]); // the log's own key

beforeEach(async () => {
  under = await startCustodyService();
  attacker = await connectAttacker(under);
});
afterEach(async () => {
  await attacker.end();
  await under.stop();
});

const anchoredChain = async (count: number): Promise<string> => {
  const orderId = anOrderId();
  await under.publish(eventsOf(orderId, organizationId, count, { reference: 'x' }));
  await until(async () => (await under.anchored()).at(-1)?.includes(`\n${count}\n`), {
    what: 'an anchored checkpoint over the chain',
  });
  return orderId;
};

const entriesOf = (orderId: string) =>
  readEntries(
    { query: async (text, values) => (await attacker.query(text, [...(values ?? [])])).rows },
    orderId,
  );

const tellOrders = async (orderId: string): Promise<void> => {
  const entries = await entriesOf(orderId);
  under.known.set(orderId, {
    orderId,
    sequence: entries.length,
    custodySequence: entries.length,
    custodyHeadHash: entries.at(-1)!.event_hash,
  });
};

/** Rewrites entries, leaves, tiles and signed checkpoints of a log with one order, consistently. */
const rewriteLog = async (orderId: string): Promise<void> => {
  const range = new CompactRange();
  const hashes: Buffer[] = [];
  let head = genesisHash(orderId);
  for (const row of await entriesOf(orderId)) {
    const text = entryText(orderId, { ...toChainEntry(row), prev_event_hash: head });
    head = sha256Hex(text);
    await attacker.query(
      `update entries set prev_event_hash = $3, event_hash = $4, canonical_text = $5
       where order_id = $1 and sequence = $2`,
      [orderId, row.sequence, JSON.parse(text).prev_event_hash, head, text],
    );
    await attacker.query(
      'update log_leaves set event_hash = $3 where order_id = $1 and sequence = $2',
      [orderId, row.sequence, head],
    );
    range.add(Buffer.from(head, 'hex'));
    hashes.push(Buffer.from(entryLeafHash(head)));
    const note = signer.sign(
      checkpointText({ origin: 'log.test/custody', size: range.size, root: range.root }),
    );
    await attacker.query('update log_checkpoints set note = $2, root = $3 where size = $1', [
      range.size,
      note,
      Buffer.from(range.root),
    ]);
  }
  await attacker.query('update chains set head_hash = $2 where order_id = $1', [orderId, head]);
  await attacker.query('update log_tiles set hashes = $1 where level = 0', [Buffer.concat(hashes)]);
  await tellOrders(orderId);
};

test('every entry of the order is proved against the anchored checkpoint', async () => {
  const orderId = await anchoredChain(4);
  await tellOrders(orderId);
  expect(await under.ledger.verifyChains({ orderId })).toMatchObject({
    orders: 1,
    entries: 4n,
    leaves: 4n,
    delayed: 0,
    faults: [],
  });
});

test('a ledger that was rewritten consistently, with the log key and what orders knows, is found by one order', async () => {
  const orderId = await anchoredChain(3);
  const [, second] = await entriesOf(orderId);
  await attacker.query(`update entries set payload = '{"note":"y"}' where id = $1`, [second!.id]);
  await rewriteLog(orderId);
  const { faults } = await under.ledger.verifyChains({ orderId });
  const reason = 'the entry is not in the log that the checkpoint over 3 leaves was signed for';
  const entries = await entriesOf(orderId);
  expect(faults.map(({ entryId, reason: found }) => [entryId, found])).toEqual(
    entries.map(({ id }) => [id, reason]),
  );
});

test('an event that custody does not hold yet is counted as delayed', async () => {
  const orderId = await anchoredChain(2);
  await tellOrders(orderId);
  under.known.set(orderId, { ...under.known.get(orderId)!, sequence: 3 });
  expect(await under.ledger.verifyChains({ orderId })).toMatchObject({ delayed: 1, faults: [] });
});

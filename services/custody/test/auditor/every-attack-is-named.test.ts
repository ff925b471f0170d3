/**
 * What somebody with all rights on the ledger's database, and on that of orders, does to it is found
 * by one pass of `ledger verify`, by what he cannot reach: the signed log and its anchor. What is
 * younger than the last anchored checkpoint rests on the evidence of orders alone. Writers never rest
 * meanwhile, and cause no violation.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entryText, genesisHash, sha256Hex } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import type { Client } from 'pg';
import { readEntries, toChainEntry } from '../../src/chain/read-chain.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  connectAttacker,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { startWriters } from '../writers.ts';

let under: CustodyUnderTest;
let attacker: Client;
const organizationId = anOrganization();

const start = async (): Promise<void> => {
  under = await startCustodyService();
  attacker = await connectAttacker(under);
};
const stop = async (): Promise<void> => {
  await attacker.end();
  await under.stop();
};

/** The evidence of orders: what custody reported, or what the attacker substitutes. */
const evidence = (orderId: string, sequence: number, custodyHeadHash: string): void => {
  under.known.set(orderId, { orderId, sequence, custodySequence: sequence, custodyHeadHash });
};

/** A chain of four entries under an anchored checkpoint. */
const chainOfFour = async (): Promise<string> => {
  const orderId = anOrderId();
  await under.publish(eventsOf(orderId, organizationId, 4, { reference: 'x' }));
  const { headHash } = await until(
    async () => {
      const asked = { orderId, organizationId, atLeastSequence: 4 };
      const proof = await under.custody.getProof(asked);
      if (proof.count !== 4 || !proof.log) return null;
      const { checkpoint } = proof.log;
      return (await under.anchored()).includes(checkpoint) && proof;
    },
    { what: 'an anchored checkpoint over the chain' },
  );
  evidence(orderId, 4, headHash);
  return orderId;
};

const verified = async () => {
  const faults: Awaited<ReturnType<typeof under.ledger.verifyLog>>['faults'] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof under.ledger.verifyChains>> =
      await under.ledger.verifyChains({ afterOrderId: after });
    faults.push(...page.faults);
    after = page.nextOrderId || null;
  }
  for (let walk: Awaited<ReturnType<typeof under.ledger.verifyLog>>['next'], more = true; more; ) {
    const page: Awaited<ReturnType<typeof under.ledger.verifyLog>> = await under.ledger.verifyLog(
      walk ? { walk } : {},
    );
    faults.push(...page.faults);
    walk = page.next;
    more = walk !== undefined;
  }
  return faults.map(({ orderId, entryId, reason }) => ({ orderId, entryId, reason }));
};

const entriesOf = (orderId: string) =>
  readEntries(
    { query: async (text, values) => (await attacker.query(text, [...(values ?? [])])).rows },
    orderId,
  );

/** Writes consistent hashes over all entries of an order, head and evidence too. */
const recompute = async (orderId: string): Promise<void> => {
  let head = genesisHash(orderId);
  const rows = await entriesOf(orderId);
  await attacker.query(
    'alter table entries drop constraint if exists entries_order_id_prev_event_hash_key',
  );
  for (const row of rows) {
    const text = entryText(orderId, { ...toChainEntry(row), prev_event_hash: head });
    const hash = sha256Hex(text);
    await attacker.query(
      `update entries set prev_event_hash = $2, event_hash = $3, canonical_text = $4
       where order_id = $5 and sequence = $1`,
      [row.sequence, head, hash, text, orderId],
    );
    head = hash;
  }
  await attacker.query('update chains set sequence = $2, head_hash = $3 where order_id = $1', [
    orderId,
    rows.length,
    head,
  ]);
  evidence(orderId, rows.length, head);
};

const insertCopy = (orderId: string, from: number, as: number, of = orderId) =>
  attacker.query(
    `insert into entries (order_id, sequence, id, type, internal_type, ts_utc, gps_lat, gps_lng,
       payload, prev_event_hash, event_hash, canonical_text)
     select $4, $3, gen_random_uuid(), type, internal_type, ts_utc, gps_lat, gps_lng, payload,
       prev_event_hash, event_hash, canonical_text
     from entries where order_id = $1 and sequence = $2`,
    [orderId, from, as, of],
  );

/** Each attack is on an order of its own, and names it; one ledger suffers all of them in turn. */
describe('while writers write', () => {
  let writers: ReturnType<typeof startWriters>;
  beforeAll(async () => {
    await start();
    writers = startWriters(under, 2);
  });
  afterAll(async () => {
    await writers.stop();
    await stop();
  });

  test('an untouched ledger has no fault', async () => {
    await chainOfFour();
    const before = writers.written();
    for (let n = 0; n < 10 || writers.written() <= before + 20; n++)
      expect(await verified()).toEqual([]);
  }, 60_000);

  test('with all hashes and the evidence recomputed, names an edited row', async () => {
    const orderId = await chainOfFour();
    const [, second] = await entriesOf(orderId);
    await attacker.query(`update entries set payload = '{"note":"y"}' where id = $1`, [second!.id]);
    await recompute(orderId);
    const entryId = second!.id;
    const reason = 'the entry is not the one that the log holds';
    expect(await verified()).toContainEqual({ orderId, entryId, reason });
  });

  test('with all hashes and the evidence recomputed, names a last row that was deleted', async () => {
    const orderId = await chainOfFour();
    await attacker.query('delete from entries where order_id = $1 and sequence = 4', [orderId]);
    await recompute(orderId);
    const reason = 'the log holds an entry that the ledger has lost';
    expect(await verified()).toContainEqual({ orderId, entryId: '', reason });
  });

  test('with all hashes and the evidence recomputed, names a whole order that was deleted', async () => {
    const orderId = await chainOfFour();
    await attacker.query('delete from entries where order_id = $1', [orderId]);
    await attacker.query('delete from chains where order_id = $1', [orderId]);
    under.known.delete(orderId);
    const reason = 'the log holds an entry that the ledger has lost';
    expect(await verified()).toContainEqual({ orderId, entryId: '', reason });
  });

  test('with all hashes and the evidence recomputed, names an entry inserted in the middle', async () => {
    const orderId = await chainOfFour();
    for (const n of [4, 3])
      await attacker.query(
        'update entries set sequence = sequence + 1 where order_id = $1 and sequence = $2',
        [orderId, n],
      );
    await attacker.query(
      'alter table entries drop constraint if exists entries_order_id_prev_event_hash_key',
    );
    await insertCopy(orderId, 2, 3);
    await recompute(orderId);
    const named = await entriesOf(orderId);
    const faults = await verified();
    expect(faults).toContainEqual({
      orderId,
      entryId: named[2]!.id,
      reason: 'the entry is not the one that the log holds',
    });
  });

  test('with all hashes and the evidence recomputed, names two entries that were swapped', async () => {
    const orderId = await chainOfFour();
    for (const [from, to] of [
      [2, 9],
      [3, 2],
      [9, 3],
    ])
      await attacker.query(
        'update entries set sequence = $3 where order_id = $1 and sequence = $2',
        [orderId, from, to],
      );
    await recompute(orderId);
    const [, second] = await entriesOf(orderId);
    const reason = 'the entry is not the one that the log holds';
    expect(await verified()).toContainEqual({ orderId, entryId: second!.id, reason });
  });

  test('with all hashes and the evidence recomputed, names a chain that was copied to another order', async () => {
    const [orderId, copy] = [await chainOfFour(), anOrderId()];
    await attacker.query(
      `insert into chains (order_id, organization_id, sequence, head_hash) values ($1, $2, 0, '')`,
      [copy, organizationId],
    );
    for (const n of [1, 2, 3, 4]) await insertCopy(orderId, n, n, copy);
    await recompute(copy);
    const [first] = await entriesOf(copy);
    const reason = 'the entry is not in the log';
    expect(await verified()).toContainEqual({ orderId: copy, entryId: first!.id, reason });
  });

  test('with all hashes and the evidence recomputed, names a fork', async () => {
    const orderId = await chainOfFour();
    await attacker.query(
      'alter table entries drop constraint if exists entries_order_id_prev_event_hash_key',
    );
    await insertCopy(orderId, 4, 5);
    const fifth = (await entriesOf(orderId))[4]!;
    expect((await verified()).filter((fault) => fault.orderId === orderId)).toEqual([
      {
        orderId,
        entryId: fifth.id,
        reason: 'prev_event_hash is not the hash of the entry before',
      },
    ]);
  });

  test('with all hashes and the evidence recomputed, names leaves that were rewritten with the entries', async () => {
    const orderId = await chainOfFour();
    const [, second] = await entriesOf(orderId);
    await attacker.query(`update entries set type = 'order.closed' where id = $1`, [second!.id]);
    await recompute(orderId);
    await attacker.query(
      `update log_leaves l set event_hash = e.event_hash from entries e
       where e.order_id = l.order_id and e.sequence = l.sequence`,
    );
    const reasons = (await verified()).map(({ reason }) => reason);
    expect(reasons).toContainEqual(
      expect.stringMatching(/the checkpoint over \d+ leaves is not what they hash to/),
    );
    expect(reasons).toContainEqual(
      expect.stringMatching(/^the tile 0\/\d+ does not hold what the leaves hash to$/),
    );
  });
});

describe('without writers', () => {
  /** The anchor's lines after three chains; each test puts them back. */
  let all: string[];
  beforeAll(async () => {
    await start();
    for (let n = 0; n < 3; n++) await chainOfFour();
    all = (await under.anchored()).map((note) => JSON.stringify({ note }));
  }, 60_000);
  afterAll(stop);

  const reasons = async () => (await verified()).map(({ reason }) => reason);
  const reasonsWith = async (lines: string[]): Promise<string[]> => {
    under.rewriteAnchor(lines);
    const found = await reasons();
    under.rewriteAnchor(all);
    expect(await reasons()).toEqual([]);
    return found;
  };
  const lacks = expect.stringMatching(/^the anchor lacks the checkpoint/);

  test('names an anchor of which the beginning was cut off', async () => {
    expect(await reasonsWith(all.slice(1))).toContainEqual(lacks);
  });

  test('names an anchor of which the end was cut off', async () => {
    expect(await reasonsWith(all.slice(0, -2))).toContainEqual(lacks);
  });

  test('names an anchor that was put into another order', async () => {
    expect(await reasonsWith(all.toReversed())).toContainEqual(lacks);
  });

  test('names an anchor of which a checkpoint was replaced', async () => {
    const { note } = JSON.parse(all[0]!);
    const [origin, size, , ...rest] = note.split('\n');
    const forged = [origin, size, Buffer.alloc(32, 1).toString('base64'), ...rest].join('\n');
    expect(await reasonsWith([JSON.stringify({ note: forged }), ...all.slice(1)])).toContainEqual(
      expect.stringMatching(/^the checkpoint over \d+ leaves is not the anchored one$/),
    );
  });

  test('names a database that was set back to an older dump', async () => {
    await chainOfFour();
    const tables = [
      'entries',
      'chains',
      'log_leaves',
      'feed_heads',
      'log_tiles',
      'log_checkpoints',
      'log_state',
    ];
    for (const table of tables) await attacker.query(`create table old_${table} as table ${table}`);
    await chainOfFour();
    for (const table of tables) {
      await attacker.query(`delete from ${table}`);
      await attacker.query(`insert into ${table} select * from old_${table}`);
    }
    expect(await reasons()).toContainEqual(
      expect.stringMatching(/^the database lacks the anchored checkpoint over \d+ leaves$/),
    );
  }, 60_000);
});

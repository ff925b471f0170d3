import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emptyIndexHash } from '@pto/custody-verifier';
import { auditIndexStep, rebuildIndex } from '../../src/auditor/audit-index.ts';
import { holdLog } from '../../src/log/integrate.ts';
import {
  deleteSuperseded,
  extendIndex,
  indexTilesAt,
  newestIndex,
} from '../../src/order-index/order-index.ts';
import { startLog } from './a-log.ts';

let log: Awaited<ReturnType<typeof startLog>>;
beforeAll(async () => {
  log = await startLog();
});
afterAll(() => log.stop());

const hex = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('hex');
const random = (below: number) => Math.floor(Math.random() * below);
/** The roots by size, as the index was extended. */
const roots = new Map<number, Uint8Array>([[0, emptyIndexHash]]);
const extend = () =>
  log.db.transaction(async (tx) => {
    await holdLog(tx);
    const before = await newestIndex(tx);
    return extendIndex(tx, before, log.leaves.length);
  });

test('an index extended batch by batch has the root of one built from the log alone', async () => {
  const orders = log.newOrders(1500);
  for (const count of [1, 1, 40, 700, 3000, 2, 2, 3, 2, 900]) {
    await log.append(Array.from({ length: count }, () => orders[random(orders.length)]!));
    const { size, root } = await extend();
    expect(size).toBe(log.leaves.length);
    roots.set(size, root);
    expect(hex(await rebuildIndex(log.db, size))).toBe(hex(root));
    // 16 passes, each over a part of the orders
    expect(hex(await rebuildIndex(log.db, size, 1000))).toBe(hex(root));
  }
});

test('the auditor computes each root from the one before, from tiles that it authenticates', async () => {
  const sizes = [...roots.keys()];
  for (const [n, size] of sizes.entries()) {
    const to = sizes[n + 1];
    if (to === undefined) break;
    const read = indexTilesAt(log.db, size);
    const step = await auditIndexStep(read, roots.get(size)!, log.leaves.slice(size, to));
    expect(hex(step.root)).toBe(hex(roots.get(to)));
  }
});

test('the auditor names the order whose leaves do not continue the index', async () => {
  const [from, to] = [...roots.keys()].slice(-2) as [number, number];
  const read = indexTilesAt(log.db, from);
  const added = log.leaves.slice(from, to);
  const later = added.findIndex(({ sequence }) => sequence > 1);
  const { orderId, sequence } = added[later]!;
  const audited = (leaves: typeof added) => auditIndexStep(read, roots.get(from)!, leaves);
  const changed = (change: Partial<(typeof added)[0]>) =>
    audited(added.with(later, { ...added[later]!, ...change }));
  await expect(changed({ sequence: sequence + 1 })).resolves.toMatchObject({ root: null, orderId });
  await expect(changed({ sequence: 1 })).resolves.toMatchObject({ root: null, orderId });
  await expect(changed({ previousHash: added[later]!.eventHash })).resolves.toEqual({
    root: null,
    orderId,
    reason: `the log adds entry ${sequence}, the index does not hold the entry before it as last`,
  });
  // a leaf that is left out changes the root, or leaves a gap
  const without = await audited(added.toSpliced(later, 1));
  expect(hex(without.root)).not.toBe(hex(roots.get(to)));
});

test('the auditor refuses a stored tile that was changed, and one that was deleted', async () => {
  const [from, to] = [...roots.keys()].slice(-2) as [number, number];
  const added = log.leaves.slice(from, to);
  const step = () => auditIndexStep(indexTilesAt(log.db, from), roots.get(from)!, added);
  const undo = new Error('undo');
  for (const change of [
    `update order_index_tiles set tile = set_byte(tile, 20, get_byte(tile, 20) # 1)
     where prefix = ''`,
    `update order_index_tiles set tile = set_byte(tile, 20, get_byte(tile, 20) # 1)
     where length(prefix) = 2`,
    'delete from order_index_tiles where length(prefix) = 1',
  ])
    await expect(
      log.owner.transaction(async (tx) => {
        await tx.query(change);
        const step = await auditIndexStep(indexTilesAt(tx, from), roots.get(from)!, added);
        expect(step).toMatchObject({ root: null, reason: expect.stringMatching(/index/) });
        throw undo;
      }),
    ).rejects.toThrow(undo);
  expect(hex((await step()).root)).toBe(hex(roots.get(to)));
});

test('superseded tiles are deleted after the readable time, and what is readable stays', async () => {
  expect(await deleteSuperseded(log.db)).toBe(0);
  const sizes = [...roots.keys()].filter((size) => size > 0);
  const [kept, newest] = sizes.slice(-2) as [number, number];
  await log.owner.query(
    `update order_index_versions set written_at = written_at - interval '25 h' where size <= $1`,
    [kept],
  );
  expect(await deleteSuperseded(log.db)).toBeGreaterThan(100);
  expect(await deleteSuperseded(log.db)).toBe(0);
  const step = await auditIndexStep(
    indexTilesAt(log.db, kept),
    roots.get(kept)!,
    log.leaves.slice(kept, newest),
  );
  expect(hex(step.root)).toBe(hex(roots.get(newest)));
  const [rows] = await log.db.query<{ superseded: string }>(
    `select count(*) as superseded from order_index_tiles t where size < $1 and exists
       (select from order_index_tiles n where n.prefix = t.prefix and n.size > t.size and n.size <= $1)`,
    [kept],
  );
  expect(rows?.superseded).toBe('0');
  const versions = await log.db.query('select size from order_index_versions');
  expect(versions).toHaveLength(2);
});

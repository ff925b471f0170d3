import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type LoggedEntry,
  orderIndexRoot,
  parseCheckpoint,
  parseNote,
  readCheckpointLines,
  rebuildIndexRoot,
  sha256Hex,
} from '@pto/custody-verifier';
import { until } from '@pto/testing';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';

let under: CustodyUnderTest;
const organizationId = anOrganization();
const orders = Array.from({ length: 40 }, (_, n) => ({ orderId: anOrderId(), count: 1 + (n % 9) }));
let published = 0;

beforeAll(async () => {
  under = await startCustodyService();
  for (const { orderId, count } of orders) {
    await under.publish(eventsOf(orderId, organizationId, count));
    published += count;
  }
  await until(async () => (await newest()).size === published, {
    what: 'a checkpoint over all entries',
  });
});
afterAll(() => under.stop());

const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex');

const newest = async () => {
  const { note } = await under.log.getCheckpoint({});
  const { text } = parseNote(note);
  return { note, ...parseCheckpoint(text), ...readCheckpointLines(text) };
};

const proofOf = (orderId: string) =>
  under.custody.getProof({ orderId, organizationId, whole: true });

/** The index root that a served proof leads to, for a count and a head. */
const rootOf = (
  proof: Awaited<ReturnType<typeof proofOf>>,
  orderId: string,
  count = proof.count,
  head = proof.headHash,
): string => {
  const { path, otherLeaf } = proof.completeness!;
  const other = otherLeaf && { key: otherLeaf.orderKey, value: otherLeaf.valueHash };
  return hex(orderIndexRoot({ orderId, count, head, path, otherLeaf: other ?? null }));
};

/** The index's input, from the public tiles alone. */
const publicEntries = async (size: number): Promise<LoggedEntry[]> => {
  const entries: LoggedEntry[] = [];
  for (let index = 0; index * 256 < size; index++) {
    const width = Math.min(256, size - index * 256);
    const asked = { index: BigInt(index), width };
    const heads = Buffer.from((await under.log.getTile({ ...asked, entries: true })).tile);
    const numbers = Buffer.from((await under.log.getTile({ ...asked, orders: true })).tile);
    expect(numbers).toHaveLength(36 * width);
    for (let n = 0; n < width; n++)
      entries.push({
        key: numbers.subarray(36 * n, 36 * n + 32).toString('hex'),
        sequence: numbers.readUInt32BE(36 * n + 32),
        head: heads.subarray(34 * n + 2, 34 * (n + 1)).toString('hex'),
      });
  }
  return entries;
};

test('each proof shows under its checkpoint how many entries the order has', async () => {
  const { note, indexRoot, time } = await newest();
  expect(Math.abs(Date.now() - Date.parse(time!))).toBeLessThan(600_000);
  for (const { orderId, count } of orders) {
    const proof = await proofOf(orderId);
    expect(proof.count).toBe(count);
    // all parts are as of one checkpoint
    expect(proof.completeness?.checkpoint).toBe(note);
    expect(proof.log?.checkpoint).toBe(note);
    expect(proof.completeness?.otherLeaf).toBeUndefined();
    expect(rootOf(proof, orderId)).toBe(hex(indexRoot));
    const shorter = proof.entries.at(-2);
    expect(rootOf(proof, orderId, count - 1, shorter?.eventHash ?? '')).not.toBe(hex(indexRoot));
  }
});

test('an order without entries is proved to have none', async () => {
  const { note, indexRoot } = await newest();
  for (let n = 0; n < 30; n++) {
    const orderId = anOrderId();
    const proof = await proofOf(orderId);
    expect(proof).toMatchObject({ count: 0, entries: [], completeness: { checkpoint: note } });
    expect(proof.log).toBeUndefined();
    expect(rootOf(proof, orderId)).toBe(hex(indexRoot));
  }
});

test('a summary carries no completeness proof', async () => {
  const proof = await under.custody.getProof({ orderId: orders[0]!.orderId, organizationId });
  expect(proof.log).toBeDefined();
  expect(proof.completeness).toBeUndefined();
});

test('the index rebuilt from the public tiles alone has the root of the checkpoint', async () => {
  const { size, indexRoot } = await newest();
  const entries = await publicEntries(size);
  expect(new Set(entries.map(({ key }) => key))).toEqual(
    new Set(orders.map(({ orderId }) => sha256Hex(orderId))),
  );
  expect(hex(await rebuildIndexRoot(() => entries))).toBe(hex(indexRoot));
  await expect(
    under.log.getTile({ index: 0n, width: (size % 256) + 1, orders: true }),
  ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});

test('while entries are added, every part of a proof is as of one checkpoint', async () => {
  const orderId = anOrderId();
  const events = eventsOf(orderId, organizationId, 60);
  const proofs: Awaited<ReturnType<typeof proofOf>>[] = [];
  for (let n = 0; n < events.length; n += 4) {
    await under.publish(events.slice(n, n + 4));
    await until(
      async () => {
        const proof = await proofOf(orderId);
        proofs.push(proof);
        return proof.log && proof.count >= n + 4;
      },
      { what: `a proof of ${n + 4} entries` },
    );
  }
  const covered = proofs.filter(({ completeness }) => completeness);
  expect(covered.length).toBeLessThan(proofs.length);
  for (const proof of proofs) {
    expect(proof.entries).toHaveLength(proof.count);
    // before a checkpoint covers the last entry, its index would show a shorter history
    expect(proof.completeness === undefined).toBe(proof.log === undefined && proof.count > 0);
  }
  for (const proof of covered) {
    const { checkpoint } = proof.completeness!;
    if (proof.log) expect(checkpoint).toBe(proof.log.checkpoint);
    const { indexRoot } = readCheckpointLines(parseNote(checkpoint).text);
    expect(rootOf(proof, orderId)).toBe(hex(indexRoot));
  }
}, 120_000);

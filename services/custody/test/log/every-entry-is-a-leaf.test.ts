import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { genesisHash } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';

let under: CustodyUnderTest;
beforeAll(async () => {
  under = await startCustodyService();
});
afterAll(() => under.stop());

const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, 2.1, as it is written there. */
const merkleRoot = (leaves: readonly Buffer[]): Buffer => {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0]!);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha(Buffer.of(1), merkleRoot(leaves.slice(0, half)), merkleRoot(leaves.slice(half)));
};

/** The root that a path leads to (RFC 9162, 2.1.3.2). */
const rootOf = (leaf: Buffer, index: number, size: number, path: readonly Uint8Array[]): Buffer => {
  let [at, last, hash] = [index, size - 1, sha(Buffer.of(0), leaf)];
  for (const beside of path) {
    if (at % 2 === 1 || at === last) {
      hash = sha(Buffer.of(1), beside, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else hash = sha(Buffer.of(1), hash, beside);
    [at, last] = [at >> 1, last >> 1];
  }
  expect(last).toBe(0);
  return hash;
};

/** Size and root of a note whose signature is good. */
const opened = (note: string, vkey: string) => {
  const [, id, key] = vkey.split('+');
  const at = note.indexOf('\n\n');
  const [body, signed] = [note.slice(0, at + 1), note.slice(at + 2)];
  const [, name, signature] = /^— (\S+) (\S+)\n$/.exec(signed)!;
  const bytes = Buffer.from(signature!, 'base64');
  expect([name, bytes.subarray(0, 4).toString('hex')]).toEqual(['log.test/custody', id]);
  const spki = Buffer.from('302a300506032b6570032100', 'hex');
  const raw = Buffer.from(key!, 'base64').subarray(1);
  const publicKey = createPublicKey({
    key: Buffer.concat([spki, raw]),
    format: 'der',
    type: 'spki',
  });
  expect(verify(null, Buffer.from(body), publicKey, bytes.subarray(4))).toBe(true);
  const [origin, size, root] = body.split('\n');
  expect(origin).toBe('log.test/custody');
  return { size: Number(size), root: Buffer.from(root!, 'base64') };
};

/** All leaves under the newest checkpoint, from the entries' tiles. */
const leavesUpTo = async (size: number): Promise<Buffer[]> => {
  const leaves: Buffer[] = [];
  for (let index = 0; index * 256 < size; index++) {
    const width = Math.min(256, size - index * 256);
    const { tile } = await under.log.getTile({ index: BigInt(index), width, entries: true });
    const bytes = Buffer.from(tile);
    for (let at = 0; at < bytes.length; at += 34) {
      expect(bytes.readUInt16BE(at)).toBe(32);
      leaves.push(bytes.subarray(at + 2, at + 34));
    }
  }
  return leaves;
};

test('each entry is found under a signed checkpoint, by its path, at whatever size', async () => {
  const organizationId = anOrganization();
  let published = 0;
  // sizes around a full tile, and beyond one of the second level
  for (const count of [1, 2, 5, 247, 1, 3, 300, 700]) {
    const orderId = anOrderId();
    await under.publish(eventsOf(orderId, organizationId, count));
    published += count;
    const proof = await until(
      async () => {
        const asked = { orderId, organizationId, atLeastSequence: count, whole: true };
        const answer = await under.custody.getProof(asked);
        return answer.count === count && answer.log ? answer : null;
      },
      { what: `a checkpoint over ${published} entries` },
    );
    const { keys, log, headHash, entries } = proof;
    const { size, root } = opened(log!.checkpoint, keys.at(-1)!.vkey);
    expect(size).toBe(published);
    expect(Number(log!.treeSize)).toBe(size);
    expect(entries.at(-1)!.eventHash).toBe(headHash);
    const leaf = Buffer.from(headHash, 'hex');
    expect(rootOf(leaf, Number(log!.leafIndex), size, log!.inclusion)).toEqual(root);
    const leaves = await leavesUpTo(size);
    expect(merkleRoot(leaves)).toEqual(root);
    const own = leaves.slice(-count).map((each) => each.toString('hex'));
    expect(own).toEqual(entries.map((entry) => entry.eventHash));
    // the tiles of hashes are those of the leaves
    const width = Math.min(256, size);
    const { tile } = await under.log.getTile({ level: 0, index: 0n, width });
    expect(Buffer.from(tile)).toEqual(
      Buffer.concat(leaves.slice(0, width).map((each) => sha(Buffer.of(0), each))),
    );
  }
  const { tile } = await under.log.getTile({ level: 1, index: 0n, width: 4 });
  const leaves = await leavesUpTo(published);
  expect(Buffer.from(tile.subarray(64, 96))).toEqual(merkleRoot(leaves.slice(512, 768)));
  await expect(under.log.getTile({ level: 1, index: 0n, width: 5 })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
}, 120_000);

test('every signed checkpoint stands in the anchor, and the newest is the one that is shown', async () => {
  const { note } = await under.log.getCheckpoint({});
  const { anchored } = under;
  await until(async () => (await anchored()).at(-1) === note, {
    what: 'the newest checkpoint in the anchor',
  });
  const sizes = (await anchored()).map((each) => Number(each.split('\n')[1]));
  expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => a - b));
});

test('an order without an entry has an empty chain, and nothing in the log', async () => {
  const orderId = anOrderId();
  const proof = await under.custody.getProof({ orderId, organizationId: anOrganization() });
  expect(proof).toMatchObject({ count: 0, headHash: genesisHash(orderId), entries: [] });
  expect(proof.log).toBeUndefined();
});

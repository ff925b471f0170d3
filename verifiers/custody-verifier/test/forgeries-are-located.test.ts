import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { verifyProof } from '../src/index.ts';
import { hostile } from './forgeries/hostile.ts';
import type { Vector } from './forgeries/vector.ts';
import { vectorFiles } from './forgeries/vectors.ts';
import { completeProof, signedTime } from './samples/a-complete-proof.ts';
import { proof } from './samples/a-proof.ts';

const folder = new URL('../vectors/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

test('the vectors are those that the script writes', () => {
  const files = readdirSync(folder).filter((name) => name !== 'decision-31.json');
  expect(files.sort()).toEqual(Object.keys(vectorFiles).sort());
  for (const [name, text] of Object.entries(vectorFiles)) expect(read(name)).toBe(text);
});

describe.each(Object.keys(vectorFiles))('%s', (file) => {
  test.each((JSON.parse(read(file)) as Vector[]).map((vector) => [vector.name, vector] as const))(
    '%s',
    async (_, { input, expect: wanted }) => {
      const text = typeof input.file === 'string' ? input.file : JSON.stringify(input.file);
      const { trusted_keys: trustedKeys, seen, witnesses } = input;
      expect(await verifyProof(text, { trustedKeys, seen, witnesses })).toMatchObject(wanted);
    },
  );
});

test('a verdict says what is proven, and its limit', async () => {
  const trustedKeys = [proof.keys[0]!.vkey];
  expect(await verifyProof(JSON.stringify(proof), { trustedKeys })).toEqual({
    verdict: 'proven',
    headline: 'Proven: a trusted key signed the checkpoint that covers this history.',
    limit:
      'Covers 3 entries up to 2026-01-15T11:02:59.001Z; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry 3 were cut off.',
    orderId: proof.order_id,
    entries: 3,
    upTo: '2026-01-15T11:02:59.001Z',
    head: proof.head_hash,
    log: {
      origin: 'custody.vectors.example/log',
      leafIndex: 41,
      treeSize: 57,
      root: proof.log!.checkpoint.split('\n')[2],
      indexed: false,
      key: proof.keys[0]!.vkey,
      signer: 'trusted',
    },
    completeness: null,
    personal: { recomputed: [], erased: [], withheld: [] },
    devices: [],
  });
  const complete = await verifyProof(JSON.stringify(completeProof), { trustedKeys });
  const root = /^order-index\/1 (.*)$/m.exec(completeProof.log!.checkpoint)![1];
  expect(complete).toMatchObject({
    log: { indexed: true },
    completeness: { treeSize: 57, root, time: signedTime, signer: 'trusted', key: trustedKeys[0] },
  });
});

test('an invalid file names the entry, and what is wrong, in words', async () => {
  const edited = JSON.stringify(proof).replace('order.in_transit', 'order.closed');
  expect(await verifyProof(edited)).toEqual({
    verdict: 'invalid',
    headline: 'Invalid: entry 2 does not fit: an entry was changed, added, moved or removed.',
    limit: 'An invalid file proves nothing about the order.',
    at: 'entries',
    index: 1,
    entryId: proof.entries[1]!.id,
    reason: 'event_hash does not match what the entry says',
  });
});

test('an object, a list, null or a number instead of any string is invalid', async () => {
  expect(hostile.length).toBeGreaterThan(130);
  for (const { name, input } of hostile) {
    const text = JSON.stringify(input.file);
    const { verdict, headline } = await verifyProof(text, { trustedKeys: [proof.keys[0]!.vkey] });
    expect([name, verdict, headline]).toEqual([
      name,
      'invalid',
      expect.stringMatching(/^Invalid: /),
    ]);
  }
});

test('each file of the vectors is consistent at most, unless a trusted key is given', async () => {
  for (const text of Object.values(vectorFiles))
    for (const { name, input } of JSON.parse(text) as Vector[]) {
      const file = typeof input.file === 'string' ? input.file : JSON.stringify(input.file);
      expect([name, (await verifyProof(file)).verdict]).not.toEqual([name, 'proven']);
    }
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { verifyProof } from '../src/index.ts';
import { proof } from './a-proof.ts';
import type { Vector } from './forgeries/vector.ts';
import { vectorFiles } from './forgeries/vectors.ts';

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
      const { trusted_keys: trustedKeys, seen } = input;
      expect(await verifyProof(text, { trustedKeys, seen })).toMatchObject(wanted);
    },
  );
});

test('a verdict says what is proved', async () => {
  expect(await verifyProof(JSON.stringify(proof))).toEqual({
    valid: true,
    orderId: proof.order_id,
    entries: 3,
    head: proof.head_hash,
    log: {
      origin: 'custody.vectors.example/log',
      leafIndex: 41,
      treeSize: 57,
      root: proof.log!.checkpoint.split('\n')[2],
      key: proof.keys[0]!.vkey,
      keyFrom: 'file',
    },
    remarks: ['the checkpoint is signed by a key that the file itself brings'],
  });
});

import { expect, test } from '@jest/globals';
import { verifyProof } from '../src/index.ts';
import { completeProof as proof } from './samples/a-complete-proof.ts';
import { entries } from './samples/a-proof.ts';

const bytes = Buffer.from(JSON.stringify(proof));

/** When a key was in use is a claim: nothing signs it, and no proof rests on it. */
const unsigned = ['valid_from', 'valid_until'].map((member) => {
  const start = bytes.indexOf(`"${member}":`);
  const end = start + bytes.subarray(start).toString().search(/[,}]/);
  return { start, end };
});

const isUnsigned = (position: number) =>
  unsigned.some(({ start, end }) => position >= start && position < end);

/** Whether a changed file says the very same: 1E+21 for 1e+21. */
const saysTheSame = (changed: Buffer): boolean => {
  try {
    return JSON.stringify(JSON.parse(changed.toString())) === bytes.toString();
  } catch {
    return false;
  }
};

const isInvalid = async (file: string | Uint8Array): Promise<boolean> =>
  (await verifyProof(file)).verdict === 'invalid';

test('the file itself is consistent', async () => {
  expect(await isInvalid(bytes)).toBe(false);
});

/** All 8 bits of a byte; one of them, in turn, unless EVERY_BIT is set. */
const bitsAt = (position: number): number[] =>
  process.env.EVERY_BIT ? [0, 1, 2, 3, 4, 5, 6, 7] : [position % 8];

test('a changed bit of each byte, and each byte taken out, is missed', async () => {
  const believed: string[] = [];
  for (let position = 0; position < bytes.length; position++) {
    if (isUnsigned(position)) continue;
    const changes = bitsAt(position).map((bit) => {
      const changed = Buffer.from(bytes);
      changed[position]! ^= 1 << bit;
      return changed;
    });
    changes.push(Buffer.concat([bytes.subarray(0, position), bytes.subarray(position + 1)]));
    for (const changed of changes)
      if (!(await isInvalid(changed)) && !saysTheSame(changed))
        believed.push(changed.subarray(position - 20, position + 20).toString());
  }
  expect(believed).toEqual([]);
});

test('a file cut off anywhere is refused, and nothing is thrown', async () => {
  for (let length = 0; length < bytes.length; length++)
    expect(await isInvalid(bytes.subarray(0, length))).toBe(true);
});

test('each hash, count, path, signature and key in full: any other digit is missed', async () => {
  const texts = [
    ...entries.flatMap((entry) => [entry.prev_event_hash, entry.event_hash]),
    proof.genesis.hash,
    proof.head_hash,
    ...proof.log!.inclusion,
    ...proof.completeness!.path,
    ...proof.log!.checkpoint.split(/[\n ]/).filter((part) => part.length > 20),
    proof.keys[0]!.vkey,
  ];
  expect(texts.length).toBeGreaterThan(15);
  const file = bytes.toString();
  for (const text of texts)
    for (let from = file.indexOf(text); from >= 0; from = file.indexOf(text, from + 1))
      for (let position = from; position < from + text.length; position++)
        for (const digit of process.env.EVERY_BIT ? '09fF/' : '09') {
          if (digit === file[position]) continue;
          const changed = file.slice(0, position) + digit + file.slice(position + 1);
          expect(await isInvalid(changed)).toBe(true);
        }
}, 120_000);

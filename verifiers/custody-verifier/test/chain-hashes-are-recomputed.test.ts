import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ChainEntry,
  canonicalJson,
  entryHash,
  genesisHash,
  verifyChain,
} from '../src/index.ts';

const vector = JSON.parse(
  readFileSync(new URL('../vectors/decision-31.json', import.meta.url), 'utf8'),
) as { order_id: string; genesis: string; entries: ChainEntry[] };

test('the vector of decision 31 holds', () => {
  expect(genesisHash(vector.order_id)).toBe(vector.genesis);
  expect(verifyChain(vector.order_id, vector.entries)).toEqual({
    valid: true,
    head: vector.entries[0]!.event_hash,
  });
});

describe('canonical JSON is that of RFC 8785', () => {
  test.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    [[-0, 1e21, 1e-7, 333333333.3333333, 4.5, 0.002], '[0,1e+21,1e-7,333333333.3333333,4.5,0.002]'],
    ['\u20ac$\u000F\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    ['"', '"\\""'],
    ['\\', '"\\\\"'],
  ])('%j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, '\ud800', () => 1])(
    'what JSON cannot carry is refused (%#)',
    (value) => {
      expect(() => canonicalJson({ value })).toThrow(TypeError);
    },
  );
});

test('any changed member of any entry is found, at that entry', () => {
  const orderId = vector.order_id;
  const chain: ChainEntry[] = [];
  for (let n = 0; n < 5; n++) {
    const entry = {
      ...vector.entries[0]!,
      id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d0${n}`,
      prev_event_hash: chain.at(-1)?.event_hash ?? genesisHash(orderId),
    };
    chain.push({ ...entry, event_hash: entryHash(orderId, entry) });
  }
  expect(verifyChain(orderId, chain).valid).toBe(true);
  for (const index of chain.keys())
    for (const member of Object.keys(chain[0]!)) {
      const changed = chain.map((entry, n) => (n === index ? { ...entry, [member]: 'x' } : entry));
      expect(verifyChain(orderId, changed)).toMatchObject({ valid: false, index });
    }
});

import { describe, expect, test } from '@jest/globals';
import { genesisHash, verifyProof } from '../../src/index.ts';
import { entriesMax } from '../../src/verify-chain.ts';
import { type Draft, forged } from '../forgeries/forge.ts';
import { orderId, proof } from '../samples/a-proof.ts';

type Change = (draft: Draft) => void;

const limit = 'An invalid file proves nothing about the order.';

describe('a file is invalid with the reason:', () => {
  const rule = 'rule is not the one of custody-genesis/1';
  const cases: readonly (readonly [string, string, Change, string])[] = [
    ['another rule', 'genesis', (d) => Object.assign(d.genesis, { rule: 'x' }), rule],
    [
      'the genesis of another order',
      'genesis',
      (d) => Object.assign(d.genesis, { hash: genesisHash('x') }),
      'hash is not that of order_id',
    ],
    [
      'a genesis without a rule',
      'genesis',
      (d) => Reflect.deleteProperty(d.genesis, 'rule'),
      'the member rule is missing',
    ],
    [
      'another count',
      'count',
      (d) => Object.assign(d, { count: 4 }),
      'the file has 3 entries, and says otherwise',
    ],
    [
      'another head',
      'head_hash',
      (d) => Object.assign(d, { head_hash: d.genesis.hash }),
      'it is not the hash of the last entry',
    ],
    [
      'no entries, but a log proof',
      'log',
      (d) => Object.assign(d, { entries: [], count: 0, head_hash: genesisHash(orderId) }),
      'an order without entries is in no log',
    ],
  ];
  test.each(cases)('%s', async (_, at, change, reason) => {
    const judged = await verifyProof(JSON.stringify(forged(change)));
    const headline = expect.stringMatching(/^Invalid: /);
    // an undefined index or entry id is no member of the verdict
    expect(judged).toStrictEqual({ verdict: 'invalid', headline, limit, at, reason });
  });
});

describe('a file of a million entries', () => {
  const fileOf = (count: number) =>
    JSON.stringify({ ...proof, entries: 0 }).replace(
      '"entries":0',
      `"entries":[${'null,'.repeat(count - 1)}null]`,
    );

  test('is judged', async () => {
    const first = { at: 'entries', index: 0, entryId: '', reason: 'not an object' };
    expect(await verifyProof(fileOf(entriesMax))).toMatchObject(first);
  });

  test('and one more is not', async () => {
    expect(await verifyProof(fileOf(entriesMax + 1))).toStrictEqual({
      verdict: 'invalid',
      headline:
        'Invalid: the list of entries does not fit: an entry was changed, added, moved or removed.',
      limit,
      at: 'entries',
      reason: 'more than 1000000',
    });
  });
});

test('an option of another type is an error of the program, not a verdict', async () => {
  const options = { trustedKeys: 7 as never };
  await expect(verifyProof(JSON.stringify(proof), options)).rejects.toThrow(TypeError);
});

import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { proof } from '../samples/a-proof.ts';
import { otherKey } from '../samples/a-signed-log.ts';
import { bad } from './forge.ts';
import type { Vector } from './vector.ts';

const someKey = vkeyOfSigner(otherKey);

/** What can be done to the keys. */
export const keys: Vector[] = [
  bad(
    'log.checkpoint',
    'swapped for another key of the same name',
    (draft) => {
      draft.keys[0].vkey = someKey;
    },
    {
      reason: 'it has no signature by a known key',
    },
  ),
  bad('log.checkpoint', 'no key at all', (draft) => {
    draft.keys = [];
  }),
  {
    name: "the caller's key is malformed",
    input: { file: proof, trusted_keys: ['x'] },
    expect: { verdict: 'invalid', at: 'trusted_keys' },
  },
  bad('keys', 'another algorithm', (draft) => {
    const [name, id] = draft.keys[0].vkey.split('+');
    draft.keys[0].vkey = `${name}+${id}+${Buffer.alloc(33, 4).toString('base64')}`;
  }),
  bad('keys', 'a key id that is not that of the key', (draft) => {
    draft.keys[0].vkey = draft.keys[0].vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+');
  }),
  bad('keys', 'the same key twice', (draft) => draft.keys.push(draft.keys[0])),
  bad('keys', 'out of use before the last entry was made', (draft) => {
    draft.keys[0].valid_until = '2026-01-15T10:00:00.000Z';
  }),
  bad('keys', 'a use that ends before it begins', (draft) => {
    draft.keys[0].valid_until = '2025-12-31T00:00:00.000Z';
  }),
  bad('keys', 'a time in another form', (draft) => {
    draft.keys[0].valid_from = '2026-01-01T00:00:00Z';
  }),
  bad('keys', 'an unknown member', (draft) => {
    draft.keys[0].note = 'trust me';
  }),
  bad(
    'keys',
    '101 keys',
    (draft) => {
      draft.keys = Array(101).fill(0);
    },
    { reason: 'more than 100 keys' },
  ),
  bad('keys', 'no array', (draft) => {
    draft.keys = {} as never;
  }),
];

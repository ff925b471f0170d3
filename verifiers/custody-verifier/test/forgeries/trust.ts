import { checkpointText } from '../../src/index.ts';
import { type NoteKey, signNote, vkeyOfSigner } from '../../src/note/sign-note.ts';
import { inventedEntries, signedBy, unsigned } from '../samples/a-forged-proof.ts';
import { entries, proof } from '../samples/a-proof.ts';
import { aKey, logKey, origin, otherKey, witnessKey } from '../samples/a-signed-log.ts';
import type { Vector } from './vector.ts';

const genuine = vkeyOfSigner(logKey);
const another = 'another.example/log';
const renamedKey = aKey(another, 7);
/** The signature lines of several keys under one text. */
const signs =
  (name: string, ...keys: readonly NoteKey[]) =>
  (state: { size: number; root: Uint8Array }): string => {
    const text = checkpointText({ origin: name, ...state });
    return keys.reduce(
      (note, key) => note + signNote(text, key).slice(text.length + 1),
      `${text}\n`,
    );
  };
const brokenSignature = (note: string): string =>
  note.replace(/(\u2014 \S+ [A-Za-z0-9+/]{20})(.)/, (_, before, digit) =>
    before.concat(digit === 'A' ? 'B' : 'A'),
  );

const forgersLog = await signedBy(inventedEntries, {
  origin,
  keys: [otherKey],
  sign: signs(origin, otherKey),
});
const anotherOrigin = (keys: readonly NoteKey[], signer: NoteKey) =>
  signedBy(entries, { origin: another, keys, sign: signs(another, signer) });
const truncated = await signedBy(entries.slice(0, 2), {
  origin,
  keys: [logKey],
  sign: signs(origin, logKey),
});
const bothSign = await signedBy(entries, {
  origin,
  keys: [logKey, otherKey],
  sign: signs(origin, logKey, otherKey),
});
const brokenBesideHolding = await signedBy(inventedEntries, {
  origin,
  keys: [otherKey],
  sign: (state) => brokenSignature(signs(origin, logKey, otherKey)(state)),
});
const cosigned = await signedBy(entries, {
  origin,
  keys: [otherKey],
  sign: signs(origin, otherKey, witnessKey),
});

const endsAt = (valid_until: string) => ({ vkey: genuine, valid_until });
const unknownSigner =
  'Consistent, but the signer is unknown: only a key that the file itself brings signed the checkpoint.';
const consistent = { verdict: 'consistent', headline: unknownSigner } as const;

/** Who signed: forged files, and genuine ones that a key does or does not cover. */
export const trust: Vector[] = [
  {
    name: 'an invented chain, without a log and without keys',
    input: { file: unsigned(inventedEntries) },
    expect: { verdict: 'consistent' },
  },
  {
    name: 'an invented chain, without a log, and the genuine key is given',
    input: { file: unsigned(inventedEntries), trusted_keys: [genuine] },
    expect: {
      verdict: 'consistent',
      headline: 'Consistent, but the signer is unknown: no checkpoint covers the last entry.',
    },
  },
  {
    name: "signed by the forger's key under the genuine origin",
    input: { file: forgersLog },
    expect: consistent,
  },
  {
    name: "signed by the forger's key under the genuine origin, and the genuine key is given",
    input: { file: forgersLog, trusted_keys: [genuine] },
    expect: consistent,
  },
  {
    name: 'signed by a key that the file does not bring, and another is given',
    input: { file: { ...forgersLog, keys: [] }, trusted_keys: [genuine] },
    expect: {
      verdict: 'invalid',
      at: 'log.checkpoint',
      reason: 'it has no signature by a known key',
    },
  },
  {
    name: "the genuine file, and the key of somebody else is given: the file's own key signed",
    input: { file: proof, trusted_keys: [vkeyOfSigner(otherKey)] },
    expect: consistent,
  },
  {
    name: 'the genuine key signed, but a checkpoint of another origin',
    input: { file: await anotherOrigin([logKey], logKey), trusted_keys: [genuine] },
    expect: {
      verdict: 'invalid',
      at: 'log.checkpoint',
      reason: 'it is not signed by another.example/log itself',
    },
  },
  {
    name: 'the genuine private key under the name of another origin',
    input: { file: await anotherOrigin([renamedKey], renamedKey), trusted_keys: [genuine] },
    expect: consistent,
  },
  {
    name: 'cut off: the last entry, with the genuine log proof of the entry before',
    input: { file: truncated, trusted_keys: [genuine] },
    expect: {
      verdict: 'proven',
      limit:
        'Covers 2 entries up to 2026-01-15T09:41:07.250Z; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry 2 were cut off.',
    },
  },
  {
    name: 'one entry in the log',
    input: {
      file: await signedBy(entries.slice(0, 1), {
        origin,
        keys: [],
        sign: signs(origin, logKey),
        size: 21,
      }),
      trusted_keys: [genuine],
    },
    expect: {
      verdict: 'proven',
      limit:
        'Covers 1 entry up to 2026-01-15T09:30:00.000Z; entries added after checkpoint 21 are not covered. The file alone does not show whether entries after entry 1 were cut off.',
    },
  },
  {
    name: 'the checkpoint is older than the end of the chain: the leaf is an earlier entry',
    input: {
      file: { ...unsigned(entries), log: truncated.log, keys: truncated.keys },
      trusted_keys: [genuine],
    },
    expect: { verdict: 'invalid', at: 'log.inclusion' },
  },
  {
    name: 'the trusted key was rotated out before the last entry was made',
    input: { file: proof, trusted_keys: [endsAt('2026-01-15T10:57:59.000Z')] },
    expect: {
      verdict: 'invalid',
      at: 'trusted_keys',
      reason: 'the key was out of use before the last entry was made',
    },
  },
  {
    name: 'the trusted key was rotated out less than five minutes before the last entry',
    input: { file: proof, trusted_keys: [endsAt('2026-01-15T10:57:59.001Z')] },
    expect: { verdict: 'proven' },
  },
  {
    name: 'one key given twice, once with its end: the end counts',
    input: { file: proof, trusted_keys: [genuine, endsAt('2026-01-15T10:00:00.000Z')] },
    expect: { verdict: 'invalid', at: 'trusted_keys' },
  },
  {
    name: 'old and new key sign, and the new key is still in use',
    input: {
      file: bothSign,
      trusted_keys: [endsAt('2026-01-15T10:00:00.000Z'), vkeyOfSigner(otherKey)],
    },
    expect: { verdict: 'proven' },
  },
  {
    name: 'a trusted key with an end that is not a time',
    input: { file: proof, trusted_keys: [endsAt('soon')] },
    expect: { verdict: 'invalid', at: 'trusted_keys' },
  },
  {
    name: "a broken signature of the trusted key beside a good one of the forger's key",
    input: { file: brokenBesideHolding, trusted_keys: [genuine] },
    expect: { verdict: 'invalid', at: 'log.checkpoint' },
  },
  {
    name: 'a trusted witness signed, but no trusted key of the log',
    input: { file: cosigned, trusted_keys: [vkeyOfSigner(witnessKey)] },
    expect: consistent,
  },
  {
    name: 'no trusted key at all, for a file that brings no key',
    input: { file: { ...proof, keys: [] }, trusted_keys: [] },
    expect: { verdict: 'invalid', at: 'log.checkpoint' },
  },
  {
    name: 'the file brings no key, and the genuine key is given',
    input: { file: { ...proof, keys: [] }, trusted_keys: [genuine] },
    expect: { verdict: 'proven' },
  },
];

import { type ProofFile, parseNote } from '../../src/index.ts';
import { cosign, signNote, vkeyOfSigner, vkeyOfWitness } from '../../src/note/sign-note.ts';
import { completeProof } from '../samples/a-complete-proof.ts';
import { unsigned } from '../samples/a-forged-proof.ts';
import { checkpoint, entries, proof } from '../samples/a-proof.ts';
import { aKey, logKey, otherKey, witnessKey } from '../samples/a-signed-log.ts';
import { besideALeaf } from './completeness.ts';
import type { Draft } from './forge.ts';
import type { Vector } from './vector.ts';

const second = aKey('second.witness.example', 10);
const third = aKey('third.witness.example', 11);
/** The name of the log on the key of a witness. */
const namedAsLog = { ...witnessKey, name: logKey.name };
const vkeys = [witnessKey, second, third].map(vkeyOfWitness);
const time = 1_768_475_000;
const { text } = parseNote(checkpoint);

/** The genuine proof file with more signature lines under its checkpoint. */
const withLines = (...lines: readonly string[]): ProofFile => ({
  ...proof,
  log: { ...proof.log!, checkpoint: checkpoint + lines.join('') },
});
const onlyLines = (...lines: readonly string[]): ProofFile => ({
  ...proof,
  log: { ...proof.log!, checkpoint: `${text}\n${lines.join('')}` },
});
const trusted_keys = [vkeyOfSigner(logKey)];
const proven = (cosigned: number, given: number): Vector['expect'] => ({
  verdict: 'proven',
  headline: `Proven: a trusted key signed the checkpoint that covers this history, and ${cosigned} of ${given} witnesses cosigned it.`,
});
const tooFew = (cosigned: number, given: number, quorum: number): Vector['expect'] => ({
  verdict: 'consistent',
  headline: `Consistent, but ${cosigned} of ${given} witnesses cosigned the checkpoint, and ${quorum} must.`,
  limit:
    'Covers 3 entries up to 2026-01-15T11:02:59.001Z; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry 3 were cut off. Too few witnesses confirm that the log shows everyone the same entries.',
});
const invalid = (at: string, reason?: string): Vector['expect'] => ({
  verdict: 'invalid',
  at,
  ...(reason !== undefined && { reason }),
});
const spoilt = (line: string): string =>
  line.replace(/.{6}\n$/, (end) =>
    end.startsWith('AAAA') ? `BBBB${end.slice(4)}` : `AAAA${end.slice(4)}`,
  );
const shortened = (line: string): string => {
  const [dash, name, encoded] = line.trimEnd().split(' ');
  const bytes = Buffer.from(encoded!, 'base64').subarray(0, -1);
  return `${dash} ${name} ${bytes.toString('base64')}\n`;
};
/** The cosignature with another time than the one that was signed. */
const redated = (line: string, seconds: bigint): string => {
  const [dash, name, encoded] = line.trimEnd().split(' ');
  const bytes = Buffer.from(encoded!, 'base64');
  bytes.writeBigUInt64BE(seconds, 4);
  return `${dash} ${name} ${bytes.toString('base64')}\n`;
};

/** A file with a completeness proof, cosigned by the first witness. */
const completeAndCosigned = (complete: unknown): unknown => {
  const draft = structuredClone(complete) as Draft;
  const { text: signed } = parseNote(draft.completeness.checkpoint);
  const note = draft.completeness.checkpoint + cosign(signed, time, witnessKey);
  draft.completeness.checkpoint = note;
  if (draft.log) draft.log.checkpoint = note;
  return draft;
};

const first = cosign(text, time, witnessKey);
const all = [witnessKey, second, third].map((key, n) => cosign(text, time + n, key));

const judged = (
  name: string,
  file: unknown,
  witnesses: Vector['input']['witnesses'],
  expect: Vector['expect'],
  keys: readonly string[] = trusted_keys,
): Vector => ({
  name,
  input: { file, trusted_keys: keys, ...(witnesses && { witnesses }) },
  expect,
});
const one = { vkeys: vkeys.slice(0, 1) };

/** Cosignatures of witnesses (C2SP tlog-cosignature), and what is not one. */
export const witnesses: Vector[] = [
  judged('the only witness cosigned', withLines(first), one, proven(1, 1)),
  judged('all three witnesses cosigned', withLines(...all), { vkeys }, proven(3, 3)),
  judged(
    'two of three cosigned, and two must',
    withLines(...all.slice(1)),
    { vkeys, quorum: 2 },
    proven(2, 3),
  ),
  judged(
    'two of three cosigned, and all must',
    withLines(...all.slice(1)),
    { vkeys },
    tooFew(2, 3, 3),
  ),
  judged('nobody cosigned', proof, { vkeys, quorum: 1 }, tooFew(0, 3, 1)),
  judged(
    'one witness cosigned twice, and two must',
    withLines(first, cosign(text, time + 60, witnessKey)),
    { vkeys, quorum: 2 },
    tooFew(1, 3, 2),
  ),
  judged(
    'a witness cosigned that the caller does not name',
    withLines(all[2]!),
    one,
    tooFew(0, 1, 1),
  ),
  judged('cosignatures are ignored without witnesses', withLines(...all), undefined, {
    verdict: 'proven',
    headline: 'Proven: a trusted key signed the checkpoint that covers this history.',
  }),
  judged(
    'an unknown witness with a broken cosignature is ignored',
    withLines(spoilt(all[1]!), first),
    one,
    proven(1, 1),
  ),
  judged(
    'cosigned, but no key of the log is trusted',
    withLines(...all),
    { vkeys },
    {
      verdict: 'consistent',
      headline:
        'Consistent, but the signer is unknown: only a key that the file itself brings signed the checkpoint.',
    },
    [],
  ),
  judged(
    'cosigned, but another key of the log is trusted',
    withLines(...all),
    { vkeys },
    { verdict: 'consistent' },
    [vkeyOfSigner(otherKey)],
  ),
  judged(
    'cosigned by all, but not signed by the log',
    onlyLines(...all),
    { vkeys },
    invalid('log.checkpoint', 'it has no signature by a known key'),
  ),
  judged(
    'the log signs its checkpoint under the name of a witness',
    withLines(signNote(text, witnessKey).slice(text.length + 1)),
    one,
    tooFew(0, 1, 1),
  ),
  judged(
    'a witness with the name of the log cosigned, and the log did not sign',
    onlyLines(cosign(text, time, namedAsLog)),
    { vkeys: [vkeyOfWitness(namedAsLog)] },
    invalid('log.checkpoint', 'it has no signature by a known key'),
  ),
  judged(
    'a cosignature with a changed byte',
    withLines(spoilt(first)),
    one,
    invalid('log.checkpoint'),
  ),
  judged(
    'a cosignature with another time',
    withLines(redated(first, BigInt(time + 1))),
    one,
    invalid('log.checkpoint'),
  ),
  judged(
    'a cosignature that is a byte short',
    withLines(shortened(first)),
    one,
    invalid('log.checkpoint'),
  ),
  judged(
    'a cosignature at the time 0',
    withLines(redated(first, 0n)),
    one,
    invalid('log.checkpoint'),
  ),
  judged(
    'a cosignature at a time of more than 63 bits',
    withLines(redated(first, 2n ** 64n - 1n)),
    one,
    invalid('log.checkpoint'),
  ),
  judged(
    'a good and a broken cosignature of one witness',
    withLines(first, spoilt(first)),
    one,
    invalid('log.checkpoint'),
  ),
  judged(
    'a cosignature of another checkpoint of the log',
    withLines(cosign(text.replace('57', '58'), time, witnessKey)),
    one,
    invalid('log.checkpoint'),
  ),
  judged('no checkpoint covers the last entry', unsigned(entries), one, {
    verdict: 'consistent',
    headline: 'Consistent, but the signer is unknown: no checkpoint covers the last entry.',
  }),
  judged(
    'an invented history without a log',
    { ...unsigned(entries), keys: proof.keys },
    { vkeys },
    { verdict: 'consistent' },
  ),
  judged(
    'a key of the log is given as a witness',
    withLines(first),
    { vkeys: trusted_keys },
    invalid('witnesses'),
  ),
  judged(
    'a key of a witness is given as a key of the log',
    withLines(first),
    undefined,
    invalid('trusted_keys'),
    vkeys,
  ),
  judged(
    'one witness is given twice',
    withLines(first),
    { vkeys: [vkeys[0]!, vkeys[0]!] },
    invalid('witnesses', 'the key of a witness stands there twice'),
  ),
  judged(
    'one key is given under two names',
    withLines(first, cosign(text, time, { ...witnessKey, name: 'alias.example' })),
    { vkeys: [vkeys[0]!, vkeyOfWitness({ ...witnessKey, name: 'alias.example' })] },
    invalid('witnesses', 'the key of a witness stands there twice'),
  ),
  judged('no witness is given', withLines(first), { vkeys: [] }, invalid('witnesses')),
  judged('the quorum is 0', withLines(first), { vkeys, quorum: 0 }, invalid('witnesses')),
  judged(
    'the quorum is larger than the number of witnesses',
    withLines(...all),
    { vkeys, quorum: 4 },
    invalid('witnesses'),
  ),
  judged(
    'the quorum is no whole number',
    withLines(...all),
    { vkeys, quorum: 1.5 },
    invalid('witnesses'),
  ),
  judged('complete and cosigned', completeAndCosigned(completeProof), one, {
    ...proven(1, 1),
  }),
  judged('no entries, complete and cosigned', completeAndCosigned(besideALeaf), one, {
    verdict: 'proven',
    headline:
      'Proven: a trusted key signed that the order has no custody entries, and 1 of 1 witnesses cosigned it.',
  }),
  judged(
    'no entries, complete, and too few cosigned',
    completeAndCosigned(besideALeaf),
    { vkeys },
    {
      verdict: 'consistent',
      headline: 'Consistent, but 1 of 3 witnesses cosigned the checkpoint, and 3 must.',
    },
  ),
];

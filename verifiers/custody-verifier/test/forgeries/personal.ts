import { personalProof, values } from '../samples/a-personal-proof.ts';
import { proof } from '../samples/a-proof.ts';
import type { Vector } from './vector.ts';

const trusted_keys = [proof.keys[0]!.vkey];
const [first, note, second] = values;
const signed = 'Proven: a trusted key signed the checkpoint that covers this history';
const limitOf = (count: number, more: string) =>
  `Covers ${count} entries up to 2026-01-${count >= 5 ? 18 : count === 4 ? 16 : 15}T09:30:00.000Z; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry ${count} were cut off.${more}`;

const good = async (
  name: string,
  count: number,
  disclosed: readonly object[],
  erased: string,
  named: string,
): Promise<Vector> => ({
  name,
  input: { file: await personalProof(count, disclosed as never), trusted_keys },
  expect: { verdict: 'proven', headline: `${signed}${erased}.`, limit: limitOf(count, named) },
});

const bad = async (
  name: string,
  disclosed: readonly unknown[],
  index: number,
  reason: string,
): Promise<Vector> => ({
  name,
  input: { file: await personalProof(3, disclosed as never), trusted_keys },
  expect: { verdict: 'invalid', at: 'entries', index, reason },
});

const { value, salt } = first.driver;
const noCommitment = 'the payload has no commitment to it';
const noMatch = 'disclosed "driver": the value does not match its commitment';

/** Personal fields: disclosed, erased, withheld and forged (decisions 70 and 72). */
export const personal: Vector[] = await Promise.all([
  good(
    'before the erasure: each field is recomputed',
    3,
    values,
    '',
    ' Recomputed: driver (entry 1), note (entry 2), driver (entry 3).',
  ),
  good(
    'after the erasure of the driver',
    4,
    [{}, note],
    '; 2 fields erased on 2026-01-16',
    ' Recomputed: note (entry 2).',
  ),
  good('after two erasures', 5, [], '; 3 fields erased from 2026-01-16 to 2026-01-18', ''),
  good(
    'a field that an earlier entry claims to be erased is not disclosed',
    6,
    [],
    '; 3 fields erased from 2026-01-16 to 2026-01-18',
    ' Not disclosed: phone (entry 6).',
  ),
  good(
    'after an erasure, with a value from before it',
    4,
    [first, note],
    '; 1 field erased on 2026-01-16',
    ' Recomputed: driver (entry 1), note (entry 2).',
  ),
  good(
    'a field that is withheld and was not erased',
    3,
    [first, {}, second],
    '',
    ' Recomputed: driver (entry 1), driver (entry 3). Not disclosed: note (entry 2).',
  ),
  bad('a wrong salt', [{ driver: { value, salt: '4'.repeat(64) } }], 0, noMatch),
  bad('an exchanged value', [{ driver: { value: 'A. Other', salt } }], 0, noMatch),
  bad('the value of another entry', [second], 0, noMatch),
  bad(
    'the value under another field',
    [first, { driver: note.note }],
    1,
    `disclosed "driver": ${noCommitment}`,
  ),
  bad(
    'a field that the payload does not have',
    [{ ...first, phone: first.driver }],
    0,
    `disclosed "phone": ${noCommitment}`,
  ),
  bad(
    'a value for a field that is hashed as it is',
    [first, { ...note, reference: { value: 'R-1', salt } }],
    1,
    `disclosed "reference": ${noCommitment}`,
  ),
  bad(
    'a value without a salt',
    [{ driver: { value } }],
    0,
    'disclosed "driver": the member salt is missing',
  ),
  bad(
    'an empty salt',
    [{ driver: { value, salt: '' } }],
    0,
    'disclosed "driver": salt is not 64 lower-case hex digits',
  ),
  bad(
    'a salt in upper case',
    [{ driver: { value, salt: 'A'.repeat(64) } }],
    0,
    'disclosed "driver": salt is not 64 lower-case hex digits',
  ),
  bad(
    'a salt without a value',
    [{ driver: { salt } }],
    0,
    'disclosed "driver": the member value is missing',
  ),
  bad(
    'a further member',
    [{ driver: { value, salt, v: 1 } }],
    0,
    'disclosed "driver": the member "v" does not belong there',
  ),
  bad('a value that is no object', [{ driver: value }], 0, 'disclosed "driver": not an object'),
  bad('a list of values', [[first]], 0, 'disclosed is not an object'),
  bad(
    'a name from the prototype',
    [{ constructor: first.driver }],
    0,
    `disclosed "constructor": ${noCommitment}`,
  ),
]);

import { type ChainEntry, commitmentOf, type DeviceRecord, deviceKeyId } from '../../src/index.ts';
import { aDevice, groupOrder, numbersOf, signatureOf } from '../samples/a-device.ts';
import { loggedProof } from '../samples/a-personal-proof.ts';
import { chained, orderId, proof, type Unlinked } from '../samples/a-proof.ts';
import type { Vector } from './vector.ts';

const trusted_keys = [proof.keys[0]!.vkey];
const [phone, other] = [aDevice('a phone'), aDevice('another phone')];
const salt = '5'.repeat(64);
const note = { commitment: commitmentOf('note', { value: 'a tyre', salt }) };
const artifact = { sha256: 'ab'.repeat(32), media_type: 'image/png', size: 900 };
const kept_until = '2036-01-15T09:20:00.000Z';

/** A step before it is signed. */
type Step = Omit<Unlinked, 'id' | 'type' | 'ts_utc'> & {
  readonly payload: Record<string, unknown>;
};

const step = (internal_type: string, payload: Record<string, unknown> = {}, more = {}): Step => ({
  ...{ internal_type, payload, gps_lat: 52.5, gps_lng: 13.4 },
  ...more,
});
const entryOf = (n: number, { internal_type, gps_lat, gps_lng, payload }: Step): Unlinked => ({
  id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9e0${n}`,
  type: 'order.updated',
  ts_utc: `2026-01-15T09:3${n}:00.000Z`,
  ...{ internal_type, gps_lat, gps_lng, payload },
});
/** Signs a step. @param more members of the record that differ. */
const signed = (one: Step, more: Partial<DeviceRecord> = {}, by = phone): Step => {
  const device = by.record({ order_id: orderId, ...one }, more);
  return { ...one, payload: { ...one.payload, device } };
};
/** The entry of a step that was signed and could not be applied. */
const kept = (one: Step, reason = 'ILLEGAL_TRANSITION'): Step => {
  const { internal_type } = one;
  const payload = { ...one.payload, kept: { internal_type, reason } };
  return { ...one, internal_type: 'DEVICE_RECORD_KEPT', payload };
};
const revoked = (from: unknown, key: unknown = phone.key): Step =>
  step('DEVICE_REVOKED', { driver_id: '0196f000-0000-7000-8000-000000000001', key, from });

const fileOf = (steps: readonly Step[]) =>
  loggedProof(
    chained(
      orderId,
      steps.map((one, n) => entryOf(n + 1, one)),
    ),
  );
const first = entryOf(1, step('ORDER_SUBMITTED'));
const [submitted] = chained(orderId, [first]) as [ChainEntry];

const good = async (name: string, steps: readonly Step[], said: string): Promise<Vector> => {
  const { entries, ...file } = await fileOf([step('ORDER_SUBMITTED'), ...steps]);
  const limit = `Covers ${entries.length} entries up to ${entries.at(-1)!.ts_utc}; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry ${entries.length} were cut off.${said}`;
  return {
    name,
    input: { file: { ...file, entries }, trusted_keys },
    expect: { verdict: 'proven', limit },
  };
};
const clock = '2026-01-15T09:20:00.000Z';
const on = (entry = 2, by = phone, at = clock) =>
  `entry ${entry} (key ${deviceKeyId(by.key)}, ${at} by its clock)`;
const plain = ` Signed on devices: ${on()}.`;

/** Readings as the phone signs them, and as the entry has them with the service's summary. */
const file = { sha256: 'cd'.repeat(32), media_type: 'text/csv', size: 60 };
const readings = signed(
  step('CONDITION_RECORDED', { device_id: 'TL-1', unit: 'celsius', readings: file }),
);
const summarized = (more: object = {}): Step => ({
  ...readings,
  payload: {
    ...readings.payload,
    ...{ v: 'condition/1', minimum: 4.5, maximum: 4.5, recorded_by: 'driver' },
    readings: { ...file, kept_until, normalized_sha256: 'ef'.repeat(32) },
    ...more,
  },
});

/** What an honest phone may do, and what may have happened since. */
const honest: readonly (readonly [name: string, steps: readonly Step[], said: string])[] = [
  ['a step without a payload', [signed(step('PICKUP_STARTED'))], plain],
  ['seals', [signed(step('SEAL_APPLIED', { seal_ids: ['S-1', 'Zoë 😀'] }))], plain],
  ['no position', [signed(step('PICKUP_STARTED', {}, { gps_lat: null, gps_lng: null }))], plain],
  [
    'a position at the antimeridian',
    [signed(step('PICKUP_STARTED', {}, { gps_lat: -0.000001, gps_lng: -180 }))],
    plain,
  ],
  [
    'a clock far behind',
    [signed(step('PICKUP_STARTED'), { at: '2001-01-01T00:00:00.000Z' })],
    ` Signed on devices: ${on(2, phone, '2001-01-01T00:00:00.000Z')}.`,
  ],
  [
    'a clock far ahead',
    [signed(step('PICKUP_STARTED'), { at: '2099-12-31T23:59:59.999Z' })],
    ` Signed on devices: ${on(2, phone, '2099-12-31T23:59:59.999Z')}.`,
  ],
  [
    'a personal field that is not disclosed',
    [signed(step('INCIDENT_REPORTED', { note }))],
    ` Not disclosed: note (entry 2).${plain}`,
  ],
  [
    'a member of the payload beside its own',
    [signed(step('PICKUP_STARTED', { temperature: '4.5' }))],
    plain,
  ],
  [
    'numbers in their one form',
    [signed(step('PICKUP_STARTED', { temperature: [4.5, -1e-7, 1e21, 0] }))],
    plain,
  ],
  [
    'a handover without a file',
    [signed(step('HANDOVER_RECORDED', { artifact: null, stage: 'pickup' }))],
    plain,
  ],
  [
    'a handover whose file has an end of its retention, which the phone did not know',
    [
      {
        ...signed(step('HANDOVER_RECORDED', { artifact })),
        payload: {
          ...signed(step('HANDOVER_RECORDED', { artifact })).payload,
          artifact: { ...artifact, kept_until },
        },
      },
    ],
    plain,
  ],
  [
    'the entry that it has seen',
    [signed(step('PICKUP_STARTED'), { seen: { entry: 1, hash: submitted.event_hash } })],
    plain,
  ],
  [
    'two phones of two drivers',
    [
      signed(step('PICKUP_STARTED')),
      signed(step('SEAL_APPLIED'), { driver_id: '0196f000-0000-7000-8000-000000000009' }, other),
    ],
    ` Signed on devices: ${on()}, ${on(3, other)}.`,
  ],
  [
    'a record that could not be applied',
    [kept(signed(step('PICKUP_STARTED')))],
    `${plain} Not applied, and kept as recorded: entry 2.`,
  ],
  [
    'a kept handover with its file',
    [kept(signed(step('HANDOVER_RECORDED', { artifact })), 'VALIDATION')],
    `${plain} Not applied, and kept as recorded: entry 2.`,
  ],
  ['readings, which the phone signed without their summary', [summarized()], plain],
  [
    'readings that were kept',
    [kept(readings)],
    `${plain} Not applied, and kept as recorded: entry 2.`,
  ],
  [
    'a phone that was revoked later',
    [signed(step('PICKUP_STARTED')), revoked('2026-01-15T09:33:00.000Z')],
    plain,
  ],
  [
    'another phone that is revoked',
    [signed(step('PICKUP_STARTED')), revoked('2026-01-01T00:00:00.000Z', other.key)],
    plain,
  ],
  [
    'a revocation before the record, which says so',
    [signed(step('PICKUP_STARTED')), revoked('2026-01-15T09:30:00.000Z')],
    `${plain} Recorded when the device was revoked: entry 2 (from 2026-01-15T09:30:00.000Z on).`,
  ],
  [
    'two revocations: the earlier counts',
    [
      signed(step('PICKUP_STARTED')),
      revoked('2026-01-15T09:31:30.000Z'),
      revoked('2026-01-15T09:30:00.000Z'),
    ],
    `${plain} Recorded when the device was revoked: entry 2 (from 2026-01-15T09:30:00.000Z on).`,
  ],
  [
    'a clock ahead of the revocation',
    [
      signed(step('PICKUP_STARTED'), { at: '2026-01-15T10:00:00.000Z' }),
      revoked('2026-01-15T09:50:00.000Z'),
    ],
    ` Signed on devices: ${on(2, phone, '2026-01-15T10:00:00.000Z')}. Recorded when the device was revoked: entry 2 (from 2026-01-15T09:50:00.000Z on).`,
  ],
  ['a revocation without a form', [signed(step('PICKUP_STARTED')), revoked(7)], plain],
  [
    'another history than the one that the phone had seen, which it says',
    [signed(step('PICKUP_STARTED'), { seen: { entry: 1, hash: 'ab'.repeat(32) } })],
    `${plain} Recorded after an entry that this history does not have: entry 2.`,
  ],
  [
    'an entry that is not there, which it says',
    [signed(step('PICKUP_STARTED'), { seen: { entry: 9, hash: 'ab'.repeat(32) } })],
    `${plain} Recorded after an entry that this history does not have: entry 2.`,
  ],
  [
    'a record of a version to come',
    [step('PICKUP_STARTED', { device: { v: 'device/2', sealed: true } })],
    '',
  ],
  [
    'a member of this name that is no record',
    [
      step('PICKUP_STARTED', { device: 'TL-1' }),
      step('ORDER_UPDATED', { device: null, kept: 'yes' }),
    ],
    '',
  ],
  [
    'steps of the office between those of the phone',
    [
      signed(step('PICKUP_STARTED')),
      step('ORDER_UPDATED', { fields: ['notes'] }),
      signed(step('SEAL_APPLIED')),
    ],
    ` Signed on devices: ${on()}, ${on(4)}.`,
  ],
  [
    'more records than a sentence names',
    Array.from({ length: 8 }, () => signed(step('DRIVER_ARRIVED', { stop: 'pickup' }))),
    ` Signed on devices: ${[2, 3, 4, 5, 6, 7, 8, 9].map((n) => on(n)).join(', ')}.`,
  ],
];

const [r, s] = numbersOf(
  (signed(step('SEAL_APPLIED', { seal_ids: ['S-1'] })).payload.device as DeviceRecord).signature,
);
/** A signature has a second form, which is one of the same device over the same record. */
const mirrored = signatureOf(r, groupOrder - s);

/** What somebody may change who writes the ledger again: hashes and log agree with the change. */
const base = signed(step('SEAL_APPLIED', { seal_ids: ['S-1'] }), {
  seen: { entry: 1, hash: submitted.event_hash },
});
const device = base.payload.device as DeviceRecord;
const changed = (more: object): Step => ({ ...base, ...more });
const ofDevice = (more: object): Step =>
  changed({ payload: { ...base.payload, device: { ...device, ...more } } });
const ofPayload = (more: object): Step => changed({ payload: { ...base.payload, ...more } });
const unsigned = 'the device did not sign this record';
const forms: Readonly<Record<string, string>> = {
  id: 'device: an id is not a UUID in lower case',
  at: 'device: at is not a time',
  key: 'device: not 65 bytes of base64url',
  signature: 'device: not 64 bytes of base64url',
  seen: 'device: seen is not the number and hash of an entry',
};
const { signature: _, ...withoutSignature } = device;
const personal = signed(step('INCIDENT_REPORTED', { note }));
const handover = signed(step('HANDOVER_RECORDED', { artifact }));
const forgeries: readonly (readonly [name: string, forged: Step, reason?: string | undefined])[] = [
  ['another time of the device', ofDevice({ at: '2026-01-15T09:20:00.001Z' })],
  ['another driver', ofDevice({ driver_id: device.carrier_id })],
  ['another carrier', ofDevice({ carrier_id: device.driver_id })],
  ['another command', ofDevice({ command_id: device.driver_id })],
  ['the key of another phone', ofDevice({ key: other.key })],
  ['nothing seen', ofDevice({ seen: null })],
  ['another entry seen', ofDevice({ seen: { entry: 2, hash: submitted.event_hash } })],
  ['another hash seen', ofDevice({ seen: { entry: 1, hash: 'ab'.repeat(32) } })],
  ['another seal', ofPayload({ seal_ids: ['S-2'] })],
  ['one more seal', ofPayload({ seal_ids: ['S-1', 'S-2'] })],
  ['a seal taken away', ofPayload({ seal_ids: [] })],
  ['a member of the payload added', ofPayload({ reference: 'R-1' })],
  ['the payload taken away', changed({ payload: { device } })],
  ['another step', changed({ internal_type: 'CUSTODY_TRANSFERRED' })],
  ['another latitude', changed({ gps_lat: 52.500001 })],
  ['another longitude', changed({ gps_lng: -13.4 })],
  ['no position', changed({ gps_lat: null, gps_lng: null })],
  ['a kept record passed off as applied', changed({ ...kept(base), payload: base.payload })],
  [
    'a kept record of another step',
    {
      ...kept(base),
      payload: { ...base.payload, kept: { internal_type: 'PICKUP_STARTED', reason: 'VALIDATION' } },
    },
  ],
  ['the record of another order', signedFor('0196f000-0000-7000-8000-00000000000a')],
  [
    'another commitment',
    { ...personal, payload: { ...personal.payload, note: { commitment: 'ab'.repeat(32) } } },
  ],
  [
    'another file',
    {
      ...handover,
      payload: { ...handover.payload, artifact: { ...artifact, sha256: 'cd'.repeat(32) } },
    },
  ],
  [
    'another kind of file',
    {
      ...handover,
      payload: { ...handover.payload, artifact: { ...artifact, media_type: 'application/pdf' } },
    },
  ],
  ['readings of another file', summarized({ readings: { ...file, sha256: 'ab'.repeat(32) } })],
  ['readings of another logger', summarized({ device_id: 'TL-2' })],
  ['readings in another unit', summarized({ unit: 'fahrenheit' })],
  ['readings without their file', summarized({ readings: null })],
  ['the file taken away', { ...handover, payload: { ...handover.payload, artifact: null } }],
  [
    'the signature of another record',
    ofDevice({ signature: (personal.payload.device as DeviceRecord).signature }),
  ],
  ['a signature of zeros', ofDevice({ signature: signatureOf(0n, 0n) })],
  [
    'a signature with r of the order of the group',
    ofDevice({ signature: signatureOf(groupOrder, s) }),
  ],
  ['r and s exchanged', ofDevice({ signature: signatureOf(s, r) })],
  [
    'a point that is not on the curve',
    ofDevice({ key: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url') }),
  ],
  [
    'no signature',
    ofPayload({ device: withoutSignature }),
    'device: the member signature is missing',
  ],
  ['an empty signature', ofDevice({ signature: '' }), forms.signature],
  [
    'a signature in base64 with padding',
    ofDevice({ signature: `${device.signature}==` }),
    forms.signature,
  ],
  [
    'a signature in another spelling of its last digit',
    ofDevice({
      signature: `${device.signature.slice(0, -1)}${respelled(device.signature.at(-1)!)}`,
    }),
    forms.signature,
  ],
  [
    'a key in its short form',
    ofDevice({ key: Buffer.alloc(33, 2).toString('base64url') }),
    forms.key,
  ],
  ['an id in upper case', ofDevice({ driver_id: device.driver_id.toUpperCase() }), forms.id],
  ['a time without milliseconds', ofDevice({ at: '2026-01-15T09:20:00Z' }), forms.at],
  ['a time that does not exist', ofDevice({ at: '2026-02-30T09:20:00.000Z' }), forms.at],
  ['entry 0 seen', ofDevice({ seen: { entry: 0, hash: submitted.event_hash } }), forms.seen],
  ['a further member', ofDevice({ note: '' }), 'device: the member "note" does not belong there'],
  [
    'a reason that is no text',
    {
      ...kept(base),
      payload: { ...kept(base).payload, kept: { internal_type: 'SEAL_APPLIED', reason: 1 } },
    },
    'kept is not the step and the reason',
  ],
];

function signedFor(order_id: string): Step {
  const one = step('SEAL_APPLIED', { seal_ids: ['S-1'] });
  return { ...one, payload: { ...one.payload, device: phone.record({ order_id, ...one }, {}) } };
}
/** Another digit of base64url whose first two bits are the same. */
function respelled(digit: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return digits[digits.indexOf(digit) ^ 1]!;
}

/** Records of drivers' devices: honest and forged ones (decision 85). */
export const devices: Vector[] = [
  ...(await Promise.all(honest.map(([name, steps, said]) => good(name, steps, said)))),
  await good(
    'the other form of a signature',
    [signed(step('SEAL_APPLIED', { seal_ids: ['S-1'] }))].map((one) => ({
      ...one,
      payload: {
        ...one.payload,
        device: { ...(one.payload.device as DeviceRecord), signature: mirrored },
      },
    })),
    plain,
  ),
  ...(await Promise.all(
    forgeries.map(
      async ([name, forged, reason = unsigned]): Promise<Vector> => ({
        name,
        input: { file: await fileOf([step('ORDER_SUBMITTED'), forged]), trusted_keys },
        expect: {
          ...{ verdict: 'invalid', at: 'device', index: 1, reason },
          headline: 'Invalid: entry 2 was not signed by the device that it names.',
        },
      }),
    ),
  )),
];

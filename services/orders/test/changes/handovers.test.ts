import { createHash } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { pngPicture, tablesWith, until } from '@pto/testing';
import { Client } from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { aHandover, anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client(under.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const lastEvents = async (orderId: string, count: number) => {
  const { rows } = await owner.query<{ value: Buffer }>(
    'select value from outbox where key = $1 order by id',
    [orderId],
  );
  const events = rows.map(({ value }) => fromBinary(OrderEventSchema, value));
  return events
    .sort((a, b) => a.sequence - b.sequence)
    .slice(-count)
    .map(({ type, internalType, payloadJson }) => ({
      type,
      internalType,
      payload: JSON.parse(payloadJson || 'null'),
    }));
};

test('a handover becomes an entry with a commitment in place of the name of a person', async () => {
  const order = await anOrderThat(under, 'SEALED');
  const { circumstances, orderId, organizationId } = order;
  const person = `Canary ${orderId}`;
  await under.commands.recordHandover({
    circumstances,
    ...aHandover({ to: { party: 'Blutkurier', role: 'carrier', person } }),
  });
  const [entry] = await lastEvents(orderId, 1);
  expect(entry).toEqual({
    type: 'order.updated',
    internalType: 'HANDOVER_RECORDED',
    payload: {
      v: 'handover/1',
      stage: 'pickup',
      from: { party: 'Klinikum Nord', role: 'shipper' },
      to: { party: 'Blutkurier', role: 'carrier' },
      to_person: { commitment: expect.stringMatching(/^[0-9a-f]{64}$/) },
      methods: ['pin'],
      scanned_seal_ids: null,
      artifact: null,
    },
  });
  const { disclosures } = await under.orders.getSequence({ organizationId, id: orderId });
  expect(disclosures.at(-1)).toMatchObject({ field: 'to_person', valueJson: `"${person}"` });
  expect(await tablesWith(owner, person)).toEqual(['disclosures']);
});

test('scanned seals that differ become an incident in the same transaction', async () => {
  const { circumstances, orderId } = await anOrderThat(under, 'SEALED');
  const scan = aHandover({ methods: ['scan'], scannedSealIds: ['S-2', 'S-9', 'S-2'] });
  const { order, ...difference } = await under.commands.recordHandover({ circumstances, ...scan });
  expect(difference).toMatchObject({ missingSealIds: ['S-1'], unexpectedSealIds: ['S-9'] });
  expect(await lastEvents(orderId, 2)).toMatchObject([
    { internalType: 'HANDOVER_RECORDED', payload: { scanned_seal_ids: ['S-2', 'S-9', 'S-2'] } },
    {
      type: 'order.incident_reported',
      internalType: 'SEAL_MISMATCH',
      payload: {
        v: 'handover/1',
        stage: 'pickup',
        missing_seal_ids: ['S-1'],
        unexpected_seal_ids: ['S-9'],
      },
    },
  ]);
  expect(order?.sequence).toBe(8);
});

test('the scanned seals of the order in another sequence are no incident', async () => {
  const { circumstances, orderId } = await anOrderThat(under, 'IN_TRANSIT');
  const scan = { stage: 'dropoff', methods: ['scan'], scannedSealIds: ['S-2', 'S-1'] };
  const response = await under.commands.recordHandover({ circumstances, ...aHandover(scan) });
  expect(response.missingSealIds).toEqual([]);
  expect(response.unexpectedSealIds).toEqual([]);
  expect(await lastEvents(orderId, 1)).toMatchObject([{ internalType: 'HANDOVER_RECORDED' }]);
});

test('an order is not moved on without the evidence that it requires', async () => {
  const evidence = { pickup: ['pin', 'photo'], dropoff: ['id_checked'], return: ['scan'] };
  const more = { requiredEvidenceJson: JSON.stringify(evidence) };
  const { circumstances } = await anOrderThat(under, 'SEALED', more);
  const { commands } = under;
  await expect(commands.startTransport({ circumstances })).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    message:
      'The order requires evidence of its pickup: record a handover with pin, photo, or waive it.',
    details: {
      status: 'SEALED',
      target: 'IN_TRANSIT',
      missing_evidence: { pickup: ['pin', 'photo'] },
    },
  });
  await commands.recordHandover({ circumstances, ...aHandover({ methods: ['pin'] }) });
  await expect(commands.startTransport({ circumstances })).rejects.toMatchObject({
    details: { missing_evidence: { pickup: ['photo'] } },
  });
  const artifact = { content: pngPicture(1), mediaType: 'image/png' };
  const photo = aHandover({ methods: ['photo'], artifact });
  await commands.recordHandover({ circumstances, ...photo });
  await commands.startTransport({ circumstances });
  const missing = (stage: string, methods: string[]) => ({
    kind: 'ILLEGAL_TRANSITION',
    details: { missing_evidence: { [stage]: methods } },
  });
  // evidence of another stage does not count
  await commands.recordHandover({
    circumstances,
    ...aHandover({ stage: 'transfer', methods: ['id_checked'] }),
  });
  await expect(commands.deliverOrder({ circumstances })).rejects.toMatchObject(
    missing('dropoff', ['id_checked']),
  );
  const dropoff = aHandover({ stage: 'dropoff', methods: ['id_checked'] });
  await commands.recordHandover({ circumstances, ...dropoff });
  await commands.deliverOrder({ circumstances });
  await expect(commands.closeOrder({ circumstances })).rejects.toMatchObject(
    missing('return', ['scan']),
  );
  // a scan of other seals is no evidence
  const other = { stage: 'return', methods: ['scan'], scannedSealIds: ['S-1', 'S-9'] };
  await commands.recordHandover({ circumstances, ...aHandover(other) });
  await expect(commands.closeOrder({ circumstances })).rejects.toMatchObject(
    missing('return', ['scan']),
  );
  const back = { stage: 'return', methods: ['scan'], scannedSealIds: ['S-1', 'S-2'] };
  await commands.recordHandover({ circumstances, ...aHandover(back) });
  expect((await commands.closeOrder({ circumstances })).order?.status).toBe('CLOSED');
});

test('of two orders only the one that requires evidence waits for it', async () => {
  const { circumstances } = await anOrderThat(under, 'SEALED');
  const moved = await under.commands.startTransport({ circumstances });
  expect(moved.order?.status).toBe('IN_TRANSIT');
});

const png = { mediaType: 'image/png', content: pngPicture(3) };
test.each<[string, object, string]>([
  ['an unknown stage', { stage: 'arrival' }, 'expected one of pickup'],
  ['an unknown method', { methods: ['oath'] }, 'expected one of signature'],
  ['no method', { methods: [] }, 'name at least one'],
  ['a method twice', { methods: ['pin', 'pin'] }, 'name each method once'],
  ['an unknown role', { to: { party: 'B', role: 'friend' } }, 'expected one of shipper'],
  ['a party without a name', { from: { party: '', role: 'shipper' } }, 'expected 1 to 200'],
  ['a signature without a file', { methods: ['signature'] }, 'needs its file'],
  ['a photo without a file', { methods: ['photo'] }, 'needs its file'],
  [
    'a signature of nobody',
    { methods: ['signature'], artifact: png, to: { party: 'B', role: 'carrier' } },
    'needs the name of the person',
  ],
  ['seals without the method scan', { scannedSealIds: ['S-1'] }, 'belong together'],
  ['a file that is not what it says', { artifact: { ...png, mediaType: 'image/jpeg' } }, 'JPEG'],
  [
    'a picture with a script',
    { artifact: { mediaType: 'image/png', content: Buffer.from('<svg onload="alert(1)"/>') } },
    'PNG',
  ],
])('a handover with %s is rejected, and nothing is stored', async (_, more, says) => {
  const { circumstances, orderId } = await anOrderThat(under, 'SEALED');
  await expect(
    under.commands.recordHandover({ circumstances, ...aHandover(more) }),
  ).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: { detail: [{ msg: expect.stringContaining(says) }] },
  });
  const { rowCount } = await owner.query('select 1 from artifacts where order_id = $1', [orderId]);
  expect(rowCount).toBe(0);
});

test('seals cannot be scanned before the order is sealed', async () => {
  const { circumstances } = await anOrderThat(under, 'PICKUP_STARTED');
  const scan = aHandover({ methods: ['scan'], scannedSealIds: ['S-1'] });
  await expect(under.commands.recordHandover({ circumstances, ...scan })).rejects.toMatchObject({
    kind: 'VALIDATION',
  });
});

test.each([
  ['SUBMITTED', 'pickup'],
  ['SEALED', 'dropoff'],
  ['SEALED', 'transfer'],
  ['IN_TRANSIT', 'pickup'],
] as const)(
  'an order that is %s has no handover at its %s, and its file is not stored',
  async (status, stage) => {
    const { circumstances, orderId } = await anOrderThat(under, status);
    const handover = aHandover({ stage, methods: ['photo'], artifact: png });
    await expect(
      under.commands.recordHandover({ circumstances, ...handover }),
    ).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
    const { rowCount } = await owner.query('select 1 from artifacts where order_id = $1', [
      orderId,
    ]);
    expect(rowCount).toBe(0);
  },
);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** An order in transit whose pickup was confirmed by a picture. */
const withPicture = async (seed: number) => {
  const order = await anOrderThat(under, 'SEALED');
  const content = pngPicture(seed);
  const { circumstances } = order;
  await under.commands.recordHandover({
    circumstances,
    ...aHandover({ methods: ['photo'], artifact: { content, mediaType: 'image/png' } }),
  });
  await under.commands.startTransport({ circumstances });
  return { ...order, content, sha256: sha256(content) };
};

test('the file of a handover can be read by its hash, by its organization alone', async () => {
  const { orderId, organizationId, content, sha256: hash } = await withPicture(10);
  const [, entry] = (await lastEvents(orderId, 2)).reverse();
  expect(entry).toMatchObject({
    payload: { artifact: { sha256: hash, media_type: 'image/png', size: content.length } },
  });
  const found = await under.orders.getArtifact({ organizationId, orderId, sha256: hash });
  expect(Buffer.from(found.content)).toEqual(content);
  expect(found.mediaType).toBe('image/png');
  const other = await anOrderThat(under, 'SUBMITTED');
  for (const wanted of [
    { organizationId: other.organizationId, orderId, sha256: hash },
    { ...other, sha256: hash },
    { organizationId, orderId, sha256: sha256(Buffer.from('other')) },
  ])
    await expect(
      under.orders.getArtifact({
        organizationId: wanted.organizationId,
        orderId: wanted.orderId,
        sha256: wanted.sha256,
      }),
    ).rejects.toMatchObject({ kind: 'NOT_FOUND', details: { resource: 'artifact' } });
});

test('an operator reads the file of any order, and no file of another order by it', async () => {
  const { orderId, content, sha256: hash } = await withPicture(13);
  const found = await under.commands.exportArtifact({ orderId, sha256: hash });
  expect(Buffer.from(found.content)).toEqual(content);
  expect(found.mediaType).toBe('image/png');
  const other = await anOrderThat(under, 'SUBMITTED');
  for (const wanted of [
    { orderId: other.orderId, sha256: hash },
    { orderId, sha256: sha256(Buffer.from('other')) },
  ])
    await expect(under.commands.exportArtifact(wanted)).rejects.toMatchObject({
      kind: 'NOT_FOUND',
      details: { resource: 'artifact' },
    });
});

test('a file is served until its retention ends, and not between then and its erasure', async () => {
  const { orderId, organizationId, sha256: hash } = await withPicture(14);
  const wanted = { organizationId, orderId, sha256: hash };
  // files of a held organization are not erased, so that what is tested is the reading
  await owner.query('insert into held_organizations values ($1, 1, 1)', [organizationId]);
  const retainUntil = (time: string) =>
    owner.query(`update artifacts set expires_at = ${time} where order_id = $1`, [orderId]);
  await retainUntil("clock_timestamp() + interval '1 minute'");
  expect((await under.orders.getArtifact(wanted)).mediaType).toBe('image/png');
  await retainUntil('clock_timestamp()');
  for (const read of [
    () => under.orders.getArtifact(wanted),
    () => under.commands.exportArtifact({ orderId, sha256: hash }),
  ])
    await expect(read()).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  expect(await under.storedFiles(orderId)).toHaveLength(1);
});

test('an erasure of all personal data erases the pictures, and the hash stays', async () => {
  const order = await withPicture(11);
  const { orderId, organizationId, circumstances, sha256: hash } = order;
  const wanted = { organizationId, orderId, sha256: hash };
  const request = { circumstances, fields: [], reason: 'test' };
  await expect(under.commands.erasePersonalData(request)).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
  });
  expect((await under.orders.getArtifact(wanted)).content.length).toBeGreaterThan(0);
  await under.commands.deliverOrder({ circumstances });
  await under.commands.closeOrder({ circumstances });
  await under.commands.erasePersonalData(request);
  await expect(under.orders.getArtifact(wanted)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await until(
    async () =>
      (await owner.query('select 1 from artifacts where order_id = $1', [orderId])).rowCount === 0,
    { what: 'the erasure of the file' },
  );
  expect(await under.storedFiles(orderId)).toEqual([]);
});

test('an order without personal fields has its pictures erased, too', async () => {
  const order = await anOrderThat(under, 'SEALED');
  const { orderId, organizationId, circumstances } = order;
  const content = pngPicture(12);
  const photo = { methods: ['photo'], to: { party: 'Blutkurier', role: 'carrier' } };
  await under.commands.recordHandover({
    circumstances,
    ...aHandover({ ...photo, artifact: { content, mediaType: 'image/png' } }),
  });
  await under.commands.startTransport({ circumstances });
  await under.commands.deliverOrder({ circumstances });
  await under.commands.closeOrder({ circumstances });
  const request = { circumstances, reason: 'test' };
  await under.commands.erasePersonalData({ ...request, fields: ['driver'] });
  const wanted = { organizationId, orderId, sha256: sha256(content) };
  expect((await under.orders.getArtifact(wanted)).mediaType).toBe('image/png');
  await under.commands.erasePersonalData({ ...request, fields: [] });
  await expect(under.orders.getArtifact(wanted)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});

test('a file whose entry was never committed is erased', async () => {
  const order = await anOrderThat(under, 'SEALED');
  const { orderId, organizationId } = order;
  const hash = sha256(Buffer.from('orphan'));
  await owner.query(
    `insert into artifacts (organization_id, order_id, sha256, media_type, personal, expires_at)
     values ($3, $1, $2, 'image/png', true, now() + interval '1 hour')`,
    [orderId, hash, organizationId],
  );
  await expect(
    under.orders.getArtifact({ organizationId, orderId, sha256: hash }),
  ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await owner.query(
    "update artifacts set expires_at = now() - interval '1 second' where sha256 = $1",
    [hash],
  );
  const other = await anOrderThat(under, 'SUBMITTED');
  // an erasure without a value wakes the expiry
  await under.commands.erasePersonalData({ circumstances: other.circumstances, reason: 'test' });
  await until(
    async () =>
      (await owner.query('select 1 from artifacts where sha256 = $1', [hash])).rowCount === 0,
    { what: 'the erasure of the orphan' },
  );
});

test('an order whose seal is broken is delivered after its scan is waived', async () => {
  const more = { requiredEvidenceJson: JSON.stringify({ dropoff: ['scan'] }) };
  const { circumstances, orderId, organizationId } = await anOrderThat(under, 'IN_TRANSIT', more);
  const scan = { stage: 'dropoff', methods: ['scan'], scannedSealIds: ['S-1'] };
  await under.commands.recordHandover({ circumstances, ...aHandover(scan) });
  await expect(under.commands.deliverOrder({ circumstances })).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    message: expect.stringContaining('or waive it'),
  });
  const note = 'Seal S-2 was cut at the border.';
  const waived = { stage: 'dropoff', methods: ['scan'], note };
  await under.commands.waiveEvidence({ circumstances, ...waived });
  expect(await lastEvents(orderId, 1)).toMatchObject([
    {
      type: 'order.updated',
      internalType: 'EVIDENCE_WAIVED',
      payload: { stage: 'dropoff', methods: ['scan'], note: { commitment: expect.anything() } },
    },
  ]);
  const { order } = await under.commands.deliverOrder({ circumstances });
  expect(order?.status).toBe('DELIVERED');
  const { disclosures } = await under.orders.getSequence({ organizationId, id: orderId });
  expect(disclosures).toContainEqual(expect.objectContaining({ valueJson: JSON.stringify(note) }));
});

import { create, toBinary } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { encodePage } from '@pto/moves';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { Level } from '@pto/proto/moves/v1/moves';
import { until } from '@pto/testing';
import { delivered, since } from '../organizations/deliveries.ts';
import { underTest } from '../under-test.ts';
import { anOrganization, eventsOf, openServiceDatabase } from '../webhooks-service.ts';
import { holdUntilQuiet, type Moved, nextToken } from './move.ts';

const under = underTest({
  WEBHOOKS_RETRY_WAITS: '100ms,100ms,100ms,100ms,100ms',
  WEBHOOKS_BROKEN_SILENCE: '1ms',
});

const held = { kind: 'ORGANIZATION_HELD' };
const heldAt = async (organizationId: string, level: Level): Promise<Moved> => {
  const moved = { organizationId, token: nextToken() };
  await holdUntilQuiet(under.replica, moved, level);
  return moved;
};

const custodyEvent = (organizationId: string) =>
  Buffer.from(
    toBinary(CustodyEventSchema, create(CustodyEventSchema, { event: { organizationId } })),
  );

/** The rows of an organization that partners and operators change, without the hold itself. */
const rowsOf = (organizationId: string) =>
  Promise.all(
    [
      'endpoints',
      'endpoint_secrets',
      'endpoint_sequences',
      'endpoint_creations',
      'deliveries',
      'pending_deliveries',
      'named_replays',
    ].map((table) =>
      under.stores.superuser.query<{ row: string }>(
        `select to_jsonb(t) - 'paused' as row from ${table} t where organization_id = $1 order by 1`,
        [organizationId],
      ),
    ),
  );

test('every change of a held organization is rejected and leaves no row; its reads continue', async () => {
  const { webhooks, deliveries, moves } = under.replica;
  const endpoint = await under.endpoint();
  const { organizationId, id } = endpoint;
  const [delivery] = await delivered(under, endpoint, 1);
  const moved = await heldAt(organizationId, Level.WRITES);
  const before = await rowsOf(organizationId);
  const { url } = await under.receiver();
  const of = { organizationId, endpointId: id };
  const changes: (() => Promise<unknown>)[] = [
    () => webhooks.createEndpoint({ organizationId, url }),
    () =>
      webhooks.createEndpoint({
        organizationId,
        url,
        idempotencyKey: 'k',
        bodySha256: Buffer.alloc(32),
      }),
    () => webhooks.updateEndpoint({ organizationId, id, url }),
    () => webhooks.updateEndpoint({ organizationId, id, disabled: true }),
    () => webhooks.updateEndpoint({ organizationId, id, setEventFilter: true }),
    () => webhooks.deleteEndpoint({ organizationId, id }),
    () => webhooks.verifyEndpoint({ organizationId, id }),
    () => webhooks.rotateSecret({ ...of, overlapSeconds: 60 }),
    () => webhooks.setRehearsal({ ...of, speed: 2, faults: [], forMs: 1000 }),
    () => webhooks.recoverEndpoint({ ...of, since }),
    () => webhooks.replayEndpointDelivery({ ...of, id: delivery!.id }),
    () => deliveries.replayDelivery({ id: delivery!.id, commandId: crypto.randomUUID() }),
    () => deliveries.setEndpointDisabled({ id, disabled: true }),
    () => deliveries.rotateEndpointSecret({ id }),
    () => deliveries.recoverDeliveries({ id, since }),
  ];
  for (const change of changes) await expect(change()).rejects.toMatchObject(held);
  expect(await rowsOf(organizationId)).toEqual(before);
  expect((await webhooks.listEndpoints({ organizationId })).endpoints).toHaveLength(1);
  const stored = { organizationId, id: delivery!.id, endpointId: id };
  expect((await webhooks.getEndpointDelivery(stored)).delivery).toMatchObject({ id: stored.id });
  // an operator's call names the id alone: it goes to the cell that does not hold the organization
  const lookUps = [
    () => deliveries.getDelivery({ id: delivery!.id }),
    () => deliveries.getDeliveryBody({ id: delivery!.id }),
    () => deliveries.showEndpoint({ id }),
    () => deliveries.listDeliveries({ endpointId: id }),
  ];
  for (const lookUp of lookUps) await expect(lookUp()).rejects.toMatchObject(held);

  await moves.release(moved);
  for (const lookUp of lookUps) await lookUp();
  await webhooks.rotateSecret({ ...of, overlapSeconds: 60 });
  await webhooks.updateEndpoint({ organizationId, id, url });
});

test('a receiver of a held organization gets no handshake, however often it is requested', async () => {
  const { webhooks, deliveries, moves } = under.replica;
  const { organizationId, id, receiver } = await under.endpoint();
  const moved = await heldAt(organizationId, Level.WRITES);
  const before = receiver.asked.length;
  for (const verify of [
    () => webhooks.verifyEndpoint({ organizationId, id }),
    () => deliveries.repeatHandshake({ id }),
  ])
    await expect(verify()).rejects.toMatchObject(held);
  expect(receiver.asked).toHaveLength(before);
  await moves.release(moved);
  expect(await webhooks.verifyEndpoint({ organizationId, id })).toMatchObject({ verified: true });
  expect(receiver.asked).toHaveLength(before + 1);
});

test('of a held organization nothing is sent, and another one is not delayed', async () => {
  const [mine, other] = [await under.endpoint(), await under.endpoint()];
  const moved = await heldAt(mine.organizationId, Level.WORK);
  await under.stores.publish(eventsOf(mine.organizationId, 3));
  await under.stores.publish(eventsOf(other.organizationId, 3));
  await until(() => other.receiver.received.length === 3, { what: 'deliveries of the other' });
  const { deliveries } = await under.replica.deliveries.listDeliveries({
    endpointId: mine.id,
    state: 'PENDING',
  });
  expect(deliveries).toHaveLength(3);
  expect(mine.receiver.received).toHaveLength(0);
  // at this level partners change their endpoints, and those are paused by the next call
  const { endpoint } = await under.replica.webhooks.createEndpoint({
    organizationId: mine.organizationId,
    url: mine.receiver.url,
  });
  await holdUntilQuiet(under.replica, moved, Level.WORK);
  await under.stores.publish(eventsOf(mine.organizationId, 1));
  await until(
    async () =>
      (await under.replica.deliveries.listDeliveries({ endpointId: endpoint!.id })).deliveries
        .length === 1,
    { what: 'the event to be queued' },
  );
  await under.stores.publish(eventsOf(other.organizationId, 1));
  await until(() => other.receiver.received.length === 4, {
    what: 'a later delivery of the other',
  });
  expect(mine.receiver.received).toHaveLength(0);
  await under.replica.moves.release(moved);
  await until(() => mine.receiver.received.length === 5, { what: 'the deliveries' });
  const numbers = mine.receiver.received.map(({ sequence }) => sequence);
  expect(numbers.toSorted()).toEqual([1, 1, 2, 3, 4]);
});

test('a hold waits for attempts in flight, and names them', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { organizationId, receiver } = await under.endpoint({
    answer: (_, response) => void answered.then(() => response.writeHead(204).end()),
  });
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.length === 1, { what: 'an attempt' });
  const moved = { organizationId, token: nextToken() };
  const { moves } = under.replica;
  const response = await moves.hold({ ...moved, level: Level.WORK });
  expect(response).toMatchObject({ remaining: 1n, waitsFor: 'deliveries in flight' });
  answer();
  await holdUntilQuiet(under.replica, moved, Level.WORK);
  expect(receiver.received).toHaveLength(1);
  await moves.release(moved);
});

test('a lost lease ends with the hold as with a claim: its result is not recorded any more', async () => {
  const { superuser } = under.stores;
  const { organizationId, id } = await under.endpoint();
  const moved = await heldAt(organizationId, Level.WORK);
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(
    async () =>
      (await superuser.query('select from pending_deliveries where endpoint_id = $1', [id]))
        .length > 0,
    {
      what: 'the delivery',
    },
  );
  await superuser.query(
    `update pending_deliveries set attempts = 1, lease_owner = gen_random_uuid(), leased_at = now() - interval '9 s',
       lease_until = now() - interval '1 s', first_attempt_at = now(), due_if_lost_at = now() + interval '1 h'
     where endpoint_id = $1`,
    [id],
  );
  await holdUntilQuiet(under.replica, moved, Level.WORK);
  const rows = await superuser.query(
    `select p.lost, p.lease_owner, p.lease_until, p.tried, p.attempts, a.error, a.duration_ms,
       p.due_at > now() + interval '59 min' as later
     from pending_deliveries p join attempts a on a.delivery_id = p.delivery_id where p.endpoint_id = $1`,
    [id],
  );
  expect(rows).toEqual([
    {
      lost: 1,
      lease_owner: null,
      lease_until: null,
      tried: false,
      attempts: 1,
      error: 'lost',
      duration_ms: 8000,
      later: true,
    },
  ]);
  await under.replica.moves.release(moved);
});

test('a hold waits for events that were announced, and not for later ones', async () => {
  const { moves } = under.replica;
  const { organizationId } = await under.endpoint();
  const db = await openServiceDatabase(under.stores);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  // the dispatcher cannot queue while the streams are locked
  const locked = db.transaction(async (tx) => {
    await tx.query('select from endpoint_sequences where organization_id = $1 for update', [
      organizationId,
    ]);
    await ended;
  });
  const moved = { organizationId, token: nextToken() };
  try {
    await under.stores.publish(eventsOf(organizationId, 2));
    const first = await moves.hold({ ...moved, level: Level.WRITES });
    expect(first).toMatchObject({
      remaining: 2n,
      waitsFor: 'custody events that the dispatcher has not handled',
    });
    await under.stores.publish(eventsOf(anOrganization(), 5));
    const second = await moves.hold({ ...moved, level: Level.WRITES, mark: first.mark });
    expect([second.mark, second.remaining <= 2n]).toEqual([first.mark, true]);
  } finally {
    end();
    await locked;
    await db.close();
  }
  await holdUntilQuiet(under.replica, moved, Level.WRITES);
  const { rows } = await moves.count({ organizationId });
  expect(rows).toMatchObject({ events: 2n, pending_deliveries: 2n });
  await moves.release(moved);
});

test('a hold waits for dead letters of the organization and for unreadable ones, and for no others', async () => {
  const { moves } = under.replica;
  const { superuser } = under.stores;
  const [mine, other] = [await under.endpoint(), await under.endpoint()];
  await under.stores.publish(eventsOf(mine.organizationId, 1));
  await until(() => mine.receiver.received.length === 1, { what: 'the delivery' });
  const park = (value: Buffer) =>
    superuser.query(
      `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id, type, value, reason, rejected)
       values (gen_random_uuid(), 'webhooks.dispatcher', 'custody.custody-events.v1', 0, $1, 'k', gen_random_uuid(), 't', $2, 'r', false)`,
      [Math.floor(Math.random() * 1e9), value],
    );
  await park(custodyEvent(other.organizationId));
  const moved = await heldAt(mine.organizationId, Level.WRITES);
  const unreadable = Buffer.from('ff', 'hex');
  const withoutEvent = Buffer.alloc(0);
  // one that nobody can read, or that has no event, may be anybody's
  for (const value of [custodyEvent(mine.organizationId), unreadable, withoutEvent]) {
    await park(value);
    expect(await moves.hold({ ...moved, level: Level.WRITES })).toMatchObject({
      remaining: 1n,
      waitsFor: 'dead letters of the dispatcher: replay or discard them',
    });
    await superuser.query('delete from dead_letters where value = $1', [value]);
  }
  await holdUntilQuiet(under.replica, moved, Level.WRITES);
  await moves.release(moved);
});

test('a creation whose handshake ends during the hold: its key continues with the endpoint', async () => {
  const { webhooks, moves } = under.replica;
  const organizationId = anOrganization();
  const receiver = await under.receiver();
  const request = {
    organizationId,
    url: receiver.url,
    idempotencyKey: 'k',
    bodySha256: Buffer.alloc(32),
  };
  const answerHandshakes = receiver.holdHandshakes();
  const created = webhooks.createEndpoint(request);
  created.catch(() => {});
  await until(() => receiver.asked.length === 1, { what: 'the handshake' });
  const moved = { organizationId, token: nextToken() };
  await moves.hold({ ...moved, level: Level.WRITES });
  answerHandshakes();
  await expect(created).rejects.toMatchObject(held);
  await moves.release(moved);
  const repeated = await webhooks.createEndpoint(request);
  expect(repeated.endpoint).toMatchObject({ status: 'ENABLED' });
  expect((await webhooks.listEndpoints({ organizationId })).endpoints).toHaveLength(1);
});

test('a creation without a key is answered with its secret, though the hold began meanwhile', async () => {
  const { webhooks, moves } = under.replica;
  const organizationId = anOrganization();
  const receiver = await under.receiver();
  const answerHandshakes = receiver.holdHandshakes();
  const created = webhooks.createEndpoint({ organizationId, url: receiver.url });
  await until(() => receiver.asked.length === 1, { what: 'the handshake' });
  const moved = { organizationId, token: nextToken() };
  await moves.hold({ ...moved, level: Level.WRITES });
  answerHandshakes();
  const { endpoint, secret } = await created;
  expect(secret).toMatch(/^whsec_/);
  expect(endpoint).toMatchObject({ status: 'PENDING_VERIFICATION' });
  await moves.release(moved);
});

test('the periodic work leaves a held organization as it is', async () => {
  const { superuser } = under.stores;
  const { moves } = under.replica;
  const [broken, unverified] = [await under.endpoint(), await under.endpoint()];
  const { organizationId } = await under.endpoint();
  const holds = [];
  for (const one of [broken.organizationId, unverified.organizationId, organizationId])
    holds.push(await heldAt(one, Level.WRITES));
  await superuser.transaction(async (tx) => {
    await tx.query("select set_config('session_replication_role', 'replica', true)");
    await tx.query(
      "update endpoints set exhausted = 1, created_at = now() - interval '1 d', verified_at = null where id = $1",
      [broken.id],
    );
    await tx.query(
      "update endpoints set status = 'PENDING_VERIFICATION', verify_by = now() - interval '1 h' where id = $1",
      [unverified.id],
    );
    await tx.query(
      `insert into pending_deliveries (organization_id, delivery_id, endpoint_id, order_id, generation)
       values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1)`,
      [organizationId],
    );
    await tx.query(
      `insert into quarantined_deliveries (organization_id, delivery_id, endpoint_id, order_id, event_id, event, payload, sequence, reason)
       values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'e', '', 1, 'r')`,
      [organizationId],
    );
    await tx.query(
      `insert into warnings (organization_id, id, endpoint_id, level) values ($1, gen_random_uuid(), gen_random_uuid(), 50)`,
      [organizationId],
    );
  });
  // the same work for an organization that nothing holds, as the sign that a sweep has passed
  const control = await under.endpoint();
  await superuser.query(
    "update endpoints set exhausted = 1, created_at = now() - interval '1 d', verified_at = null where id = $1",
    [control.id],
  );
  const status = async (id: string) =>
    (
      await superuser.query<{ status: string; generation: number }>(
        'select status, generation from endpoints where id = $1',
        [id],
      )
    )[0]!;
  await until(async () => (await status(control.id)).status === 'BROKEN', {
    what: 'the sweep',
    deadlineMs: 20_000,
  });
  expect(await status(broken.id)).toEqual({ status: 'ENABLED', generation: 1 });
  expect(await status(unverified.id)).toEqual({ status: 'PENDING_VERIFICATION', generation: 1 });
  const left = async () =>
    (
      await superuser.query<Record<string, number>>(
        `select (select count(*)::int from pending_deliveries where organization_id = $1) as pending,
          (select count(*)::int from quarantined_deliveries where organization_id = $1) as quarantined,
          (select count(*)::int from warnings where organization_id = $1) as warnings`,
        [organizationId],
      )
    )[0]!;
  expect(await left()).toEqual({ pending: 1, quarantined: 1, warnings: 1 });
  for (const one of holds) await moves.release(one);
  await until(async () => (await status(broken.id)).status === 'BROKEN', {
    what: 'BROKEN',
    deadlineMs: 20_000,
  });
  await until(async () => (await status(unverified.id)).generation === 2, {
    what: 'the end',
    deadlineMs: 20_000,
  });
  await until(async () => Object.values(await left()).every((n) => n === 0), {
    what: 'the work',
    deadlineMs: 20_000,
  });
}, 60_000);

test('a call with an earlier token changes nothing', async () => {
  const { moves } = under.replica;
  const { organizationId } = await under.endpoint();
  const stale = { organizationId, token: nextToken() };
  const moved = { organizationId, token: nextToken() };
  await moves.hold({ ...moved, level: Level.WRITES });
  const isLater = { kind: 'ILLEGAL_TRANSITION' };
  const head = { of: 'warnings', isFirst: true };
  const rows = encodePage({ head, rows: new Map([['warnings', '[]']]) });
  await expect(moves.hold({ ...stale, level: Level.WRITES })).rejects.toMatchObject(isLater);
  await expect(moves.release(stale)).rejects.toMatchObject(isLater);
  await expect(moves.retire(stale)).rejects.toMatchObject(isLater);
  await expect(moves.import({ ...stale, rows })).rejects.toMatchObject(isLater);
  // held, but not as the target
  await expect(moves.import({ ...moved, rows })).rejects.toMatchObject(isLater);
  await moves.release(moved);
  await moves.release(moved);
  await expect(moves.retire(moved)).rejects.toMatchObject(isLater);
  // the calls were delayed: a later try, or the same one, has released the organization
  for (const delayed of [stale, moved])
    await expect(moves.hold({ ...delayed, level: Level.WRITES })).rejects.toMatchObject(isLater);
  const next = { organizationId, token: nextToken() };
  await moves.hold({ ...next, level: Level.WORK });
  await expect(moves.retire(next)).rejects.toMatchObject(isLater);
  expect((await under.replica.webhooks.listEndpoints({ organizationId })).endpoints).toHaveLength(
    1,
  );
  await moves.release(next);
});

test('malformed requests are rejected', async () => {
  const { moves } = under.replica;
  const organizationId = anOrganization();
  const invalid = { kind: 'VALIDATION' };
  const moved = { organizationId, token: nextToken() };
  await expect(moves.hold({ ...moved })).rejects.toMatchObject(invalid);
  await expect(
    moves.hold({ ...moved, organizationId: 'x', level: Level.WORK }),
  ).rejects.toMatchObject(invalid);
  await expect(moves.hold({ ...moved, level: Level.WRITES, mark: 'x' })).rejects.toMatchObject(
    invalid,
  );
  await expect(moves.hold({ ...moved, level: Level.ARRIVING })).rejects.toMatchObject(invalid);
  for (const page of ['x', '{"of":"inbox","after":null}'])
    await expect(moves.export({ organizationId, page })).rejects.toMatchObject(invalid);
  const { probe } = await moves.mark({ organizationId });
  await moves.hold({ ...moved, level: Level.ARRIVING, probe });
  for (const rows of [
    '',
    'x',
    '{"of":"inbox","isFirst":true,"tables":["inbox"]}\n[]',
    '{"of":"events","isFirst":true,"tables":["events"]}',
  ])
    await expect(moves.import({ ...moved, rows: Buffer.from(rows) })).rejects.toMatchObject(
      invalid,
    );
  await moves.release(moved);
});

import { expect, test } from '@jest/globals';
import { levels } from '@pto/moves';
import { until } from '@pto/testing';
import { delivered, since } from '../organizations/deliveries.ts';
import { underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({
  WEBHOOKS_RETRY_WAITS: '100ms,100ms,100ms,100ms,100ms',
  WEBHOOKS_BROKEN_SILENCE: '1ms',
});

const held = { kind: 'ORGANIZATION_HELD' };
let tokens = 0;
/** Later tries have greater tokens. */
const nextToken = (): string => `${++tokens}`;
type Level = (typeof levels)['paused' | 'held'];

const heldAt = async (organizationId: string, level: Level) => {
  const moved = { organizationId, token: nextToken() };
  await under.replica.moves.hold({ ...moved, level });
  return moved;
};

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
  const moved = await heldAt(organizationId, levels.held);
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
  const moved = await heldAt(organizationId, levels.held);
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
  const moved = await heldAt(mine.organizationId, levels.paused);
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
  await under.replica.moves.hold({ ...moved, level: levels.paused });
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
  await moves.hold({ ...moved, level: levels.held });
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
  await moves.hold({ ...moved, level: levels.held });
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
    holds.push(await heldAt(one, levels.held));
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
  await moves.hold({ ...moved, level: levels.held });
  const isLater = { kind: 'ILLEGAL_TRANSITION' };
  await expect(moves.hold({ ...stale, level: levels.held })).rejects.toMatchObject(isLater);
  await expect(moves.release(stale)).rejects.toMatchObject(isLater);
  await moves.release(moved);
  await moves.release(moved);
  // the calls were delayed: a later try, or the same one, has released the organization
  for (const delayed of [stale, moved])
    await expect(moves.hold({ ...delayed, level: levels.held })).rejects.toMatchObject(isLater);
  const next = { organizationId, token: nextToken() };
  await moves.hold({ ...next, level: levels.paused });
  expect((await under.replica.webhooks.listEndpoints({ organizationId })).endpoints).toHaveLength(
    1,
  );
  await moves.release(next);
});

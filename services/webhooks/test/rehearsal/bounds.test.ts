import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, type TestEndpoint, underTest } from '../under-test.ts';
import { eventsOf, type Replica, startReplica } from '../webhooks-service.ts';

const under = underTest();
const wanted = { speed: 1, faults: ['late'], forMs: 60_000 };
let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await under.endpoint();
});
const target = () => ({ organizationId: endpoint.organizationId, endpointId: endpoint.id });

test.each([
  [{ speed: 0 }, 'speed'],
  [{ speed: 61 }, 'speed'],
  [{ faults: ['late', 'lost'] }, 'faults'],
  [{ forMs: 86_400_001 }, 'duration'],
])('%j is rejected', async (more, member) => {
  const set = under.replica.webhooks.setRehearsal({ ...target(), ...wanted, ...more });
  await expect(set).rejects.toMatchObject({
    kind: 'VALIDATION',
    details: { detail: [{ loc: ['body', member] }] },
  });
});

test('the greatest rehearsal is accepted, and shown in the order of the document', async () => {
  const faults = ['reorder', 'late', 'duplicate', 'late'];
  const most = { speed: 60, faults, forMs: 86_400_000 };
  const set = await under.replica.webhooks.setRehearsal({ ...target(), ...most });
  const shown = await under.replica.webhooks.getRehearsal(target());
  expect(set.rehearsal).toMatchObject({ speed: 60, faults: ['duplicate', 'late', 'reorder'] });
  expect(shown.rehearsal).toEqual(set.rehearsal);
});

test("another organization's endpoint is not found, as an unknown one", async () => {
  const { webhooks } = under.replica;
  const foreign = { ...target(), organizationId: randomUUID() };
  const unknown = { ...target(), endpointId: randomUUID() };
  const failures = await Promise.all(
    [foreign, unknown].flatMap((which) => [
      webhooks.setRehearsal({ ...which, ...wanted }).catch((error) => error),
      webhooks.getRehearsal(which).catch((error) => error),
    ]),
  );
  for (const failure of failures)
    expect(failure).toMatchObject({ kind: 'NOT_FOUND', message: failures[0].message });
});

describe('in production', () => {
  let production: Replica;
  beforeAll(async () => {
    await under.replica.stop();
    production = await startReplica(under.stores, { ENVIRONMENT: 'production' });
  });
  afterAll(() => production.stop());

  test('no RPC sets, shows or creates a rehearsal', async () => {
    const { webhooks } = production;
    const { organizationId } = endpoint;
    const calls = [
      webhooks.setRehearsal({ ...target(), ...wanted }),
      webhooks.getRehearsal(target()),
      webhooks.createEndpoint({
        organizationId,
        url: 'https://localhost/hook',
        rehearsalSpeed: 60,
      }),
    ];
    for (const call of calls)
      await expect(call).rejects.toMatchObject({
        kind: 'NOT_FOUND',
        details: { resource: 'rehearsal' },
      });
    expect((await webhooks.listEndpoints({ organizationId })).endpoints).toHaveLength(1);
  });

  test('a stored rehearsal has no effect', async () => {
    const { organizationId, id } = endpoint; // with all faults, and speed 60
    await under.stores.publish(eventsOf(organizationId, 1));
    const [row] = await deliveriesOf(production, id, 'PENDING');
    const shown = async () => (await production.deliveries.getDelivery({ id: row!.id })).delivery!;
    await until(async () => (await shown()).attempts.length > 0, { what: 'an attempt' });
    // read again: an answer can have the lease of the attempt in place of the next due time
    const delivery = await shown();
    const { at } = delivery.attempts[0]!;
    expect(Date.parse(at) - Date.parse(delivery.createdAt)).toBeLessThan(20_000);
    const wait = Date.parse(delivery.dueAt) - Date.parse(at);
    expect(wait).toBeGreaterThan(50_000);
  });
});

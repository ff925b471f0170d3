import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import type { Order } from '@pto/proto/orders/v1/orders';
import { orderJson } from '@pto/representation';
import { until } from '@pto/testing';
import { query, tokenOf } from '../../../operators/test/operators-service.ts';
import {
  call,
  type GatewayUnderTest,
  orderLinkOf,
  partnerOf,
  portalSessionOf,
  startGatewayService,
} from '../gateway-service.ts';

/** Decision 20. */
const endsWithinMs = 5000;
const hourMs = 3_600_000;
const place = (city: string) => ({
  id: crypto.randomUUID(),
  ...{ label: `Ward in ${city}`, street: 'Street 1', zip: '10117', city, country: 'DE' },
  ...{ createdViaApi: true, createdAt: '2026-01-01T00:00:00.000Z' },
});
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();

interface Given {
  readonly organizationId: string;
  readonly status: string;
  readonly entries: readonly (readonly [type: string, at: string, payload?: object])[];
  readonly codes?: { readonly pickup?: string; readonly dropoff?: string };
  readonly open?: readonly { entry: number; kind: string }[];
}
/** The orders behind the gateway, by their ids. */
const orders = new Map<string, Given>();
const orderOf = (organizationId: string, id: string): Given => {
  const found = orders.get(id);
  if (found?.organizationId !== organizationId)
    throw new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });
  return found;
};
const bodyOf = (id: string, { status, open = [] }: Given) =>
  orderJson({
    ...{ id, status, sla: 'EXPRESS', source: 'partner_api', externalId: 'PATIENT-7', items: [] },
    ...{ notes: 'for Ms. Patient', pickupDetail: 'Gate 3', dropoffDetail: 'Night porter' },
    ...{ pickupLocation: place('Berlin'), dropoffLocation: place('Munich') },
    ...{ pickupWindowStart: ago(3), priceTotal: '98765.50', cancelReason: 'because' },
    ...{ temperatureMin: '2', temperatureMax: '8', hasIncident: true },
    openIncidentsJson: JSON.stringify(open),
    ...{ createdAt: ago(4), updatedAt: ago(1) },
  } as unknown as Order);

/** Persons that entries name. */
const persons: Readonly<Record<string, readonly [field: string, name: string]>> = {
  DRIVER_ASSIGNED: ['driver', 'D. Driver'],
  HANDOVER_RECORDED: ['to_person', 'N. Person'],
};

let under: GatewayUnderTest;
let base: string;
beforeAll(async () => {
  under = await startGatewayService({
    replicas: 2,
    redisUrl: '', // nothing tells the gateways of a change
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '100000' },
    behind: {
      orders: {
        getOrder: async ({ organizationId, id }) => ({
          body: Buffer.from(JSON.stringify(bodyOf(id, orderOf(organizationId, id)))),
        }),
        getSequence: async ({ organizationId, id }) => ({
          sequence: orderOf(organizationId, id).entries.length,
          disclosures: orderOf(organizationId, id).entries.flatMap(([type], n) => {
            const [field, name] = persons[type] ?? [];
            return field
              ? [{ entry: n + 1, field, valueJson: JSON.stringify(name), salt: 'a' }]
              : [];
          }) as never,
        }),
        getHandoverCode: async ({ organizationId, id, side }) => {
          const code = orderOf(organizationId, id).codes?.[side as 'pickup' | 'dropoff'];
          return code === undefined ? {} : { code };
        },
      },
      custody: {
        listEvents: async ({ organizationId, orderId }) => ({
          entries: orderOf(organizationId, orderId).entries.map(
            ([internalType, tsUtc, payload = {}], n) => ({
              ...{ id: crypto.randomUUID(), type: 'order.updated', internalType, tsUtc },
              ...{ payloadJson: JSON.stringify(payload), sequence: n + 1 },
              ...{ prevEventHash: 'f'.repeat(64), eventHash: 'e'.repeat(64) },
            }),
          ) as never,
        }),
      },
    },
  });
  base = under.baseUrls[0]!;
});
afterAll(() => under.stop());

const condition = {
  ...{ v: 'condition/1', unit: 'celsius', limit_min: 2, limit_max: 8, excursion_count: 0 },
  custody: { covered: { from: ago(2), to: ago(1), count: 3, minimum: 4.1, maximum: 5.2 } },
};
const onTheWay: Given['entries'] = [
  ['ORDER_SUBMITTED', ago(4)],
  ['ORDER_ASSIGNED', ago(3.5), { transport_organization: 'City Couriers' }],
  ['DRIVER_ASSIGNED', ago(3), { driver: { commitment: 'c'.repeat(64) } }],
  ['PICKUP_STARTED', ago(2.5)],
  ['TRANSPORT_STARTED', ago(2)],
  ['CONDITION_RECORDED', ago(1), condition],
  ['INCIDENT_REPORTED', ago(1), { note: { commitment: 'd'.repeat(64) } }],
];
const closed = (hours: number): Given['entries'] => [...onTheWay, ['ORDER_CLOSED', ago(hours)]];

/** A partner with an order in this state. */
const withOrder = async (
  status = 'IN_TRANSIT',
  entries: Given['entries'] = onTheWay,
  rights: Parameters<typeof partnerOf>[1] = {},
) => {
  const partner = await partnerOf(under, rights);
  const id = crypto.randomUUID();
  orders.set(id, { organizationId: partner.organizationId, status, entries });
  return { ...partner, id, path: `/orders/${id}/links` };
};
const create = async (path: string, key: string, body: object = { side: 'dropoff' }) =>
  call('POST', `${base}${path}`, { key, body });
/** Creates a link. @returns its secret. */
const linkOf = async ({ path, key }: { path: string; key: string }, side = 'dropoff') => {
  const { status, body } = await create(path, key, { side });
  expect(status).toBe(201);
  return new URL(body.url).hash.slice(1);
};
const read = (key: string, at = base) => call('GET', `${at}/order-link`, { key });
const shown = async (key: string) => (await read(key)).status;

test('a link shows its side of its order, and nothing that identifies a patient or the chain', async () => {
  const of = await withOrder();
  const both = await Promise.all(
    (['dropoff', 'pickup'] as const).map(async (side) => read(await linkOf(of, side))),
  );
  const [dropoff, pickup] = both.map(({ body }) => body);
  expect(dropoff).toMatchObject({
    ...{ side: 'dropoff', status: 'IN_TRANSIT', status_since: onTheWay[4]![1] },
    ...{
      detail: 'Night porter',
      time_zone: 'Europe/Berlin',
      transport_organization: 'City Couriers',
    },
    ...{ driver: 'D. Driver', temperature_min: 2, temperature_max: 8, has_certificate: false },
    place: { city: 'Munich' },
    readings: { minimum: 4.1, maximum: 5.2, within_limits: true },
  });
  expect(pickup).toMatchObject({ side: 'pickup', detail: 'Gate 3', place: { city: 'Berlin' } });
  for (const text of [
    of.id,
    'PATIENT-7',
    'Patient',
    '98765',
    'because',
    'ffff',
    'eeee',
    'INCIDENT',
  ])
    for (const answer of both) expect(answer.text).not.toContain(text);
  expect(both[0]!.text).not.toMatch(/Gate 3|Ward in Berlin/);
  expect(both[1]!.text).not.toMatch(/Night porter|Munich/);
});

test('a link shows the code of its side alone, and no other answer has it', async () => {
  const of = await withOrder('DRIVER_ASSIGNED');
  const links = [await linkOf(of, 'pickup'), await linkOf(of, 'dropoff')] as const;
  const answers = async () => Promise.all(links.map((secret) => read(secret)));
  const codes = async () => (await answers()).map(({ body }) => body.code);
  expect(await codes()).toEqual([null, null]);
  orders.set(of.id, { ...orders.get(of.id)!, codes: { pickup: '0417', dropoff: '9358' } });
  expect(await codes()).toEqual(['0417', '9358']);
  const [pickup, dropoff] = await answers();
  expect(pickup!.text).not.toContain('9358');
  expect(dropoff!.text).not.toContain('0417');
  const opened = await call('POST', `${base}/order-link/views`, { key: links[1] });
  expect(opened.body.code).toBe('9358');
  for (const path of [`/orders/${of.id}`, of.path])
    expect((await call('GET', `${base}${path}`, { key: of.key })).text).not.toMatch(/0417|9358/);
  for (const text of [under.logged.join(), under.operators.logged.join()])
    expect(text).not.toMatch(/"(0417|9358)"/);
});

test('the driver is named between pick-up and delivery alone', async () => {
  const named = await Promise.all(
    ['DRIVER_ASSIGNED', 'PICKUP_STARTED', 'SEALED', 'IN_TRANSIT', 'DELIVERED', 'CLOSED'].map(
      async (status) => {
        const { body } = await read(await linkOf(await withOrder(status, closed(0))));
        return body.driver !== null;
      },
    ),
  );
  expect(named).toEqual([false, true, true, true, false, false]);
});

test('a link says when the goods were delivered, also after the order was closed', async () => {
  const entries: Given['entries'] = [...onTheWay, ['CUSTODY_TRANSFERRED', ago(0.5)]];
  const times = async (status: string, of: Given['entries']) =>
    (await read(await linkOf(await withOrder(status, of)))).body.delivered_at;
  expect(await times('IN_TRANSIT', onTheWay)).toBeNull();
  expect(await times('DELIVERED', entries)).toBe(entries.at(-1)![1]);
  const closed = [...entries, ['ORDER_CLOSED', ago(0.1)] as const];
  expect(await times('CLOSED', closed)).toBe(entries.at(-1)![1]);
});

test.each([
  ['transfer', 'courier', 'dropoff', ['Other Party', 'N. Person']],
  ['transfer', 'courier', 'pickup', ['Other Party', 'N. Person']],
  ['dropoff', 'consignee', 'dropoff', ['Other Party', null]],
  ['dropoff', 'consignee', 'pickup', [null, null]],
  ['return', 'shipper', 'dropoff', [null, null]],
  ['return', 'shipper', 'pickup', ['Other Party', null]],
])('after a handover, %s to a %s, the link of the %s says %j', async (stage, role, side, says) => {
  const to_person = { commitment: 'c'.repeat(64) };
  const handover = { stage, to: { role, party: 'Other Party' }, to_person };
  const entries = [...onTheWay, ['HANDOVER_RECORDED', ago(0.5), handover] as const];
  const { body } = await read(await linkOf(await withOrder('IN_TRANSIT', entries), side));
  expect([body.transport_organization, body.driver]).toEqual(says);
});

test('a link says which kinds of incidents are open, temperature first, and no escalation', async () => {
  const entries = [
    ...onTheWay,
    ['TEMPERATURE_EXCURSION', ago(0.5)] as const,
    ['ORDER_ESCALATED', ago(0.2)] as const,
  ];
  const of = await withOrder('IN_TRANSIT', entries);
  const secret = await linkOf(of);
  const problem = async (...open: [entry: number, kind: string][]) => {
    const given = open.map(([entry, kind]) => ({ entry, kind, severity: 'high' }));
    orders.set(of.id, { ...orders.get(of.id)!, open: given });
    return (await read(secret)).body.problem;
  };
  expect(await problem()).toBeNull();
  expect(await problem([9, 'escalation'])).toBeNull();
  expect(await problem([7, 'seal'], [8, 'temperature'], [9, 'escalation'])).toEqual({
    at: entries[7]![1],
    kinds: ['excursion', 'seal'],
  });
  expect(await problem([7, 'temperature'])).toEqual({ at: entries[6]![1], kinds: ['temperature'] });
});

test('a link ends 24 hours after its order, and at the erasure; none is made after that', async () => {
  const states: [string, Given['entries'], number][] = [
    ['CLOSED', closed(23.9), 200],
    ['CLOSED', closed(24.1), 404],
    ['CANCELLED', [['ORDER_CANCELLED', ago(23.9)]], 200],
    ['CANCELLED', [['ORDER_CANCELLED', ago(24.1)]], 404],
    ['CLOSED', [...closed(1), ['PERSONAL_DATA_ERASED', ago(0.1), { erased: {} }]], 404],
    ['IN_TRANSIT', onTheWay.map(([type, , payload]) => [type, ago(999), payload ?? {}]), 200],
  ];
  for (const [status, entries, expected] of states) {
    const of = await withOrder();
    const secret = await linkOf(of);
    orders.set(of.id, { ...orders.get(of.id)!, status, entries });
    const opened = await call('POST', `${base}/order-link/views`, { key: secret });
    const certificate = await call('GET', `${base}/order-link/certificate`, { key: secret });
    expect([status, await shown(secret), opened.status]).toEqual([status, expected, expected]);
    if (expected === 404) expect(certificate.status).toBe(404);
    expect((await create(of.path, of.key)).status).toBe(expected === 200 ? 201 : 409);
    const { body } = await call('GET', `${base}${of.path}`, { key: of.key });
    expect(body).toHaveLength(expected === 200 ? 2 : 0);
  }
});

test('an order of another organization has no link, and its links are not ended', async () => {
  const [mine, foreign] = [await withOrder(), await withOrder()];
  const secret = await linkOf(foreign);
  const [link] = (await call('GET', `${base}${foreign.path}`, { key: foreign.key })).body;
  const missing = await call('DELETE', `${base}/orders/${crypto.randomUUID()}/links`, mine);
  for (const [method, path, body] of [
    ['POST', foreign.path, { side: 'dropoff' }],
    ['GET', foreign.path],
    ['DELETE', foreign.path],
    ['DELETE', `${foreign.path}/${link.id}`],
  ] as const) {
    const answer = await call(method, `${base}${path}`, { key: mine.key, body });
    expect([answer.status, answer.text]).toEqual([404, missing.text]);
  }
  // under an order of mine
  await call('DELETE', `${base}${mine.path}/${link.id}`, { key: mine.key });
  expect(await shown(secret)).toBe(200);
  // a link to an order of another organization, as an operator may create by mistake
  expect(await shown(await orderLinkOf(under, mine.organizationId, foreign.id))).toBe(404);
});

test('only a link opens what links show, and a link opens nothing else', async () => {
  const of = await withOrder();
  for (const key of [of.key, await portalSessionOf(under, of.key)])
    expect((await read(key)).body.error.code).toBe('INSUFFICIENT_SCOPE');
  const secret = await linkOf(of);
  for (const path of [`/orders/${of.id}`, '/orders', '/ping', '/requests', '/events'])
    expect((await call('GET', `${base}${path}`, { key: secret })).status).toBe(403);
  expect((await create(of.path, secret)).status).toBe(403);
  // nor does a session of the portal make links
  expect((await create(of.path, await portalSessionOf(under, of.key))).status).toBe(403);
  expect((await create(of.path, (await withOrder()).key, {})).status).toBe(422);
});

test('no link outlives its end, its key, its organization or its time by 5 s, on any replica', async () => {
  type Of = Awaited<ReturnType<typeof withOrder>>;
  const ends: Record<string, (of: Of, id: string) => Promise<unknown>> = {
    'its end': ({ path, key }, id) => call('DELETE', `${base}${path}/${id}`, { key }),
    'the end of all': ({ path, key }) => call('DELETE', `${base}${path}`, { key }),
    'a revoked key': ({ keyId }) => under.operator.revokeKey({ id: keyId }),
    'a rotated key': ({ keyId }) => under.operator.rotateKey({ id: keyId, overlapSeconds: 0 }),
    'a disabled organization': ({ organizationId: id }) =>
      under.operator.setOrganizationEnabled({ id, enabled: false }),
    'its time': (_, id) =>
      query(
        under.database.ownerUrl,
        `update order_links set expires_at = now() - interval '1 s' where id = $1`,
        [id],
      ),
    'an operator': async ({ organizationId, id: orderId }, id) => {
      const token = await tokenOf(under.database, ['dispatcher']);
      const links = under.operators.client(OrderLinkService, 'access', token);
      return links.endOrderLinks({ organizationId, orderId, id });
    },
  };
  await Promise.all(
    Object.entries(ends).map(async ([what, end]) => {
      const of = await withOrder();
      const [secret, untouched] = [await linkOf(of), await linkOf(await withOrder())];
      const [{ id }] = (await call('GET', `${base}${of.path}`, { key: of.key })).body;
      const codes = () =>
        Promise.all(under.baseUrls.map(async (at) => (await read(secret, at)).status));
      expect([what, await codes()]).toEqual([what, [200, 200]]);
      await end(of, id);
      await until(async () => (await codes()).every((code) => code === 401 || code === 403), {
        deadlineMs: endsWithinMs,
        what: `the end of the link by ${what}`,
      });
      expect(await shown(untouched)).toBe(200);
    }),
  );
});

test('openings are counted, readings are not', async () => {
  const of = await withOrder();
  const secret = await linkOf(of);
  const list = async () => (await call('GET', `${base}${of.path}`, { key: of.key })).body[0];
  expect(await list()).toMatchObject({ side: 'dropoff', views: 0, last_viewed_at: null });
  for (let n = 0; n < 3; n++) await call('POST', `${base}/order-link/views`, { key: secret });
  await shown(secret);
  const { views, last_viewed_at } = await list();
  expect([views, Date.now() - Date.parse(last_viewed_at) < 60_000]).toEqual([3, true]);
});

test('a link uses up no budget of its key and of other links', async () => {
  const of = await withOrder('IN_TRANSIT', onTheWay, { reads: 20, writes: 100 });
  const [flooded, other] = [await linkOf(of), await linkOf(of)];
  const codes: number[] = [];
  for (
    let n = 0;
    n < 20;
    n++ // no more at once than wait for a slot
  )
    codes.push(...(await Promise.all(Array.from({ length: 20 }, () => shown(flooded)))));
  // without Redis each of two replicas grants its half of 600
  expect(codes.filter((code) => code === 200)).toHaveLength(300);
  expect(await shown(other)).toBe(200);
  expect((await call('GET', `${base}/ping`, { key: of.key })).status).toBe(200);
});

test('a link lasts as long as requested, at most 30 days, and an order has at most 50', async () => {
  const of = await withOrder('IN_TRANSIT', onTheWay, { writes: 1000 });
  for (const expires_in of [299, 30 * 86_400 + 1]) {
    const { status, body } = await create(of.path, of.key, { side: 'pickup', expires_in });
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'expires_in']]);
  }
  const seconds = async (body: object) =>
    (Date.parse((await create(of.path, of.key, body)).body.expires_at) - Date.now()) / 1000;
  expect(await seconds({ side: 'pickup', expires_in: 300 })).toBeCloseTo(300, -1.5);
  expect(await seconds({ side: 'pickup' })).toBeCloseTo(30 * 86_400, -2);
  let status = 201;
  for (let n = 0; n < 60 && status === 201; n++) ({ status } = await create(of.path, of.key));
  expect(status).toBe(422);
});

test('no secret of a link is stored or logged, and an expired one leaves no row', async () => {
  const of = await withOrder();
  const secret = await linkOf(of);
  await shown(secret);
  const stored = await query(under.database.ownerUrl, 'select * from order_links');
  for (const text of [JSON.stringify(stored), under.logged.join(), under.operators.logged.join()])
    expect(text).not.toContain(secret.slice(9, -6));
  const rows = async () =>
    (await query(under.database.ownerUrl, 'select 1 from order_links where order_id = $1', [of.id]))
      .length;
  await query(
    under.database.ownerUrl,
    `update order_links set expires_at = now() - interval '1 s' where order_id = $1`,
    [of.id],
  );
  expect(await rows()).toBe(1);
  await linkOf(await withOrder());
  expect(await rows()).toBe(0);
});

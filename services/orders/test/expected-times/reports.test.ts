/** What drivers report of expected times, and when partners learn of it (decision 87). */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { anOrderThat } from '../changes/an-order-in-transit.ts';
import { bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client({ connectionString: under.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString();
const aDriver = () => ({ driverId: randomUUID(), carrierId: randomUUID(), key: 'k' });

/** An order of a driver who is on the way to its pick-up, whose window has begun. */
const anOrderUnderWay = async (by = under, more: object = {}) => {
  const pickupWindowStart = inMinutes(-60);
  const order = await anOrderThat(by, 'SUBMITTED', { pickupWindowStart, ...more });
  const { orderId, circumstances, organizationId } = order;
  const driver = aDriver();
  await by.commands.assignOrder({ circumstances, transportOrganization: 'B' });
  await by.commands.acceptOrder({ circumstances });
  await by.commands.assignDriver({ circumstances, driver: 'Kim', driverId: driver.driverId });
  return {
    ...order,
    driver,
    shown: async () => bodyOf(await by.orders.getOrder({ organizationId, id: orderId })),
    report: (minutes: number, more: { stop?: string } = {}, as: object = { party: driver }) =>
      by.commands.reportExpectedTime(
        { orderId, stop: 'pickup', at: inMinutes(minutes), ...more },
        as,
      ),
    position: (lat = 52.4, lng = 13.1, driverId = driver.driverId) =>
      by.ofOperators.estimateArrival({ orderId, driverId, position: { lat, lng } }),
    events: async () => (await by.commands.showOrder({ orderId })).order!.sequence,
  };
};
const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    ({ kind }) => kind,
  );

test('an order shows the word of its driver, to the partner and on the board', async () => {
  const order = await anOrderUnderWay();
  expect(await order.shown()).toMatchObject({ eta_source: 'estimate' });
  const { expected } = await order.report(5);
  const { pickupEta: pickup_eta, dropoffEta: dropoff_eta } = expected!;
  const shown = await order.shown();
  expect(shown).toMatchObject({ pickup_eta, dropoff_eta, eta_source: 'driver' });
  const { orders } = await under.commands.listOpenOrders({});
  const card = orders.find(({ id }) => id === order.orderId)!;
  expect(card).toMatchObject({ pickupEta: pickup_eta, etaSource: 'driver' });
  expect(shown.updated_at).toBe(card.updatedAt);
});

test('a move by 9 min is not announced, a move by 11 min is', async () => {
  const order = await anOrderUnderWay();
  const before = await order.events();
  await order.report(9);
  expect(await order.events()).toBe(before);
  await order.report(12);
  expect(await order.events()).toBe(before + 1);
  const { rows } = await owner.query(
    `select type, encode(value, 'escape') as value from outbox
      where key = $1 order by id desc limit 1`,
    [order.orderId],
  );
  expect(rows[0].type).toBe('order.updated');
  expect(rows[0].value).toContain('{"fields":["pickup_eta"]}');
});

test('20 reports at once are announced once, and the last one when 5 min have passed', async () => {
  const order = await anOrderUnderWay();
  const before = await order.events();
  const minutes = Array.from({ length: 20 }, (_, n) => 30 + n * 30);
  await Promise.all(minutes.map((minute) => order.report(minute)));
  expect(await order.events()).toBe(before + 1);
  const later = `update orders set
      expected_times = replace(expected_times, $2, $3), expected_due_at = now() - interval '1 s'
    where id = $1 and expected_due_at is not null returning expected_times`;
  const {
    rows: [row],
  } = await owner.query('select expected_times from orders where id = $1', [order.orderId]);
  const { at } = JSON.parse(row.expected_times).announced;
  // as it is 5 min later
  const earlier = new Date(Date.parse(at) - 300_000).toISOString();
  expect((await owner.query(later, [order.orderId, at, earlier])).rowCount).toBe(1);
  const { database, bus } = under;
  const [one, other] = await Promise.all([
    startOrdersService({ database, bus }),
    startOrdersService({ database, bus }),
  ]);
  try {
    await until(async () => (await order.events()) === before + 2, {
      what: 'the announcement that was due',
    });
    const due = await owner.query('select expected_due_at from orders where id = $1', [
      order.orderId,
    ]);
    expect(due.rows).toEqual([{ expected_due_at: null }]);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
  }
  expect(await order.events()).toBe(before + 2);
});

describe('a report changes nothing', () => {
  test.each<
    [string, (of: Awaited<ReturnType<typeof anOrderUnderWay>>) => Promise<unknown>, string]
  >([
    ['by another driver', (of) => of.report(30, {}, { party: aDriver() }), 'NOT_FOUND'],
    ['with another driver’s position', (of) => of.position(52, 13, randomUUID()), 'NOT_FOUND'],
    [
      'of the stop after the next',
      (of) => of.report(30, { stop: 'dropoff' }),
      'ILLEGAL_TRANSITION',
    ],
    ['of no stop', (of) => of.report(30, { stop: 'home' }), 'VALIDATION'],
    ['of a time long ago', (of) => of.report(-6), 'VALIDATION'],
    ['of a time next month', (of) => of.report(31 * 24 * 60), 'VALIDATION'],
    ['with a position on no globe', (of) => of.position(91), 'VALIDATION'],
  ])('%s', async (_, report, kind) => {
    const of = await anOrderUnderWay();
    const before = await of.shown();
    expect(await kindOf(report(of))).toBe(kind);
    expect(await of.shown()).toEqual(before);
    expect(await kindOf(of.report(-4))).toBe('ok');
    expect(await kindOf(of.report(7 * 24 * 60 - 1))).toBe('ok');
  });

  test('of an order that has ended, or that the driver has left', async () => {
    const of = await anOrderUnderWay();
    await of.report(30);
    await under.commands.releaseDriver(of);
    expect(await kindOf(of.report(30))).toBe('NOT_FOUND');
    expect(await kindOf(of.report(30, {}, {}))).toBe('ILLEGAL_TRANSITION');
    expect(await of.shown()).toMatchObject({ eta_source: 'estimate' });
    await under.commands.cancelOrder({ ...of, reason: 'r' });
    expect(await of.shown()).toMatchObject({
      pickup_eta: null,
      dropoff_eta: null,
      eta_source: null,
    });
  });
});

test('an office reports what the driver said on the telephone', async () => {
  const order = await anOrderUnderWay();
  await order.report(30, {}, {});
  expect(await order.shown()).toMatchObject({ eta_source: 'driver' });
});

/** The forms in which a row or a line could have a coordinate; digits alone are in any id and hash. */
const formsOf = (degrees: number): string[] => {
  const text = `${degrees}`.slice(0, -1); // rounded by one digit, too
  const double = Buffer.alloc(8);
  double.writeDoubleLE(degrees);
  return [
    ...[text, Buffer.from(text).toString('hex'), double.toString('hex')],
    `${degrees}`.replace('.', ''),
  ];
};

test('a position moves the time, and no table and no log has it', async () => {
  const order = await anOrderUnderWay();
  const [lat, lng] = [52.418273, 13.138461];
  const forms = [...formsOf(lat), ...formsOf(lng)];
  const { expected } = await order.position(lat, lng);
  expect(expected).toMatchObject({ etaSource: 'estimate' });
  expect(expected!.pickupEta).not.toBe((await order.report(1)).expected!.pickupEta);
  for (const table of ['orders', 'outbox', 'done_commands', 'disclosures']) {
    const { rows } = await owner.query(`select t::text as text from ${table} t`);
    expect(forms.filter((form) => rows.some(({ text }) => text.includes(form)))).toEqual([]);
  }
  expect(forms.filter((form) => under.lines.join('').includes(form))).toEqual([]);
});

/** Responses in the form of the engines' documents. */
const engines = {
  osrm: (seconds: unknown) => ({
    code: 'Ok',
    routes: [{ distance: 30_000, duration: seconds, weight: 1, legs: [] }],
    waypoints: [],
  }),
  valhalla: (seconds: unknown) => ({
    trip: { status: 0, status_message: 'ok', summary: { time: seconds, length: 30 }, legs: [] },
  }),
};

describe.each(['osrm', 'valhalla'] as const)('with %s as the router', (kind) => {
  let server: Server;
  let behave: RequestListener;
  let routed: OrdersUnderTest;
  const asked: { method: string; url: string; body: string }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      asked.push({ method: request.method!, url: request.url!, body });
      behave(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    routed = await startOrdersService({
      environment: {
        ORDERS_ROUTER: kind,
        ORDERS_ROUTER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/roads`,
        ORDERS_ROUTER_TIMEOUT: '300ms',
      },
    });
  });
  afterAll(async () => {
    await routed.stop();
    server.closeAllConnections();
    server.close();
  });
  const json =
    (body: object, status = 200): RequestListener =>
    (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  test('a creation and a list ask nobody', async () => {
    behave = json(engines[kind](60));
    const order = await anOrderUnderWay(routed);
    await order.shown();
    expect(asked).toEqual([]);
  });

  test('a position is routed to the stop, and the way between the stops, too', async () => {
    behave = json(engines[kind](1200.4));
    const order = await anOrderUnderWay(routed);
    asked.length = 0;
    const { expected } = await order.position(52.4, 13.1);
    const minutes = (Date.parse(expected!.pickupEta!) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(19);
    expect(minutes).toBeLessThan(21.1);
    expect(expected!.etaSource).toBe('router');
    // 15 min of handling, 20 min by the engine
    const way = Date.parse(expected!.dropoffEta!) - Date.parse(expected!.pickupEta!);
    expect(way).toBe(35 * 60_000);
    expect(asked).toHaveLength(2);
    const sent = asked.find(({ url, body }) => /13\.1[,"}]/.test(url + body))!;
    if (kind === 'osrm') {
      expect(sent.method).toBe('GET');
      expect(sent.url).toMatch(/^\/roads\/route\/v1\/driving\/13\.1,52\.4;13\.\d+,52\.\d+\?/);
    } else {
      expect(sent.method).toBe('POST');
      expect(sent.url).toBe('/roads/route');
      const { locations, costing } = JSON.parse(sent.body);
      expect(locations[0]).toEqual({ lat: 52.4, lon: 13.1 });
      expect(costing).toBe('auto');
    }
  });

  test('a driver who loses the order during a call of the router reports nothing', async () => {
    behave = json(engines[kind](60));
    const order = await anOrderUnderWay(routed);
    const { circumstances, orderId } = order;
    behave = async (request, response) => {
      behave = json(engines[kind](60));
      await routed.commands.releaseDriver({ circumstances });
      const driverId = randomUUID();
      await routed.commands.assignDriver({ circumstances, driver: 'Lu', driverId });
      behave(request, response);
    };
    expect(await kindOf(order.report(30))).toBe('NOT_FOUND');
    expect(await order.shown()).toMatchObject({ eta_source: 'estimate' });
    const { order: now } = await routed.commands.showOrder({ orderId });
    expect(now).toMatchObject({ status: 'DRIVER_ASSIGNED', driver: 'Lu' });
  });

  test.each<[string, RequestListener]>([
    ['is too slow', () => {}],
    ['fails', json({}, 500)],
    ['finds no way', json(kind === 'osrm' ? { code: 'NoRoute' } : { error_code: 442 }, 400)],
    ['responds with another form', json({ routes: 'none', trip: [] })],
    ['responds with null', (_, response) => response.writeHead(200).end('null')],
    ['responds with no number', json(engines[kind]('soon'))],
    ['responds with a month', json(engines[kind](30 * 86_400))],
    ['hangs up', (_, response) => response.destroy()],
  ])('a router that %s leaves the estimate', async (_, listener) => {
    behave = listener;
    const order = await anOrderUnderWay(routed);
    const { expected } = await order.position();
    expect(expected).toMatchObject({ etaSource: 'estimate' });
    expect(routed.lines.join('')).not.toContain('13.1');
  });
});

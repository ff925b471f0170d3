/** Where orders stand on the page Now, and how its steps are sent. */
import { describe, expect, test } from '@jest/globals';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { until } from '@pto/testing';
import {
  alarmsIn,
  boardOf,
  callsOf,
  columnOf,
  dueOf,
  exceptionsOf,
  sharedBy,
  untoldCallsOf,
} from '../../../console/src/board/columns.ts';
import { commandsOf, flowOf } from '../../../console/src/board/flows.ts';
import { holdingOf } from '../../../console/src/board/holding.ts';
import { knownBytes } from '../../../console/src/board/known.ts';
import { openSteps, type Step } from '../../../console/src/board/steps.ts';
import { driverOf, namedBy, suggest } from '../../../console/src/board/suggest.ts';
import { largestUnit } from '../../../console/src/parts/duration.ts';
import { countdown, placeTime } from '../../../console/src/parts/local-time.ts';

const now = Date.parse('2026-03-02T12:00:00.000Z');
const minutes = (n: number) => new Date(now + n * 60_000).toISOString();
let made = 0;
const anOrder = (more: object = {}) =>
  ({
    id: `00000000-0000-7000-8000-${String(++made).padStart(12, '0')}`,
    status: 'ACCEPTED',
    sla: 'STANDARD',
    pickupWindowStart: minutes(120),
    missingEvidence: [],
    lockedCodes: [],
    hasCustodyFault: false,
    ...more,
  }) as unknown as OpenOrder;
const incident = (kind: string) => JSON.stringify([{ entry: 2, kind, severity: 'high' }]);

test.each([
  ['late', { pickupWindowStart: minutes(-1) }],
  ['late', { pickupWindowStart: minutes(-30), pickupWindowEnd: minutes(-1), status: 'SUBMITTED' }],
  ['late', { pickupWindowEnd: minutes(150), pickupEta: minutes(151) }],
  ['later', { pickupWindowEnd: minutes(150), pickupEta: minutes(150) }],
  ['due', { pickupWindowStart: minutes(-30), pickupWindowEnd: minutes(59) }],
  ['due', { pickupWindowStart: minutes(59), status: 'SUBMITTED' }],
  ['mine', { status: 'SUBMITTED' }],
  ['mine', { openIncidentsJson: incident('escalation') }],
  ['mine', { status: 'IN_TRANSIT', openIncidentsJson: incident('escalation') }],
  ['moving', { status: 'PICKUP_STARTED', pickupWindowStart: minutes(-90) }],
  ['moving', { status: 'DELIVERED' }],
  ['moving', { status: 'IN_TRANSIT', missingEvidence: ['signature'] }],
  ['exceptions', { status: 'DELIVERED', missingEvidence: ['signature'] }],
  ['exceptions', { openIncidentsJson: incident('damage'), pickupWindowStart: minutes(-1) }],
  ['exceptions', { hasCustodyFault: true }],
  ['exceptions', { lockedCodes: ['dropoff'] }],
  ['later', {}],
  ['later', { status: 'DRIVER_ASSIGNED', pickupWindowStart: minutes(60) }],
] as const)('an order stands under %s: %j', (column, more) => {
  expect(columnOf(anOrder(more), now)).toBe(column);
});

/** The orders, as unknown to one endpoint. */
const untoldTo = (endpointId: string, orders: readonly OpenOrder[]) =>
  orders.map(({ id }) => [id, { endpointId, endpointAddress: 'lmu.example/hooks' }] as const);

test('an order of which an endpoint was not told is an exception, and says which', () => {
  const order = anOrder();
  const untold = new Map(untoldTo('a', [order]));
  expect(columnOf(order, now, untold)).toBe('exceptions');
  expect(exceptionsOf(order, untold)).toEqual(['not told: lmu.example/hooks']);
  expect(columnOf(anOrder(), now, untold)).toBe('later');
});

test('an endpoint that was not told of more than three orders makes none of them an exception, and asks once', () => {
  const late = { pickupWindowStart: minutes(-30) };
  const [three, four] = [3, 4].map((count) => Array.from({ length: count }, () => anOrder(late)));
  const orders = [...three!, ...four!];
  const untold = new Map([...untoldTo('few', three!), ...untoldTo('many', four!)]);
  expect([...sharedBy(orders, untold)]).toEqual([['many', four]]);
  const board = boardOf(orders, now, untold);
  expect([board.exceptions.length, board.late.length]).toEqual([3, 4]);
  const calls = untoldCallsOf(orders, untold);
  expect(calls.size).toBe(4);
  expect(calls.get('many')!.why).toBe('not told: lmu.example/hooks, of more than 3 orders');
});

test('of exceptions the severest stands first, whatever ends first', () => {
  const of = (id: string, severity: string, minute: number) =>
    anOrder({
      id,
      openIncidentsJson: JSON.stringify([{ entry: 3, kind: 'damage', severity }]),
      pickupWindowStart: minutes(minute),
    });
  const board = boardOf([of('a', 'low', 1), of('b', 'high', 9), of('c', 'high', 5)], now);
  expect(board.exceptions.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

test('an escalated exception stands before a severe one, and of two alike the more urgent', () => {
  const of = (id: string, sla: string, ...kinds: readonly string[]) => {
    const open = kinds.map((kind, n) => ({ entry: n + 2, kind, severity: 'high' }));
    return anOrder({ id, sla, openIncidentsJson: JSON.stringify(open) });
  };
  const [plain, critical] = [of('a', 'STANDARD', 'damage'), of('b', 'CRITICAL', 'damage')];
  const escalated = of('c', 'STANDARD', 'damage', 'escalation');
  const board = boardOf([plain, critical, escalated], now);
  expect(board.exceptions.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

test('what is due or waits in time is no alarm, as what is late or wrong is', () => {
  const board = boardOf(
    [
      anOrder({ id: 'a', pickupWindowStart: minutes(-1) }),
      anOrder({ id: 'b', hasCustodyFault: true }),
      anOrder({ id: 'c', pickupWindowStart: minutes(30) }),
      anOrder({ id: 'd', status: 'SUBMITTED', pickupWindowStart: minutes(300) }),
    ],
    now,
  );
  expect(alarmsIn(board)).toBe(2);
});

test('urgent new orders, exceptions and untold endpoints ask for attention, each by a key that stays', () => {
  const urgent = anOrder({ status: 'SUBMITTED', sla: 'CRITICAL' });
  const wrong = anOrder({ openIncidentsJson: incident('damage') });
  const calm = [anOrder({ sla: 'CRITICAL' }), anOrder({ status: 'SUBMITTED' })];
  const orders = [urgent, wrong, ...calm];
  expect([...callsOf(orders)]).toEqual([
    [`${urgent.id} new, critical`, { order: urgent, why: 'new, critical' }],
    [`${wrong.id} damage, high`, { order: wrong, why: 'damage, high' }],
  ]);
  const untold = new Map(untoldTo('a', calm.slice(0, 1)));
  const calls = untoldCallsOf(orders, untold);
  expect([...calls.values()]).toEqual([{ order: calm[0], why: 'not told: lmu.example/hooks' }]);
});

test('what ends first stands first, and of two that end together the more urgent one', () => {
  const orders = [
    anOrder({ pickupWindowStart: minutes(-5) }),
    anOrder({ pickupWindowStart: minutes(-90), pickupWindowEnd: minutes(-20) }),
    anOrder({ pickupWindowStart: minutes(-5), sla: 'CRITICAL' }),
    anOrder({ pickupWindowStart: minutes(-5), sla: 'EXPRESS' }),
  ];
  const [standard, oldest, critical, express] = orders;
  expect(boardOf(orders, now).late).toEqual([oldest, critical, express, standard]);
  expect(dueOf(oldest!)).toBe(minutes(-20));
});

test.each([
  [-61, '1 h 1 min late'],
  [-1, '1 min late'],
  [0.5, 'in 0 min'],
  [65, 'in 1 h 5 min'],
  [60 * 72, 'in 3 days'],
  [60 * 90, 'in 3 days'],
  [-60 * 90, '3 days late'],
])('%d minutes from now are %s', (n, words) => {
  expect(countdown(minutes(n), now)).toBe(words);
});

test('a countdown has the days of an age, whatever the hour', () => {
  for (let hours = 48; hours < 200; hours++)
    expect(countdown(minutes(60 * hours), now)).toBe(`in ${largestUnit(hours * 3600).join(' ')}s`);
});

test('who has the goods is named with the number of a record: of the driver, else of the carrier', () => {
  const [carrierId, driverId] = ['c', 'd'];
  const records = (of: string) => ({
    carriers: [{ id: 'c', name: 'City Couriers', telephone: '1' }],
    drivers: [{ id: 'd', name: 'Kim', telephone: of }],
  });
  const held = (more: object, of = '2') => {
    const own = { transportOrganization: 'City Couriers', carrierId, driver: 'Kim', driverId };
    return holdingOf(anOrder({ status: 'IN_TRANSIT', ...own, ...more }), records(of) as never);
  };
  expect(held({})).toMatchObject({ words: 'City Couriers · Kim', telephone: '2' });
  expect(held({}, '')).toMatchObject({ telephone: '1' });
  expect(held({ heldBy: 'Night' })).toMatchObject({ words: 'Held by Night', telephone: '' });
  expect(held({ heldBy: 'Night', status: 'ACCEPTED' })).toMatchObject({ telephone: '2' });
  expect(held({ heldBy: 'City Couriers' })).toMatchObject({ telephone: '2' });
});

test.each([
  ['DE', '13:00', 'CET'],
  ['GB', '12:00', 'GMT'],
  ['US', '12:00', 'UTC'], // it has several time zones
  ['', '12:00', 'UTC'],
  ['nowhere', '12:00', 'UTC'],
])('noon in UTC is shown by the clock of %j as %s %s', (country, clock, zone) => {
  expect(placeTime(minutes(0), country, now)).toMatch(new RegExp(`^${clock} (${zone}|GMT\\+1)$`));
  expect(placeTime(minutes(0), country, now + 86_400_000)).toMatch(/^Mon,? 0?2 Mar/);
});

test('known orders are the bytes of their ids and versions', () => {
  const bytes = knownBytes([{ id: '00112233-4455-6677-8899-aabbccddeeff', version: 0xfedcba98 }]);
  expect(Buffer.from(bytes).toString('hex')).toBe('00112233445566778899aabbccddeefffedcba98');
});

test('carriers near the order are suggested first, and those that carry less', () => {
  const stop = (city: string) => ({ city }) as OpenOrder['pickup'];
  const carried = (driver: string, city: string) => anOrder({ driver, pickup: stop(city)! });
  const all = [
    ...[carried('Far', 'Bonn'), carried('Busy', 'Berlin'), carried('Busy', 'Berlin')],
    ...[carried('Free', 'Berlin'), anOrder()],
  ];
  const order = anOrder({ pickup: stop('Berlin')! });
  const towns = [order.pickup!.city];
  const names = (records: readonly { id: string; name: string }[], of = all) =>
    suggest(of, towns, records, driverOf).map(({ name }) => name);
  expect(names([])).toEqual(['Free', 'Busy', 'Far']);
  // a record that carries nothing, and one that carries under its name
  const records = [
    { id: 'i', name: 'Idle' },
    { id: 'b', name: 'busy' },
  ];
  expect(names(records)).toEqual(['Free', 'busy', 'Idle', 'Far']);
  // a record has its present name, and one that cannot be assigned is not offered
  const carries = (driverId: string) =>
    anOrder({ ...{ driver: 'Old name', driverId, pickup: stop('Berlin')! } });
  expect(names(records, [carries('i'), carries('gone')])).toEqual(['Idle', 'busy']);
});

test('a text names a record in any case and between spaces', () => {
  const records = [{ id: 'i', name: 'Idle' }];
  expect(namedBy(' idle ', records)).toBe(records[0]);
  expect(namedBy('Idle 2', records)).toBeUndefined();
});

describe('the next step', () => {
  test.each([
    ['SUBMITTED', 'Assign', 'carrier', false],
    ['ASSIGNED', 'Accept', null, false],
    ['ACCEPTED', 'Assign driver', 'driver', false],
    ['DRIVER_ASSIGNED', 'Start pick-up', null, false],
    ['PICKUP_STARTED', 'Seal', 'seals', true],
    ['SEALED', 'Start transport', null, false],
    ['IN_TRANSIT', 'Deliver', 'confirmation', true],
    ['DELIVERED', 'Close the order', null, false],
  ])('of an order that is %s is %s, asks for %s; final: %s', (status, verb, asks, isFinal) => {
    expect(flowOf({ status })).toMatchObject({ verb, asks, isFinal });
  });

  test('of an order that ended is none', () => {
    expect(['CLOSED', 'CANCELLED'].map((status) => flowOf({ status }))).toEqual([
      undefined,
      undefined,
    ]);
  });

  const rpcs = (status: string, given: object) =>
    commandsOf({ status }, given).map(({ rpc }) => rpc);
  test('does together what a person gave together', () => {
    expect(rpcs('SUBMITTED', { transportOrganization: 'T', driver: '' })).toEqual(['assignOrder']);
    expect(rpcs('SUBMITTED', { transportOrganization: 'T', driver: 'D' })).toEqual([
      'assignOrder',
      'acceptOrder',
      'assignDriver',
    ]);
    const records = { carrierId: 'c', driverId: 'd' };
    const given = { transportOrganization: 'T', driver: 'D', ...records };
    expect(commandsOf({ status: 'SUBMITTED' }, given).map(({ fields }) => fields)).toEqual([
      { carrierId: 'c' },
      {},
      { driverId: 'd' },
    ]);
    expect(rpcs('PICKUP_STARTED', { sealIds: ['S'], andNext: true })).toEqual([
      'sealOrder',
      'startTransport',
    ]);
    expect(rpcs('IN_TRANSIT', { andNext: false })).toEqual(['deliverOrder']);
  });
});

describe('a step', () => {
  const memory = () => {
    const stored = new Map<string, string>();
    return {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
  };
  const command = (rpc: string) => ({ rpc, commandId: crypto.randomUUID(), fields: {} });
  const aStep = (more: Partial<Step> = {}): Step => ({
    ...{ id: crypto.randomUUID(), orderId: 'o', words: 'w', by: 'A' },
    ...{ commands: [command('one'), command('two')], sendAt: Date.now(), ...more },
  });
  const opened = (storage = memory(), by = 'A') => {
    const sent: string[] = [];
    const failing = { rpc: '' };
    const steps = openSteps(
      storage,
      by,
      async (_, { rpc, commandId }) => {
        sent.push(`${rpc} ${commandId}`);
        if (rpc === failing.rpc) throw new Error('no');
      },
      () => {},
    );
    return { steps, sent, failing, storage };
  };
  const late = { sendAt: Date.now() + 3_600_000 };

  test('that is taken back is not sent, and the others are, each command once and in turn', async () => {
    const { steps, sent } = opened();
    const [kept, dropped] = [aStep(), aStep(late)];
    steps.add(dropped);
    steps.drop(dropped.id);
    steps.add(kept);
    await until(() => steps.list().length === 0, { what: 'the steps to be sent' });
    expect(sent).toEqual(kept.commands.map(({ rpc, commandId }) => `${rpc} ${commandId}`));
  });

  test('survives a reload with the ids of its commands, and is not sent by another person', async () => {
    const before = opened();
    const step = aStep(late);
    before.steps.add(step);
    before.storage.setItem('steps', JSON.stringify([{ ...step, sendAt: Date.now() }]));
    const other = opened(before.storage, 'B');
    expect(other.steps.list()).toEqual([]);
    const after = opened(before.storage);
    await until(() => after.sent.length === 2, { what: 'the step after the reload' });
    expect(after.sent[0]).toBe(`one ${step.commands[0]!.commandId}`);
    expect(other.sent).toEqual([]);
    before.steps.drop(step.id);
  });

  test('that fails stays with its error, and goes on with the same command', async () => {
    const { steps, sent, failing } = opened();
    failing.rpc = 'two';
    const step = aStep();
    steps.add(step);
    await until(() => steps.list()[0]?.error !== undefined, { what: 'the error' });
    failing.rpc = '';
    steps.retry(step.id);
    await until(() => steps.list().length === 0, { what: 'the second attempt' });
    const id = step.commands[1]!.commandId;
    expect(sent.slice(1)).toEqual([`two ${id}`, `two ${id}`]);
  });
});

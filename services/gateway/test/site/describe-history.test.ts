import { describe, expect, test } from '@jest/globals';
import { describeHistory } from '../../pages/describe-history.ts';

const entry = (internal_type: string, payload: unknown = null, more: object = {}) => ({
  type: 'order.updated',
  internal_type,
  ts_utc: '2026-01-15T09:30:00.125Z',
  gps_lat: null,
  gps_lng: null,
  payload,
  event_hash: 'ab'.repeat(32),
  ...more,
});

const life = [
  entry('ORDER_SUBMITTED', { sla: 'EXPRESS', item_count: 2 }),
  entry('ORDER_ASSIGNED', { transport_organization: 'First Ltd' }),
  entry('ASSIGNMENT_DECLINED', { transport_organization: 'First Ltd' }),
  entry('ORDER_ASSIGNED', { transport_organization: 'Second Ltd' }),
  entry('DRIVER_ASSIGNED', { driver: 'Ada' }),
  entry('DRIVER_RELEASED', { driver: 'Ada' }),
  entry('DRIVER_ASSIGNED', { driver: 'Ben' }),
  entry('PICKUP_STARTED'),
  entry('SEAL_APPLIED', { seal_ids: ['S-1', 'S-2'] }, { gps_lat: 52.520008, gps_lng: -13.4 }),
  entry('INCIDENT_REPORTED', { note: 'A flat tire' }),
  entry('CUSTODY_TRANSFERRED'),
  entry('ORDER_CLOSED'),
];

test('says in words what happened, and when', () => {
  const described = describeHistory(life);
  expect(described.map(({ title }) => title)).toEqual([
    'Order submitted',
    'Order assigned',
    'Assignment declined',
    'Order assigned',
    'Driver assigned',
    'Driver released',
    'Driver assigned',
    'Pickup started',
    'Goods sealed',
    'Incident reported',
    'Goods delivered',
    'Order closed',
  ]);
  expect(described[0]).toEqual({
    time: '2026-01-15 09:30:00 UTC',
    title: 'Order submitted',
    facts: [
      { label: 'Service level', value: 'EXPRESS' },
      { label: 'Items', value: '2' },
    ],
    holder: 'Sender',
    hash: 'ab'.repeat(32),
  });
});

describe('a personal field', () => {
  const commitment = { commitment: 'cd'.repeat(32) };
  const driven = (disclosed: object) =>
    describeHistory([entry('DRIVER_ASSIGNED', { driver: commitment }, { disclosed }), life[7]]);

  test('is shown by its disclosed value, also as the holder', () => {
    const [assigned, started] = driven({ driver: { value: 'Ada', salt: 'ef'.repeat(32) } });
    expect(assigned!.facts).toEqual([{ label: 'Driver', value: 'Ada' }]);
    expect(started!.holder).toBe('Ada');
  });

  test('that the file does not have is said to be missing', () => {
    const [assigned, started] = driven({});
    expect(assigned!.facts).toEqual([{ label: 'Driver', value: 'not disclosed' }]);
    expect(started!.holder).toBe('Driver');
  });

  test.each([null, [], 'x', { driver: null }, { driver: [1] }])('bears disclosed: %j', (odd) => {
    expect(() => driven(odd as object)).not.toThrow();
  });
});

test('names seals, the place and the note', () => {
  const described = describeHistory(life);
  expect(described[8]!.facts).toEqual([
    { label: 'Seals', value: 'S-1, S-2' },
    { label: 'Place', value: '52.520008, -13.4' },
  ]);
  expect(described[9]!.facts).toEqual([{ label: 'Note', value: 'A flat tire' }]);
});

test('names who has the goods: sender until pickup, driver until delivery, then receiver', () => {
  const holders = describeHistory(life).map(({ holder }) => holder);
  expect(holders).toEqual([
    ...Array(7).fill('Sender'),
    ...Array(3).fill('Ben, Second Ltd'),
    ...Array(2).fill('Receiver'),
  ]);
  const [unnamed] = describeHistory([entry('PICKUP_STARTED')]);
  expect(unnamed!.holder).toBe('Driver');
});

describe('a handover', () => {
  const commitment = { commitment: 'cd'.repeat(32) };
  const payload = {
    v: 'handover/1',
    stage: 'transfer',
    from: { party: 'First Ltd', role: 'carrier' },
    to: { party: 'Second Ltd', role: 'carrier' },
    to_person: commitment,
    artifact: null,
    methods: ['pin', 'scan'],
  };
  const described = (disclosed: object, ...later: object[]) =>
    describeHistory([entry('HANDOVER_RECORDED', payload, { disclosed }), ...later]);

  test('gives the goods to the party and person that it names, until the delivery', () => {
    const to_person = { value: 'Ada', salt: 'ef'.repeat(32) };
    const holders = described({ to_person }, life[9]!, life[10]!).map(({ holder }) => holder);
    expect(holders).toEqual(['Ada, Second Ltd', 'Ada, Second Ltd', 'Receiver']);
    expect(described({})[0]!.holder).toBe('Second Ltd');
  });

  test('is described in words, without members that have no value', () => {
    expect(described({})[0]!.facts).toEqual([
      { label: 'Form', value: 'handover/1' },
      { label: 'Stage', value: 'transfer' },
      { label: 'From', value: 'party First Ltd, role carrier' },
      { label: 'To', value: 'party Second Ltd, role carrier' },
      { label: 'To person', value: 'not disclosed' },
      { label: 'Methods', value: 'pin, scan' },
    ]);
  });
});

test('shows unknown types and members as they are written', () => {
  const [described] = describeHistory([entry('DRONE_LANDED', { altitude: 12, toString: true })]);
  expect(described).toMatchObject({
    title: 'DRONE_LANDED',
    facts: [
      { label: 'altitude', value: '12' },
      { label: 'toString', value: 'true' },
    ],
  });
});

describe('describes any value without throwing:', () => {
  const nested = JSON.parse(`${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`);
  test.each([
    ['null', null],
    ['a number', 7],
    ['a list', [1]],
    ['an object for a hash', { event_hash: { toString: 1 } }],
    [
      'an object for each member',
      JSON.parse(JSON.stringify(entry('x')).replace(/:"[^"]*"/g, ':{"toString":1}')),
    ],
    ['objects in the payload', entry('DRIVER_ASSIGNED', { driver: { toString: 1 } })],
    ['a list of objects for seals', entry('SEAL_APPLIED', { seal_ids: [{ toString: 1 }, null] })],
    ['a payload that is a text', entry('SEAL_APPLIED', 'x')],
    ['names of the prototype', entry('constructor', JSON.parse('{"__proto__":{"a":1}}'))],
    ['deep nesting', entry('SEAL_APPLIED', { seal_ids: nested, note: nested })],
    [
      '10,000 members',
      entry('x', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, n]))),
    ],
  ])('%s', (_, value) => {
    const [described] = describeHistory([value]);
    expect(described!.facts.length).toBeLessThanOrEqual(51);
    const texts = [described!.time, described!.title, described!.holder, described!.hash];
    for (const text of [...texts, ...described!.facts.flatMap((fact) => Object.values(fact))]) {
      expect(typeof text).toBe('string');
      expect(text.length).toBeLessThanOrEqual(4003);
    }
  });
});

test('replaces characters that could hide or reverse text, and cuts long texts', () => {
  const [described] = describeHistory([
    entry('INCIDENT_REPORTED', { note: `safe\u202e\u0000\ud800${'x'.repeat(3000)}` }),
  ]);
  expect(described!.facts[0]!.value).toMatch(/^safe\ufffd{3}x{1993}…$/);
});

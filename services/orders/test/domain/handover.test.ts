import { describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import {
  recordHandover as decideHandover,
  requireEvidence,
  sealDifference,
  waiveEvidence,
} from '../../src/domain/handover.ts';
import type {
  Handover,
  HandoverStage,
  IsCode,
  OrderState,
  OrderStatus,
} from '../../src/domain/order.ts';

const sealIds = ['S-1', 'S-2'];
const order = (status: OrderStatus, more: Partial<OrderState> = {}): OrderState => ({
  ...{ status, itemCount: 2, transportOrganization: 'B', driver: null, cancelReason: null },
  ...{ sla: 'EXPRESS', sequence: 7, lastEventAt: null, blocking: null, sealIds },
  ...{ requiredEvidence: {}, recordedEvidence: {}, openIncidents: [], codes: {}, expected: null },
  ...more,
});

const artifact = {
  ...{ sha256: 'ab'.repeat(32), media_type: 'image/png', size: 70 },
  kept_until: '2036-01-15T00:00:00.000Z',
};
const handover = (more: Partial<Handover> = {}): Handover => ({
  stage: 'pickup',
  from: { party: 'Klinikum', role: 'shipper', person: null },
  to: { party: 'Blutkurier', role: 'carrier', person: 'Kim' },
  methods: ['pin'],
  scannedSealIds: null,
  artifact: null,
  ...more,
});
const recordHandover = (state: OrderState, of: Handover, isCode?: IsCode, isSigned = false) =>
  decideHandover(state, { name: 'handover', handover: of, isCode }, isSigned);
const nobody = { party: 'Blutkurier', role: 'carrier', person: null } as const;

/** Returns the place and the words of the failure that a call throws. */
const failureOf = (call: () => unknown): Failure => {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the call was accepted');
};

const statuses = ['PICKUP_STARTED', 'SEALED', 'IN_TRANSIT', 'DELIVERED', 'CLOSED'] as const;
test.each<[HandoverStage, readonly OrderStatus[]]>([
  ['pickup', ['PICKUP_STARTED', 'SEALED']],
  ['transfer', ['IN_TRANSIT']],
  ['dropoff', ['IN_TRANSIT', 'DELIVERED']],
  ['return', ['IN_TRANSIT', 'DELIVERED']],
])('a handover at %s is recorded in %j alone', (stage, permitted) => {
  const record = (status: OrderStatus) => recordHandover(order(status), handover({ stage }));
  for (const status of permitted) expect(record(status).payload).toMatchObject({ stage });
  for (const status of statuses.filter((one) => !permitted.includes(one))) {
    const { kind, message, details } = failureOf(() => record(status));
    expect([kind, details]).toEqual(['ILLEGAL_TRANSITION', { status, target: status }]);
    expect(message).toBe(
      `The order is ${status}; a handover at ${stage} is recorded in ${permitted.join(' or ')}.`,
    );
  }
});

test('the payload has each person that is named, and no other', () => {
  const { payload } = recordHandover(order('SEALED'), handover({ artifact }));
  expect(payload).toStrictEqual({
    v: 'handover/1',
    stage: 'pickup',
    from: { party: 'Klinikum', role: 'shipper' },
    to: { party: 'Blutkurier', role: 'carrier' },
    to_person: 'Kim',
    methods: ['pin'],
    scanned_seal_ids: null,
    artifact,
  });
  const from = { party: 'Klinikum', role: 'shipper', person: 'Dr. Adler' } as const;
  const other = recordHandover(order('SEALED'), handover({ from, to: nobody })).payload;
  expect(other).toMatchObject({ from_person: 'Dr. Adler' });
  expect(other).not.toHaveProperty('to_person');
});

describe('a method without what it needs is rejected', () => {
  const person = 'a signature or checked identity needs the name of the person';
  const file = 'a signature or photo needs its file (PNG, JPEG or PDF)';
  const scan = 'the method scan and the scanned seals belong together';
  test.each<[string, Partial<Handover>, readonly string[], string]>([
    ['an identity of nobody', { methods: ['id_checked'], to: nobody }, ['to', 'person'], person],
    [
      'a signature of nobody',
      { methods: ['signature'], artifact, to: nobody },
      ['to', 'person'],
      person,
    ],
    ['a signature without a file', { methods: ['signature'] }, ['artifact'], file],
    ['a photo without a file', { methods: ['photo'] }, ['artifact'], file],
    ['a scan without seals', { methods: ['scan'] }, ['scanned_seal_ids'], scan],
    ['seals without a scan', { scannedSealIds: sealIds }, ['scanned_seal_ids'], scan],
  ])('%s', (_, more, loc, error) => {
    const { kind, details } = failureOf(() => recordHandover(order('SEALED'), handover(more)));
    expect([kind, details]).toMatchObject(['VALIDATION', { detail: [{ loc, ctx: { error } }] }]);
  });

  test('a scan before the order is sealed', () => {
    const scanned = handover({ methods: ['scan'], scannedSealIds: ['S-1'] });
    const record = () => recordHandover(order('PICKUP_STARTED', { sealIds: [] }), scanned);
    expect(failureOf(record).details).toMatchObject({
      detail: [
        {
          loc: ['scanned_seal_ids'],
          ctx: { error: 'the order is not sealed yet; seal it before the scan' },
        },
      ],
    });
  });

  test.each<[string, Partial<Handover>]>([
    ['a PIN of nobody', { to: nobody }],
    ['a photo of nobody', { methods: ['photo'], artifact, to: nobody }],
    ['an identity of a person', { methods: ['id_checked'] }],
    ['a signature of a person with its file', { methods: ['signature'], artifact }],
    ['a scan with its seals', { methods: ['scan'], scannedSealIds: sealIds }],
  ])('%s is recorded', (_, more) => {
    expect(recordHandover(order('SEALED'), handover(more)).payload).toMatchObject({
      methods: more.methods ?? ['pin'],
    });
  });
});

test('a PIN before the order is sealed is recorded', () => {
  const { change } = recordHandover(order('PICKUP_STARTED', { sealIds: [] }), handover());
  expect(change.recordedEvidence).toEqual({ pickup: ['pin'] });
});

describe('the evidence that a handover adds', () => {
  const recordedBy = (more: Partial<Handover>, before: Partial<OrderState> = {}) =>
    recordHandover(order('IN_TRANSIT', before), handover({ stage: 'dropoff', ...more })).change;

  test('is added to that of its stage, each method once', () => {
    const recordedEvidence = { pickup: ['photo'], dropoff: ['pin', 'photo'] } as const;
    expect(
      recordedBy({ methods: ['pin', 'id_checked'] }, { recordedEvidence }).recordedEvidence,
    ).toEqual({ pickup: ['photo'], dropoff: ['pin', 'photo', 'id_checked'] });
    expect(recordedBy({}).recordedEvidence).toEqual({ dropoff: ['pin'] });
  });

  test.each([
    ['with another seal', ['S-1', 'S-9']],
    ['without one of the seals', ['S-1']],
    ['with one seal too many', ['S-1', 'S-2', 'S-3']],
  ])('has no scan %s, and has the other methods', (_, scannedSealIds) => {
    const change = recordedBy({ methods: ['scan', 'pin'], scannedSealIds });
    expect(change.recordedEvidence).toEqual({ dropoff: ['pin'] });
  });

  test('has the scan of the seals in any sequence, and one that was made before', () => {
    const change = recordedBy({ methods: ['scan'], scannedSealIds: ['S-2', 'S-1', 'S-2'] });
    expect(change.recordedEvidence).toEqual({ dropoff: ['scan'] });
    const recordedEvidence = { dropoff: ['scan'] } as const;
    const later = recordedBy({ methods: ['scan'], scannedSealIds: ['S-9'] }, { recordedEvidence });
    expect(later.recordedEvidence).toEqual({ dropoff: ['scan'] });
  });
});

test('seals are compared as sets, and without a scan there is no difference', () => {
  expect(sealDifference(sealIds, null)).toBeNull();
  expect(sealDifference(sealIds, ['S-2', 'S-1'])).toBeNull();
  expect(sealDifference(sealIds, ['S-1'])).toEqual({ missing: ['S-2'], unexpected: [] });
  expect(sealDifference(sealIds, ['S-1', 'S-2', 'S-9'])).toEqual({
    ...{ missing: [], unexpected: ['S-9'] },
  });
});

describe('the command that ends a stage needs the evidence of the stage', () => {
  const required = { pickup: ['pin', 'photo'], dropoff: ['scan'], return: ['id_checked'] } as const;
  test.each([
    ['startTransport', 'SEALED', 'IN_TRANSIT', 'pickup', ['pin', 'photo']],
    ['deliver', 'IN_TRANSIT', 'DELIVERED', 'dropoff', ['scan']],
    ['close', 'DELIVERED', 'CLOSED', 'return', ['id_checked']],
  ] as const)('%s', (name, status, target, stage, methods) => {
    const requiredEvidence = required;
    const others = { ...required, [stage]: [] };
    const check = (recordedEvidence: OrderState['recordedEvidence']) => () =>
      requireEvidence(order(status, { requiredEvidence, recordedEvidence }), { name }, target);
    const { kind, message, details } = failureOf(check(others));
    expect([kind, details]).toEqual([
      'ILLEGAL_TRANSITION',
      { status, target, missing_evidence: { [stage]: methods } },
    ]);
    expect(message).toBe(
      `The order requires evidence of its ${stage}: record a handover with ${methods.join(', ')}, or waive it.`,
    );
    expect(failureOf(check({})).details).toEqual(details);
    expect(check({ [stage]: ['signature', ...methods] })).not.toThrow();
    expect(() => requireEvidence(order(status), { name }, target)).not.toThrow();
  });

  test('evidence that is waived is no longer required, and only what is missing can be waived', () => {
    const state = order('IN_TRANSIT', {
      requiredEvidence: { ...required, dropoff: ['scan', 'pin'] },
      recordedEvidence: { dropoff: ['pin'] },
    });
    const waive = (stage: string, ...methods: string[]) =>
      waiveEvidence(state, { name: 'waive', stage, methods, note: 'n' });
    const { change, payload } = waive('dropoff', 'scan');
    expect(change).toEqual({ requiredEvidence: { ...required, dropoff: ['pin'] } });
    expect(payload).toEqual({ stage: 'dropoff', methods: ['scan'], note: 'n' });
    const deliver = () =>
      requireEvidence({ ...state, ...change }, { name: 'deliver' }, 'DELIVERED');
    expect(deliver).not.toThrow();
    for (const [stage, ...methods] of [
      ['dropoff', 'pin'],
      ['dropoff', 'photo'],
      ['dropoff'],
      ['elsewhere', 'scan'],
    ] as const)
      expect(failureOf(() => waive(stage, ...methods)).kind).toBe('VALIDATION');
  });

  test('a method that is recorded is not missing', () => {
    const state = order('SEALED', {
      requiredEvidence: required,
      recordedEvidence: { pickup: ['pin'] },
    });
    const check = () => requireEvidence(state, { name: 'startTransport' }, 'IN_TRANSIT');
    expect(failureOf(check).details).toMatchObject({ missing_evidence: { pickup: ['photo'] } });
  });

  test('a command that ends no stage needs none', () => {
    const state = order('SEALED', { requiredEvidence: required });
    expect(() => requireEvidence(state, { name: 'escalate', note: 'n' }, 'SEALED')).not.toThrow();
  });
});

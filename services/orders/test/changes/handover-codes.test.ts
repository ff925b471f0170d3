/** The code that the page of a ward's link shows, at a handover (decision 86). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { aPhone, type Phone, testDatabase } from '@pto/testing';
import { asOwner, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { aHandover, anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let commands: OrdersUnderTest['commands'];
let phone: Phone;
beforeAll(async () => {
  under = await startOrdersService();
  commands = under.commands;
  phone = await aPhone();
});
afterAll(() => under.stop());

type Order = { readonly organizationId: string; readonly orderId: string };
/** What the page of a side shows; null: no code. */
const shown = async ({ organizationId, orderId }: Order, side = 'pickup', by = under) =>
  (await by.orders.getHandoverCode({ organizationId, id: orderId, side })).code ?? null;
const other = (code: string, by = 1) => `${(Number(code) + by) % 10_000}`.padStart(4, '0');
const handOver = (of: Order, code: string | undefined, more: object = {}) =>
  commands.recordHandover({
    circumstances: { orderId: of.orderId },
    ...aHandover({ methods: ['code'], ...(code !== undefined && { code }), ...more }),
  });
const failureOf = (call: Promise<unknown>): Promise<Failure> =>
  call.then(
    () => {
      throw new Error('the call was accepted');
    },
    (error) => error,
  );
const reasonOf = async (call: Promise<unknown>) => {
  const { kind, message } = await failureOf(call);
  return `${kind} ${message}`;
};
const sequenceOf = async ({ organizationId, orderId }: Order) =>
  (await under.orders.getSequence({ organizationId, id: orderId })).sequence;
const lockedOf = async ({ orderId }: Order) =>
  (await commands.showOrder({ orderId })).order!.lockedCodes;

/** An order of a driver with a phone, whose pick-up has begun. */
const anOrderOfDriver = async (more: object = {}) => {
  const order = await anOrderThat(under, 'SUBMITTED', more);
  const driver = { driverId: randomUUID(), carrierId: randomUUID() };
  const { circumstances } = order;
  await commands.assignOrder({ circumstances, transportOrganization: 'B', ...driver });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver: 'Kim', driverId: driver.driverId });
  const calling = { party: { ...driver, key: phone.key } };
  const record = async (code: string, methods = ['code']) => {
    const handover = aHandover({ methods });
    const { from, to } = handover;
    const payload = {
      ...{ v: 'handover/1', stage: 'pickup', methods, scanned_seal_ids: null, artifact: null },
      from,
      to: { party: to.party, role: to.role },
      to_person: to.person,
    };
    const step = { orderId: order.orderId, internalType: 'HANDOVER_RECORDED', payload };
    const given = methods.includes('code') ? { code } : {};
    return { circumstances: await phone.record(driver, step), ...handover, ...given };
  };
  return { ...order, driver, calling, record };
};
const started = async () => {
  const order = await anOrderOfDriver();
  await commands.startPickup({ circumstances: order.circumstances });
  return order;
};

test('a handover with the code of its side has the method code, and uses the code up', async () => {
  const order = await anOrderThat(under, 'PICKUP_STARTED', {
    requiredEvidenceJson: JSON.stringify({ pickup: ['code'] }),
  });
  const code = (await shown(order))!;
  expect(code).toMatch(/^\d{4}$/);
  const { circumstances } = order;
  await commands.sealOrder({ circumstances, sealIds: ['S-1', 'S-2'] });
  await expect(commands.startTransport({ circumstances })).rejects.toMatchObject({
    details: { missing_evidence: { pickup: ['code'] } },
  });
  await handOver(order, code);
  expect(await shown(order)).toBeNull();
  // the driver knows this code now: it proves no second meeting
  expect(await reasonOf(handOver(order, code))).toMatch('the code is wrong; 4 more lock it');
  await commands.startTransport({ circumstances });
  expect((await commands.showOrder(order)).order).toMatchObject({ status: 'IN_TRANSIT' });
});

test('a code belongs to one order and one side', async () => {
  const [one, two] = [
    await anOrderThat(under, 'IN_TRANSIT'),
    await anOrderThat(under, 'IN_TRANSIT'),
  ];
  const codes = await Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      const order = await anOrderThat(under, 'PICKUP_STARTED', { externalId: `C-${n}` });
      return [await shown(order), await shown(order, 'dropoff')];
    }),
  );
  // of eight codes at most two are the same by chance, in 1 of 10,000 runs more
  expect(new Set(codes.flat()).size).toBeGreaterThan(6);
  const stage = { stage: 'dropoff' };
  const mine = (await shown(one, 'dropoff'))!;
  const foreign = (await shown(two, 'dropoff'))!;
  if (mine !== foreign)
    expect(await reasonOf(handOver(one, foreign, stage))).toMatch('the code is wrong');
  await handOver(one, mine, stage);
  expect(await reasonOf(handOver(two, other(foreign), { stage: 'transfer' }))).toMatch(
    'a transfer has no code',
  );
});

test('a side shows a code from the assignment of a driver to its handover, or to the end', async () => {
  const order = await anOrderThat(under, 'SUBMITTED', {
    requiredEvidenceJson: JSON.stringify({ return: ['code'] }),
  });
  const { circumstances } = order;
  const both = async () => [
    (await shown(order)) !== null,
    (await shown(order, 'dropoff')) !== null,
  ];
  const steps: (readonly [() => Promise<unknown>, boolean, boolean])[] = [
    [() => commands.assignOrder({ circumstances, transportOrganization: 'B' }), false, false],
    [() => commands.acceptOrder({ circumstances }), false, false],
    [() => commands.assignDriver({ circumstances, driver: 'Kim' }), true, true],
    [() => commands.releaseDriver({ circumstances }), false, false],
    [() => commands.assignDriver({ circumstances, driver: 'Kim' }), true, true],
    [() => commands.startPickup({ circumstances }), true, true],
    [async () => handOver(order, (await shown(order))!), false, true],
    [() => commands.sealOrder({ circumstances, sealIds: ['S-1', 'S-2'] }), false, true],
    // the sender's second code, for goods that come back
    [() => commands.startTransport({ circumstances }), true, true],
    [() => commands.deliverOrder({ circumstances }), true, true],
    [async () => handOver(order, (await shown(order))!, { stage: 'return' }), false, true],
    [() => commands.closeOrder({ circumstances }), false, false],
  ];
  expect(await both()).toEqual([false, false]);
  for (const [n, [step, ...expected]] of steps.entries()) {
    await step();
    expect([n, ...(await both())]).toEqual([n, ...expected]);
  }
  // nobody expects goods back: no second code
  expect(await shown(await anOrderThat(under, 'IN_TRANSIT'))).toBeNull();
  const foreign = { ...order, organizationId: randomUUID() };
  await expect(shown(foreign)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(shown(order, 'middle')).rejects.toMatchObject({ kind: 'VALIDATION' });
});

test('the method code and a code belong together, and a code has four digits', async () => {
  const order = await anOrderThat(under, 'PICKUP_STARTED');
  const code = (await shown(order))!;
  for (const [call, reason] of [
    [handOver(order, undefined), 'the method code and the code of the link belong together'],
    [handOver(order, code, { methods: ['pin'] }), 'belong together'],
    [handOver(order, '12345'), 'expected the four digits'],
    [handOver(order, `${code} `), 'expected the four digits'],
    [handOver(order, code, { methods: ['device_signature'] }), 'nobody states device_signature'],
    [handOver(order, code, { stage: 'dropoff' }), 'a handover at dropoff is recorded in'],
  ] as const)
    expect(await reasonOf(call)).toMatch(reason);
  // none of them was a guess
  await handOver(order, code);
});

describe('wrong codes', () => {
  test('of 500 guesses by 50 callers five are compared, and the right one is rejected then', async () => {
    const order = await started();
    const right = (await shown(order))!;
    const check = (code: string) =>
      commands.checkHandoverCode({ orderId: order.orderId, stage: 'pickup', code }, order.calling);
    const reasons = new Map<string, number>();
    const guesses = 500;
    let next = 1;
    const guess = async () => {
      while (next <= guesses) {
        const failure = await failureOf(check(other(right, next++)));
        // under load some do not get the row in time, and compare nothing
        const reason = failure.retryable ? 'busy' : /is (wrong|locked)/.exec(failure.message)![1]!;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 50 }, guess));
    expect(reasons.get('wrong')).toBeLessThanOrEqual(5);
    expect([...reasons.values()].reduce((sum, one) => sum + one)).toBe(guesses);
    await asOwner(under.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from orders where id = $1 for update', [order.orderId]);
      // a guess at a locked side does not wait for the row
      expect(await reasonOf(check(right))).toMatch('is locked after 5 wrong ones');
    });
    const thief = { party: { ...order.calling.party, driverId: randomUUID() } };
    const stolen = { orderId: order.orderId, stage: 'pickup', code: right };
    expect(await reasonOf(commands.checkHandoverCode(stolen, thief))).toMatch('NOT_FOUND');
    expect(await reasonOf(handOver(order, right))).toMatch('is locked after 5 wrong ones');
    expect(await shown(order)).toBeNull();
    expect(await lockedOf(order)).toEqual(['pickup']);
    const { orders } = await commands.listOpenOrders({});
    expect(orders.find(({ id }) => id === order.orderId)!.lockedCodes).toEqual(['pickup']);
    // the other side goes on, and a typing error is no entry of the history
    expect(await shown(order, 'dropoff')).not.toBeNull();
    expect(await sequenceOf(order)).toBe(5);
  });

  test('an office and a phone share the count; four of them leave the right one', async () => {
    const order = await started();
    const right = (await shown(order))!;
    const check = { orderId: order.orderId, stage: 'pickup' };
    for (let n = 1; n <= 2; n++) {
      expect(await reasonOf(handOver(order, other(right, n)))).toMatch('the code is wrong');
      const code = other(right, n + 2);
      expect(await reasonOf(commands.checkHandoverCode({ ...check, code }, order.calling))).toMatch(
        'the code is wrong',
      );
    }
    await commands.checkHandoverCode({ ...check, code: right }, order.calling);
    const { order: handed } = await commands.recordHandover(
      await order.record(right),
      order.calling,
    );
    expect(handed).toMatchObject({ sequence: 6, lockedCodes: [] });
  });

  test('a repetition of a wrong guess with its id is no second one', async () => {
    const order = await anOrderThat(under, 'PICKUP_STARTED');
    const right = (await shown(order))!;
    const circumstances = { orderId: order.orderId, commandId: randomUUID() };
    for (let n = 0; n < 7; n++) {
      const failure = await failureOf(handOver(order, other(right), { circumstances }));
      expect(failure).toMatchObject({ kind: 'VALIDATION', message: /4 more lock it/ });
      expect(failure.details).not.toHaveProperty('kept_entry');
    }
    await handOver(order, right);
  });

  test("a wrong code in a phone's record counts, and the record is kept", async () => {
    const order = await started();
    const right = (await shown(order))!;
    const late = await order.record(other(right));
    for (let n = 0; n < 2; n++) {
      const failure = await failureOf(commands.recordHandover(late, order.calling));
      expect(failure).toMatchObject({ kind: 'VALIDATION', details: { kept_entry: 6 } });
      expect(failure.message).toMatch('the code is wrong; 4 more lock it');
    }
    expect(await sequenceOf(order)).toBe(6);
    expect(await reasonOf(handOver(order, other(right)))).toMatch('3 more lock it');
    await commands.recordHandover(await order.record(right), order.calling);
  });

  test('a dispatcher unlocks the side: it shows another code, and the old one is wrong', async () => {
    const order = await anOrderThat(under, 'PICKUP_STARTED');
    const { orderId } = order;
    const before = (await shown(order))!;
    const unlock = async (side = 'pickup') =>
      (await commands.unlockHandoverCode({ orderId, side })).order!.lockedCodes;
    // nothing is locked: the code stays
    expect(await unlock()).toEqual([]);
    expect(await shown(order)).toBe(before);
    for (let n = 1; n <= 5; n++) await failureOf(handOver(order, other(before, n)));
    expect(await unlock('dropoff')).toEqual(['pickup']);
    expect(await unlock()).toEqual([]);
    const after = (await shown(order))!;
    if (after !== before) expect(await reasonOf(handOver(order, before))).toMatch('4 more lock it');
    await handOver(order, after);
    expect(await sequenceOf(order)).toBe(6);
  });
});

test('wrong codes and an unlock leave updated_at, and a right code moves it', async () => {
  const order = await started();
  const { organizationId, orderId, calling } = order;
  const right = (await shown(order))!;
  const updatedAt = async () => (await commands.showOrder({ orderId })).order!.updatedAt;
  const before = await updatedAt();
  const { asOf } = await under.orders.listOrders({
    ...{ organizationId, limit: 10, updatedSince: '2026-01-01T00:00:00.000000Z' },
  });
  const changed = async () => {
    const since = { organizationId, limit: 10, updatedSince: asOf! };
    return (await under.orders.listOrders(since)).bodies.length;
  };
  const check = { orderId, stage: 'pickup', code: other(right) };
  expect(await reasonOf(commands.checkHandoverCode(check, calling))).toMatch('4 more lock it');
  for (let n = 2; n <= 5; n++) await failureOf(handOver(order, other(right, n)));
  expect(await lockedOf(order)).toEqual(['pickup']);
  await commands.unlockHandoverCode({ orderId, side: 'pickup' });
  expect(await lockedOf(order)).toEqual([]);
  expect([await updatedAt(), await changed()]).toEqual([before, 0]);
  await handOver(order, (await shown(order))!);
  expect((await updatedAt()) > before).toBe(true);
  expect(await changed()).toBe(1);
});

test('only the driver of an order compares its code, and only while a handover is due', async () => {
  const order = await anOrderOfDriver();
  const { orderId, calling } = order;
  const code = (await shown(order))!;
  const check = { orderId, stage: 'pickup', code };
  expect(await reasonOf(commands.checkHandoverCode(check, calling))).toMatch(
    'ILLEGAL_TRANSITION The order is DRIVER_ASSIGNED',
  );
  await commands.startPickup({ circumstances: order.circumstances });
  await commands.checkHandoverCode(check, calling);
  const former = await anOrderOfDriver();
  await commands.releaseDriver({ circumstances: former.circumstances });
  await commands.assignDriver({ circumstances: former.circumstances, driver: 'Robin' });
  await expect(
    commands.checkHandoverCode({ ...check, orderId: former.orderId }, former.calling),
  ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  const thief = { party: { ...calling.party, driverId: randomUUID() } };
  for (const given of [code, other(code)])
    await expect(
      commands.checkHandoverCode({ ...check, code: given }, thief),
    ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(commands.checkHandoverCode(check)).rejects.toMatchObject({
    kind: 'CALLER_NOT_ALLOWED',
  });
  expect(
    await reasonOf(commands.checkHandoverCode({ ...check, code: other(code) }, calling)),
  ).toMatch('4 more lock it');
});

test('a code is in no answer to operators or drivers, in no line and in no metric', async () => {
  const order = await started();
  const { orderId, calling } = order;
  const code = (await shown(order))!;
  const wrong = other(code, 4321);
  const failure = await failureOf(handOver(order, wrong));
  const answers = [
    await commands.showOrder({ orderId }),
    await commands.showOrder({ orderId }, calling),
    await commands.listOpenOrders({}, calling),
    { message: failure.message, details: failure.details },
    await commands.recordHandover(await order.record(code), calling),
  ];
  const text = JSON.stringify(answers, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  const digits = (of: string) => new RegExp(`"[^"]*(?<![0-9a-f.-])${of}(?![0-9a-f.-])[^"]*"`);
  const lines = under.lines.join('\n');
  for (const secret of [code, wrong]) {
    expect(text).not.toMatch(digits(secret));
    expect(lines).not.toMatch(digits(secret));
    expect(await under.metrics()).not.toMatch(digits(secret));
  }
});

test('each key of the ring accepts its codes, and the newest one shows them', async () => {
  const [database, bus] = [await testDatabase('orders'), await testDatabase('bus')];
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const withKeys = (...keys: string[]) =>
    startOrdersService({ database, bus, environment: { ORDERS_CURSOR_KEY: keys.join(',') } });
  const old = await withKeys(key(1));
  const orders = [
    await anOrderThat(old, 'PICKUP_STARTED'),
    await anOrderThat(old, 'PICKUP_STARTED'),
  ];
  const before = await Promise.all(orders.map((order) => shown(order, 'pickup', old)));
  await old.stop();
  const rotated = await withKeys(key(2), key(1));
  const after = await Promise.all(orders.map((order) => shown(order, 'pickup', rotated)));
  expect(after).not.toEqual(before);
  for (const [n, code] of [before[0]!, after[1]!].entries())
    await rotated.commands.recordHandover({
      circumstances: { orderId: orders[n]!.orderId },
      ...aHandover({ methods: ['code'], code }),
    });
  await rotated.stop();
});

test("the evidence device_signature is a handover that the driver's phone signed", async () => {
  const requiredEvidenceJson = JSON.stringify({ pickup: ['device_signature'] });
  const order = await anOrderOfDriver({ requiredEvidenceJson });
  const { circumstances, calling } = order;
  await commands.startPickup({ circumstances });
  await commands.sealOrder({ circumstances, sealIds: ['S-1', 'S-2'] });
  await handOver(order, undefined, { methods: ['pin'] });
  await expect(commands.startTransport({ circumstances })).rejects.toMatchObject({
    details: { missing_evidence: { pickup: ['device_signature'] } },
  });
  await commands.recordHandover(await order.record('', ['pin']), calling);
  await commands.startTransport({ circumstances });
});

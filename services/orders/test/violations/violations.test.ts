import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ViolationState } from '@pto/proto/orders/v1/violations';
import {
  anOrder,
  asOwner,
  bodyOf,
  type OrdersUnderTest,
  startOrdersService,
} from '../orders-service.ts';

let under: OrdersUnderTest;
beforeAll(async () => {
  under = await startOrdersService();
});
afterAll(() => under.stop());

let orderId: string;
beforeEach(async () => {
  orderId = bodyOf(await under.orders.createOrder(anOrder())).id;
});

const reasonOne = 'event_hash does not match what the entry says';
const found = (reason = reasonOne, of = orderId) => ({ orderId: of, entryId: 'e', reason });
const record = (...violations: readonly { orderId: string; entryId: string; reason: string }[]) =>
  under.violations.recordViolations({ found: [...violations] });
const unnotifiedOf = ({ unnotified }: Awaited<ReturnType<typeof record>>) =>
  unnotified.filter((one) => one.orderId === orderId);
const listed = async (state = ViolationState.UNSPECIFIED) =>
  (await under.violations.listViolations({ orderId, state })).violations;
const flag = async () => (await under.commands.showOrder({ orderId })).order?.custodyFault;
const acknowledge = (reason = 'known since the restore') =>
  under.violations.acknowledgeViolations({ orderId, reason });

test('a violation that is found again and again is stored once and flags the order', async () => {
  await Promise.all([record(found(), found()), record(found()), record(found())]);
  const [one, ...more] = await listed();
  expect(more).toEqual([]);
  expect(one).toMatchObject({
    state: ViolationState.OPEN,
    orderId,
    entryId: 'e',
    reason: reasonOne,
  });
  expect(one!.acknowledgment).toBeUndefined();
  expect(await flag()).toBe(reasonOne);
});

test('a violation of an order or of the log that is found again has the time of that', async () => {
  const reasons = ['found again', 'leaf 9 is not there'].map((text) => `${text} ${randomUUID()}`);
  const both = [found(reasons[0]), { orderId: '', entryId: '', reason: reasons[1]! }];
  await record(...both);
  await asOwner(under.database, (owner) =>
    owner.query(
      "update integrity_violations set last_found_at = '2020-01-01' where reason = any($1)",
      [reasons],
    ),
  );
  await record(...both);
  const { violations } = await under.violations.listViolations({ pageSize: 1000 });
  const times = violations.filter(({ reason }) => reasons.includes(reason));
  expect(times).toHaveLength(2);
  for (const { foundAt, lastFoundAt } of times) expect(lastFoundAt >= foundAt).toBe(true);
});

test('an order id in capital letters names the same order', async () => {
  const id = orderId.toUpperCase();
  await under.violations.recordViolations({ found: [found('capital', id)] });
  expect(await flag()).toBe('capital');
  const { violations } = await under.violations.listViolations({ orderId: id });
  expect(violations).toMatchObject([{ orderId, reason: 'capital' }]);
  expect((await under.commands.showOrder({ orderId: id })).order?.id).toBe(orderId);
  await under.commands.reportIncident({ circumstances: { orderId: id }, note: 'n' });
  await under.violations.acknowledgeViolations({ orderId: id, reason: 'r' });
  expect(await flag()).toBeUndefined();
});

test('a violation is unnotified until operators were notified', async () => {
  const [first] = unnotifiedOf(await record(found()));
  expect(unnotifiedOf(await record(found()))).toMatchObject([{ id: first!.id }]);
  await under.violations.recordViolations({ notifiedIds: [first!.id] });
  expect(unnotifiedOf(await record(found()))).toEqual([]);
});

test('an acknowledged violation neither alerts nor flags again, and a new one does both', async () => {
  const before = (await record(found())).open;
  const { acknowledged } = await acknowledge();
  expect(acknowledged).toMatchObject([
    {
      state: ViolationState.ACKNOWLEDGED,
      acknowledgment: { operator: 'An Operator', reason: 'known since the restore' },
    },
  ]);
  expect(await flag()).toBeUndefined();
  const again = await record(found());
  expect([unnotifiedOf(again), again.open]).toEqual([[], before - 1]);
  const fresh = await record(found('the entry is not in the log'));
  expect(unnotifiedOf(fresh)).toMatchObject([{ reason: 'the entry is not in the log' }]);
  expect(await flag()).toBe('the entry is not in the log');
  expect(await listed()).toHaveLength(2);
});

test('a resolved violation clears the flag, stays listed, and is a new one when it comes back', async () => {
  const [first] = unnotifiedOf(await record(found()));
  await under.violations.recordViolations({ resolvedIds: [first!.id] });
  expect(await flag()).toBeUndefined();
  expect(await listed()).toEqual([]);
  expect(await listed(ViolationState.RESOLVED)).toMatchObject([{ id: first!.id }]);
  const [second] = unnotifiedOf(await record(found()));
  expect(second!.id).not.toBe(first!.id);
});

test('a violation of the log belongs to no order and is acknowledged by its id', async () => {
  const reason = `the log has lost leaf ${randomUUID()}`;
  const { unnotified } = await record({ orderId: '', entryId: '', reason });
  const [one] = unnotified.filter((each) => each.reason === reason);
  expect(one).toMatchObject({ orderId: '', entryId: '' });
  const { acknowledged } = await under.violations.acknowledgeViolations({
    id: one!.id,
    reason: 'looked at',
  });
  expect(acknowledged).toMatchObject([{ id: one!.id }]);
});

test('nothing is acknowledged without an open violation and a reason', async () => {
  await expect(acknowledge()).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await record(found());
  await expect(acknowledge('')).rejects.toMatchObject({ kind: 'VALIDATION' });
  await expect(
    under.violations.acknowledgeViolations({ orderId, id: orderId, reason: 'x' }),
  ).rejects.toMatchObject({ kind: 'VALIDATION' });
});

test('pages show every violation once, newest first', async () => {
  const reasons = Array.from({ length: 5 }, (_, n) => `violation ${n}`);
  for (const reason of reasons) await record(found(reason));
  const seen: string[] = [];
  for (let pageToken = '', more = true; more; more = pageToken !== '') {
    const page = await under.violations.listViolations({ orderId, pageSize: 2, pageToken });
    seen.push(...page.violations.map(({ reason }) => reason));
    pageToken = page.nextPageToken;
  }
  expect(seen).toEqual(reasons.toReversed());
});

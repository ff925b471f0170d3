import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { until } from '@pto/testing';
import type { Client } from 'pg';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  connectAttacker,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { digestOf } from '../writers.ts';
import { mailsOf, startAuditorBeside, stateFileOf } from './auditor-under-test.ts';

let under: CustodyUnderTest;
let attacker: Client;
const organizationId = anOrganization();
const slow = { CUSTODY_AUDITOR_FULL_RATE: '1' };

beforeEach(async () => {
  under = await startCustodyService();
  attacker = await connectAttacker(under);
});
afterEach(async () => {
  await attacker.end();
  await under.stop();
});

/** Orders commits events, with their digests, before it sends them. */
const produce = async (count: number, sent = count, to = under): Promise<OrderEvent[]> => {
  const events = eventsOf(anOrderId(), organizationId, count, { reference: 'x' });
  const [{ orderId }] = events as [OrderEvent];
  to.known.set(orderId, {
    orderId,
    sequence: count,
    custodySequence: 0,
    custodyHeadHash: '',
    digests: events.map((event) => ({ sequence: event.sequence, digest: digestOf(event) })),
  });
  await to.publish(events.slice(0, sent));
  return events;
};

const leavesAre = (count: number, of = attacker) =>
  until(
    async () => {
      const { rows } = await of.query('select size::int from log_state');
      return rows[0].size === count;
    },
    { what: `${count} leaves` },
  );

test('a restarted auditor continues behind what it has verified', async () => {
  await produce(20);
  await leavesAre(20);
  const one = await startAuditorBeside(under, slow);
  await until(async () => (await one.metric('custody_audit_leaves')) === 20, { what: 'the log' });
  await one.stop();
  await produce(3);
  await leavesAre(23);
  const two = await startAuditorBeside(under, slow);
  await until(async () => (await two.metric('custody_audit_leaves')) === 23, { what: 'the log' });
  // the page of the full audit that a budget of one entry a second allows, and the new entries
  expect(await two.metric('custody_verified_entries_total')).toBeLessThanOrEqual(3 + 23);
  expect(two.notified()).toEqual([]);
  await two.stop();
}, 60_000);

test('an auditor that saw a second history reports nothing of the first one when it is back', async () => {
  await produce(5);
  await leavesAre(5);
  const one = await startAuditorBeside(under, slow);
  await one.passed();
  await one.stop();

  // longer, and signed by the same keys
  const second = await startCustodyService();
  const ofSecond = await connectAttacker(second);
  await produce(9, 9, second);
  await leavesAre(9, ofSecond);
  copyFileSync(stateFileOf(under), stateFileOf(second));
  const two = await startAuditorBeside(second, slow);
  await until(() => two.notified().length > 0, { what: 'the violation' });
  await two.passed();
  await two.stop();
  copyFileSync(stateFileOf(second), stateFileOf(under));
  await ofSecond.end();
  await second.stop();

  await produce(7);
  await leavesAre(12);
  const three = await startAuditorBeside(under, slow);
  await until(async () => (await three.metric('custody_audit_leaves')) === 12, { what: 'the log' });
  await three.passed();
  expect(three.notified()).toEqual([]);
  await three.stop();
}, 60_000);

test('an entry whose content orders did not produce is found in the pass that first sees it', async () => {
  const one = await startAuditorBeside(under, slow);
  await one.passed(1);
  const events = eventsOf(anOrderId(), organizationId, 2, { reference: 'forged' });
  const [{ orderId }, second] = events as [OrderEvent, OrderEvent];
  under.known.set(orderId, {
    orderId,
    sequence: 2,
    custodySequence: 0,
    custodyHeadHash: '',
    digests: [
      { sequence: 1, digest: digestOf(events[0]!) },
      { sequence: 2, digest: digestOf({ ...second, payloadJson: '{"note":"produced"}' }) },
    ],
  });
  await under.publish(events);
  await until(() => one.notified().length > 0, { what: 'the violation' });
  expect(one.notified()).toEqual([
    { orderId, entryId: second.id, reason: 'the entry does not say what orders produced' },
  ]);
  await one.stop();
}, 60_000);

test('a violation that could not be recorded is not forgotten', async () => {
  const one = await startAuditorBeside(under, slow);
  await one.passed(1);
  under.violationStore.unavailable = true;
  const events = eventsOf(anOrderId(), organizationId, 1, { reference: 'forged' });
  const [{ orderId }] = events as [OrderEvent];
  const digests = [{ sequence: 1, digest: new Uint8Array(32) }];
  under.known.set(orderId, {
    orderId,
    sequence: 1,
    custodySequence: 0,
    custodyHeadHash: '',
    digests,
  });
  const failed = one.failed().length;
  await under.publish(events);
  await until(() => one.failed().length > failed, { what: 'a failed pass' });
  under.violationStore.unavailable = false;
  await until(() => one.notified().length > 0, { what: 'the violation' });
  expect(under.violations).toMatchObject([{ orderId }]);
  await one.stop();
}, 60_000);

test('an event that custody has not stored is a delay with its age, and no violation', async () => {
  await produce(3, 2);
  await leavesAre(2);
  const one = await startAuditorBeside(under);
  await one.fullAudits();
  expect(await one.metric('custody_oldest_unstored_event_seconds')).toBe(7);
  expect([one.notified(), await one.metric('custody_faults')]).toEqual([[], 0]);
  under.known.clear();
  await one.stop();
}, 60_000);

test('a violation that a full audit no longer finds is resolved, and an acknowledged one is quiet', async () => {
  const events = await produce(3);
  const { orderId, id: entryId } = events[1]!;
  await leavesAre(3);
  const one = await startAuditorBeside(under);
  await one.fullAudits(1);
  const setPayload = (payload: string) =>
    attacker.query('update entries set payload = $2 where id = $1', [entryId, payload]);
  await setPayload('{"note":"y"}');
  await until(() => one.notified().length > 0, { what: 'the violation' });
  const reason = 'event_hash does not match what the entry says';
  expect(one.notified()).toEqual([{ orderId, entryId, reason }]);
  await until(async () => (await one.metric('custody_faults')) === 1, { what: 'the gauge' });
  const acknowledgment = {
    $typeName: 'orders.v1.Acknowledgment',
    at: '',
    operator: 'a',
    reason: '',
  };
  Object.assign(under.violations[0]!, { acknowledgment });
  await until(async () => (await one.metric('custody_faults')) === 0, { what: 'no open one' });
  await one.fullAudits();
  expect(under.violations[0]!.resolvedAt).toBeUndefined();
  await setPayload('{"reference":"x"}');
  await until(() => under.violations[0]!.resolvedAt, { what: 'its end' });
  expect([under.violations.length, mailsOf(under).length]).toEqual([1, 1]);
  await one.stop();
}, 90_000);

test('a mail that failed is sent with a later pass, once, also by the next auditor', async () => {
  const [event] = await produce(1);
  await leavesAre(1);
  await attacker.query(`update entries set type = 'order.closed' where id = $1`, [event!.id]);
  const mailDir = join(under.folder, 'mail');
  const one = await startAuditorBeside(under, { MAIL_DIR: mailDir });
  await until(() => one.failed().length > 1, { what: 'failed passes' });
  await one.stop();
  mkdirSync(mailDir);
  const two = await startAuditorBeside(under);
  await two.fullAudits();
  await two.stop();
  const three = await startAuditorBeside(under);
  await three.fullAudits();
  await three.stop();
  expect(mailsOf(under)).toHaveLength(1);
}, 90_000);

test('a state that somebody changed, or whose signature is absent, is refused', async () => {
  await produce(1);
  const one = await startAuditorBeside(under);
  await one.fullAudits(1);
  await one.stop();
  const path = stateFileOf(under);
  const text = readFileSync(path, 'utf8');
  const { state, mac } = JSON.parse(text);
  const { vkeys, note } = JSON.parse(state);
  const changed = JSON.stringify({ ...JSON.parse(state), fullCompletedAt: null });
  writeFileSync(path, JSON.stringify({ state: changed, mac }));
  await expect(startAuditorBeside(under)).rejects.toThrow('is not signed with');
  writeFileSync(path, text);
  const otherKey = { CUSTODY_AUDITOR_STATE_KEY: Buffer.alloc(32, 1).toString('base64') };
  await expect(startAuditorBeside(under, otherKey)).rejects.toThrow('is not signed with');
  writeFileSync(path, JSON.stringify({ vkeys, note }));
  await expect(startAuditorBeside(under)).rejects.toThrow('is not signed with');
}, 60_000);

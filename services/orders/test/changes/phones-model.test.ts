/**
 * Phones of drivers that send twice, lose responses and wait without a network, beside an office that
 * moves the same orders: each record is one entry, in the order of its phone, applied or kept.
 */
import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { aPhone } from '@pto/testing';
import fc from 'fast-check';
import { Client } from 'pg';
import { type OrdersUnderTest, startOrdersService } from '../orders-service.ts';
import { anOrderThat } from './an-order-in-transit.ts';

let under: OrdersUnderTest;
let owner: Client;
beforeAll(async () => {
  under = await startOrdersService();
  owner = new Client(under.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await under.stop();
});

const note = 'a tyre';
const sealIds = ['S-1', 'S-2'];
/** What a driver records, in this order. */
const steps = [
  ['recordArrival', 'DRIVER_ARRIVED', { stop: 'pickup' }, { stop: 'pickup' }],
  ['startPickup', 'PICKUP_STARTED', {}, {}],
  ['sealOrder', 'SEAL_APPLIED', { seal_ids: sealIds }, { sealIds }],
  ['startTransport', 'TRANSPORT_STARTED', {}, {}],
  ['reportIncident', 'INCIDENT_REPORTED', { note }, { note }],
  ['deliverOrder', 'CUSTODY_TRANSFERRED', {}, {}],
] as const;

/** How a phone sends a record; what the office does meanwhile. */
const sending = fc.constantFrom('once', 'twice at once', 'again after a lost response', 'later');
const office = fc.constantFrom(
  'none',
  'none',
  'incident',
  'another driver',
  'cancel',
  'start pick-up',
);
const script = fc.array(fc.tuple(sending, office), {
  minLength: steps.length,
  maxLength: steps.length,
});

/** The ids of the commands that phones signed, in the order of the entries, and the number of all. */
const recorded = async (orderId: string) => {
  const { rows } = await owner.query('select value from outbox where key = $1', [orderId]);
  const events = rows
    .map(({ value }) => fromBinary(OrderEventSchema, value))
    .sort((one, two) => one.sequence - two.sequence);
  const ids = events.flatMap(({ payloadJson }): string[] => {
    const { device } = JSON.parse(payloadJson || '{}');
    return device ? [device.command_id] : [];
  });
  return { ids, count: events.length };
};

const drive = async (plan: readonly (readonly [string, string])[]) => {
  const { commands } = under;
  const phone = await aPhone();
  const driver = { driverId: randomUUID(), carrierId: randomUUID() };
  const calling = { party: { ...driver, key: phone.key } };
  const { orderId, organizationId, circumstances } = await anOrderThat(under, 'SUBMITTED');
  const { carrierId } = driver;
  await commands.assignOrder({ circumstances, transportOrganization: 'T', carrierId });
  await commands.acceptOrder({ circumstances });
  await commands.assignDriver({ circumstances, driver: 'Kim', driverId: driver.driverId });
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    none: async () => {},
    incident: () => commands.reportIncident({ circumstances, note: 'by the office' }),
    'another driver': async () => {
      await commands.releaseDriver({ circumstances });
      await commands.assignDriver({ circumstances, driver: 'Robin', driverId: randomUUID() });
    },
    cancel: () => commands.cancelOrder({ circumstances, reason: 'r' }),
    'start pick-up': () => commands.startPickup({ circumstances }),
  };
  const ofDriver = commands as unknown as Record<
    string,
    (request: object, options: object) => Promise<unknown>
  >;
  const sent: string[] = [];
  let waiting: (() => Promise<unknown>)[] = [];
  for (const [n, [how, act]] of plan.entries()) {
    const [rpc, internalType, payload, fields] = steps[n]!;
    const record = await phone.record(driver, { orderId, internalType, payload });
    sent.push(record.commandId);
    const send = (): Promise<string> =>
      ofDriver[rpc]!({ circumstances: record, ...fields }, calling).then(
        () => 'applied',
        (failure) => {
          if (failure.retryable) return send();
          // the page explains each conflict: nothing else may happen to a record of a phone
          expect(['ILLEGAL_TRANSITION', 'VALIDATION']).toContain(failure.kind);
          expect(failure.details.kept_entry).toBeGreaterThan(0);
          return `kept ${failure.details.kept_entry}`;
        },
      );
    const inOffice = acts[act]!().catch(({ kind, retryable }) =>
      expect(retryable || kind).toEqual(retryable ? true : 'ILLEGAL_TRANSITION'),
    );
    waiting.push(async () => {
      const responses = await Promise.all(how === 'twice at once' ? [send(), send()] : [send()]);
      if (how !== 'once') responses.push(await send());
      expect(new Set(responses).size).toBe(1);
    });
    const isLast = n === plan.length - 1;
    if (how !== 'later' || isLast) {
      for (const one of waiting) await one();
      waiting = [];
    }
    await inOffice;
  }
  const { sequence } = await under.orders.getSequence({ organizationId, id: orderId });
  expect(await recorded(orderId)).toEqual({ ids: sent, count: sequence });
};

test('each record of a phone is one entry, in its order, whatever the office does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 8, maxLength: 8 }), async (plans) => {
      await Promise.all(plans.map(drive));
    }),
    { numRuns: 4, endOnFailure: true },
  );
}, 120_000);

import { setTimeout as sleep } from 'node:timers/promises';
import { contentDigest } from '@pto/custody-verifier';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { anOrderId, anOrganization, type CustodyUnderTest, eventsOf } from './custody-service.ts';

const eventsOfALife = 9;
/** Between two events of a lane: the load is constant, and leaves the machine to what is tested. */
const restMs = 20;

/** The digest that orders stores of an event (decision 55). */
export const digestOf = (event: OrderEvent): Uint8Array =>
  contentDigest({
    order_id: event.orderId,
    sequence: event.sequence,
    id: event.id,
    type: event.type,
    internal_type: event.internalType,
    ts_utc: event.tsUtc,
    gps_lat: event.position?.lat ?? null,
    gps_lng: event.position?.lng ?? null,
    payload: event.payloadJson === '' ? null : JSON.parse(event.payloadJson),
  });

/** Orders that go through their lives, one event after the other, until stopped. */
export const startWriters = (
  under: CustodyUnderTest,
  lanes = 4,
  organizationId = anOrganization(),
) => {
  let [on, written] = [true, 0];
  const live = async () => {
    const events = eventsOf(anOrderId(), organizationId, eventsOfALife, { reference: 'w' });
    const digests = events.map((event) => ({ sequence: event.sequence, digest: digestOf(event) }));
    for (const event of events) {
      if (!on) return;
      const { orderId, sequence } = event;
      // orders commits an event and its digest before it sends it
      under.known.set(orderId, {
        orderId,
        sequence,
        custodySequence: 0,
        custodyHeadHash: '',
        digests: digests.slice(0, sequence),
      });
      await under.publish([event]);
      written++;
      await sleep(restMs);
    }
  };
  const lane = async () => {
    while (on) await live();
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    written: () => written,
    stop: async (): Promise<number> => {
      on = false;
      await running;
      return written;
    },
  };
};

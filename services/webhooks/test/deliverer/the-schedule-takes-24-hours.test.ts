import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest(); // the schedule of decision 38
const [minute, hour] = [60_000, 3_600_000];

/** The clock goes on for everything that is queued: its own times lie so much further back. */
const goOn = (endpointId: string, ms: number) =>
  under.stores.superuser.query(
    `update pending_deliveries set due_at = due_at - $2 * interval '1 ms',
       first_attempt_at = first_attempt_at - $2 * interval '1 ms' where endpoint_id = $1`,
    [endpointId, ms],
  );

/** How long until the next attempt is due, once this one is recorded; null when there is none. */
const wait = async (endpointId: string, attempts: number): Promise<number | null> => {
  const [row] = await until(
    async () => {
      const rows = await under.stores.superuser.query<{ wait_ms: number; ended: boolean }>(
        `select (extract(epoch from p.due_at - now()) * 1000)::float8 as wait_ms,
           d.state = 'EXHAUSTED' as ended
         from deliveries d left join pending_deliveries p
           on p.delivery_id = d.id and p.attempts = $2 and p.lease_until is null
         where d.endpoint_id = $1 and (p.delivery_id is not null or d.state = 'EXHAUSTED')`,
        [endpointId, attempts],
      );
      return rows.length > 0 ? rows : undefined;
    },
    { what: `attempt ${attempts} to be recorded` },
  );
  return row!.ended ? null : row!.wait_ms;
};

test('six attempts at 0, 1 min, 6 min, 36 min, 4 h 36 min and 24 h, then EXHAUSTED', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  await under.stores.publish(eventsOf(organizationId, 1));
  let elapsed = 0;
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 6; attempt++) {
    await until(() => receiver.received.length === attempt, { what: `attempt ${attempt}` });
    const next = await wait(id, attempt);
    if (next === null) break;
    waits.push(next);
    elapsed += next;
    // a moment before it is due no replica sends it
    await goOn(id, next - 700);
    expect(receiver.received).toHaveLength(attempt);
    await goOn(id, 700);
  }
  expect(waits).toHaveLength(5);
  const decided = [minute, 5 * minute, 30 * minute, 4 * hour];
  for (const [n, base] of decided.entries()) {
    expect(waits[n]).toBeGreaterThan(base * 0.9 - 2000);
    expect(waits[n]).toBeLessThanOrEqual(base * 1.1);
  }
  // the last one makes up for all jitter: 24 h after the first, to the point
  expect(Math.abs(elapsed - 24 * hour)).toBeLessThan(10_000);
  const [ended] = await deliveriesOf(under.replica, id, 'EXHAUSTED');
  expect(ended!.attempts).toHaveLength(6);
  expect(new Set(receiver.received.map((post) => post.id)).size).toBe(1);
  expect(new Set(receiver.received.map((post) => post.body)).size).toBe(1);

  // never a seventh: nothing is left that could become due
  await goOn(id, 30 * 24 * hour);
  const witness = await under.endpoint({ organizationId });
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => witness.receiver.received.length === 1, { what: 'the witness' });
  expect(receiver.received.filter((post) => post.id === ended!.id)).toHaveLength(6);
});
